import { createHash } from "node:crypto";
import { type RawBuilder, sql } from "kysely";
import type { HeardPrint, SoundPrint } from "../../speech/index";
import type { Db } from "../db/database";
import { AppError } from "../errors";
import type { Files, SpeechParts } from "../voices/ports";
import { type Likeness, likenessAt, likenessAtStart } from "./likeness";

export interface PrintMatch extends Likeness {
  fingerprintId: number;
}

interface RememberedContent {
  print: SoundPrint | null;
  isEvidence: boolean;
  speechPrint?: SoundPrint | null | undefined;
}

export type Prints = ReturnType<typeof createPrints>;

const candidatesMax = 60;

/** Fingerprints of all speech that this product generated. */
export function createPrints(db: Db) {
  return {
    /**
     * Links the labels of these files to their common fingerprint; null if it is missing, which the sweep completes. Without
     * `isEvidence` it confirms no label, and no sound is found by it. `speechPrint` is of the speech alone, by which a sound
     * is found, but which confirms no label.
     */
    async remember(trx: Db, fileIds: string[], { print, isEvidence, speechPrint }: RememberedContent) {
      if (speechPrint) await insertPrint(trx, speechPrint);
      const fingerprint_id = print ? await insertPrint(trx, print) : null;
      await sql`
        insert into content (content_id, fingerprint_id, is_evidence, created_at)
        select produce_id, ${fingerprint_id}::int, ${isEvidence}::boolean, label_time
        from media_file where id = any(${fileIds}::text[]) and produce_id is not null
        on conflict do nothing`.execute(trx);
    },
    /** Gives the label of a copy the fingerprint of its source; false if that has none yet. */
    async rememberCopy(trx: Db, { id, sourceId }: { id: string; sourceId: string }): Promise<boolean> {
      const { rows } = await sql`
        insert into content (content_id, fingerprint_id, is_evidence, created_at)
        select copy.produce_id, content.fingerprint_id, content.is_evidence, copy.label_time
        from media_file copy, media_file source
        join content on content.content_id = source.produce_id
        where copy.id = ${id} and source.id = ${sourceId} and content.fingerprint_id is not null
        returning content_id`.execute(trx);
      return rows.length > 0;
    },
    /** The same for a stream, by its label, whose source is the file to play of the same speech. */
    async rememberStream(trx: Db, { produceId, sourceId }: { produceId: string; sourceId: string }) {
      await sql`
        insert into content (content_id, fingerprint_id, is_evidence, created_at)
        select ${produceId}, content.fingerprint_id, content.is_evidence, now()
        from media_file source join content on content.content_id = source.produce_id
        where source.id = ${sourceId} on conflict do nothing`.execute(trx);
    },
    /** Adds a missing fingerprint. */
    async complete(contentId: string, print: SoundPrint) {
      await db.transaction().execute(async (trx) => {
        const fingerprint_id = await insertPrint(trx, print);
        await trx.updateTable("content").set({ fingerprint_id }).where("content_id", "=", contentId).execute();
      });
    },
    /** The most similar fingerprint; null without any common key. */
    search: async (heard: HeardPrint) => mostAlike(db, heard, await findCandidates(db, heard, isEvidence)),
    /** The likeness to one fingerprint. */
    async compare(heard: HeardPrint, fingerprintId: number): Promise<Likeness> {
      const candidates = await findCandidates(db, heard, sql`fingerprint_id = ${fingerprintId}::int`);
      const words = (await readWords(db, [fingerprintId])).get(fingerprintId) ?? new Uint32Array();
      // A short sound has hardly a key.
      return (await mostAlike(db, heard, candidates)) ?? likenessAtStart(heard, words);
    },
  };
}

/** Its id; equal sounds are stored once. */
async function insertPrint(trx: Db, { words, keys, places }: SoundPrint): Promise<number> {
  const bytes = Buffer.alloc(words.length * 4);
  for (const [i, word] of words.entries()) bytes.writeUInt32LE(word, i * 4);
  const digest = createHash("sha256").update(bytes).digest("base64url");
  const kept = await trx
    .insertInto("fingerprint")
    .values({ digest, words: bytes })
    .onConflict((conflict) => conflict.column("digest").doNothing())
    .returning("id")
    .executeTakeFirst();
  if (!kept) {
    const known = trx.selectFrom("fingerprint").select("id").where("digest", "=", digest);
    return (await known.executeTakeFirstOrThrow()).id;
  }
  await sql`
    insert into fingerprint_key (key, fingerprint_id, place)
    select key, ${kept.id}::int, place
    from unnest(${Array.from(keys)}::int[], ${Array.from(places)}::int[]) as of_sound (key, place)
    on conflict do nothing`.execute(trx);
  return kept.id;
}

const isEvidence = sql`fingerprint_id not in (
  select fingerprint_id from content where not is_evidence and fingerprint_id is not null)`;

/** Offsets in stored sounds, in frames, that agree on most keys. */
async function findCandidates(db: Db, heard: HeardPrint, among: RawBuilder<unknown>) {
  const { rows } = await sql<{ id: number; offset: number }>`
    select fingerprint_id as id, kept.place - heard.place as "offset"
    from unnest(${Array.from(heard.keys)}::int[], ${Array.from(heard.places)}::int[]) as heard (key, place)
    join fingerprint_key kept on kept.key = heard.key
    where ${among}
    group by 1, 2 order by count(distinct heard.place) desc limit ${candidatesMax}::int`.execute(db);
  return rows;
}

async function mostAlike(db: Db, heard: HeardPrint, candidates: Array<{ id: number; offset: number }>) {
  const wordsOf = await readWords(db, [...new Set(candidates.map(({ id }) => id))]);
  let best: PrintMatch | null = null;
  for (const { id, offset } of candidates) {
    const words = wordsOf.get(id);
    const likeness = words && likenessAt(heard, words, { offset });
    if (likeness && likeness.errorRate < (best?.errorRate ?? 1)) best = { ...likeness, fingerprintId: id };
  }
  return best;
}

async function readWords(db: Db, ids: number[]): Promise<Map<number, Uint32Array>> {
  if (ids.length === 0) return new Map();
  const rows = await db.selectFrom("fingerprint").select(["id", "words"]).where("id", "in", ids).execute();
  return new Map(
    rows.map(({ id, words }) => [
      id,
      Uint32Array.from({ length: words.length >> 2 }, (_, i) => words.readUInt32LE(i * 4)),
    ]),
  );
}

interface BacklogParts {
  db: Db;
  files: Pick<Files, "read">;
  prints: Pick<Prints, "complete">;
  speech: Pick<SpeechParts, "print">;
}

const batchSize = 50;
const emptyPrint: SoundPrint = { words: new Uint32Array(), keys: new Int32Array(), places: new Int32Array() };

/** Adds missing fingerprints: of failed attempts, and of files older than the fingerprints. */
export function createBacklog({ db, files, prints, speech }: BacklogParts): () => Promise<void> {
  return async () => {
    const missing = await db
      .selectFrom("content")
      .innerJoin("media_file", "media_file.produce_id", "content.content_id")
      .select(["content_id", "media_file.id"])
      .where("fingerprint_id", "is", null)
      .limit(batchSize)
      .execute();
    for (const { content_id, id } of missing) {
      const bytes = await files.read(id).catch(unlessGone);
      if (bytes) await prints.complete(content_id, await speech.print(bytes).catch(unlessUnreadable));
    }
  };
}

/** The file was deleted meanwhile or is lost. */
function unlessGone(error: unknown): null {
  if (error instanceof AppError && error.code === "not-found") return null;
  throw error;
}

/** A file that cannot be decoded gets an empty fingerprint. */
function unlessUnreadable(error: unknown): SoundPrint {
  if (error instanceof Error && "fault" in error && error.fault === "reference") return emptyPrint;
  throw error;
}
