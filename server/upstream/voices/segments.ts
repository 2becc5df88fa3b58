import { type SqlBool, sql } from "kysely";
import type { Db } from "../db/database";
import type { Blobs } from "../media/store";
import type { SpeechChunk, VoiceProfile } from "../speech/engine";
import { hashOfVoice } from "./fingerprint";
import type { Voice } from "./ports";

export interface SegmentCache {
  /** Null for what is not kept, and for what is to be gone. */
  find(fingerprint: string): Promise<SpeechChunk[] | null>;
  /** Nothing of a voice whose recording is gone by now, or was learned anew. */
  keep(fingerprint: string, chunks: SpeechChunk[], voices: Voices): Promise<void>;
  /**
   * What these voices said is stale from now on, and gone with the next sweep. In the transaction that deletes their
   * recordings, after it has: whoever is keeping something of them then is either seen here, or sees that they are gone.
   */
  forgetVoices(trx: Db, voices: VoiceProfile[]): Promise<void>;
  /** Removes what nobody asked for in a week, what is stale, and what somebody died over. */
  sweep(): Promise<void>;
}

/** Who speaks a segment, and whose tone it has. */
interface Voices {
  voice: Voice;
  tone?: Voice | undefined;
}

interface KeptChunk extends Omit<SpeechChunk, "pcm"> {
  samples: number;
}

const bytesPerSample = 2;
const sweptAtOnce = 200;
const isFresh = sql<SqlBool>`segment.used_at >= now() - interval '7 days'`;
const isWhole = sql<SqlBool>`segment.keeping_since is null`;
/** No store takes that long: whoever was keeping it has died. */
const isDead = sql<SqlBool>`segment.keeping_since < now() - interval '10 minutes'`;
const isOver = sql<SqlBool>`((${isWhole} and not ${isFresh}) or ${isDead})`;

/**
 * Synthesised segments, kept for the retry of a task and for the same words again. Bytes lie in the store only while there
 * is a row to find them by: it is written before them and deleted behind them.
 */
export function createSegmentCache({ db, blobs }: { db: Db; blobs: Blobs }): SegmentCache {
  return {
    async find(fingerprint) {
      const row = await db
        .updateTable("segment")
        .set({ used_at: sql`now()` })
        .where("fingerprint", "=", fingerprint)
        .where(isWhole)
        .where(isFresh)
        .returning(["key", "chunks"])
        .executeTakeFirst();
      const bytes = row ? await blobs.get(row.key) : null;
      return row && bytes ? split(bytes, row.chunks as KeptChunk[]) : null;
    },
    async keep(fingerprint, chunks, voices) {
      const key = `segments/${fingerprint.slice(0, 2)}/${fingerprint}`;
      const kept = chunks.map(({ pcm, ...rest }): KeptChunk => ({ ...rest, samples: pcm.length }));
      const row = { fingerprint, key, chunks: JSON.stringify(kept) };
      const since = await begin(db, row, voices);
      if (!since) return;
      const giveUp = async () => {
        await blobs.remove(key);
        await db
          .deleteFrom("segment")
          .where("fingerprint", "=", fingerprint)
          .where("keeping_since", "=", since)
          .execute();
      };
      try {
        await blobs.put(key, Buffer.concat(chunks.map(bytesOf)));
      } catch (error) {
        await giveUp().catch(() => {}); // the sweep will
        throw error;
      }
      if (!(await finish(db, fingerprint, since))) await giveUp();
    },
    async forgetVoices(trx, voices) {
      if (voices.length === 0) return;
      const hashes = voices.map(hashOfVoice);
      // In one order everywhere: two deletions of one voice never wait for each other in a circle.
      const said = trx
        .selectFrom("segment")
        .select("fingerprint")
        .where((eb) => eb.or([eb("voice", "in", hashes), eb("tone", "in", hashes)]));
      const found = await said.orderBy("fingerprint").forUpdate().execute();
      if (found.length === 0) return;
      const fingerprints = found.map(({ fingerprint }) => fingerprint);
      await sql`update segment set used_at = ${new Date(0)} where fingerprint = any(${fingerprints}::text[])`.execute(
        trx,
      );
    },
    async sweep() {
      for (let swept = sweptAtOnce; swept === sweptAtOnce; ) {
        const over = db.selectFrom("segment").select(["fingerprint", "key"]).where(isOver);
        const old = await over.limit(sweptAtOnce).execute();
        for (const { fingerprint, key } of old) {
          await blobs.remove(key);
          await db.deleteFrom("segment").where("fingerprint", "=", fingerprint).where(isOver).execute();
        }
        swept = old.length;
      }
    },
  };
}

interface NewSegment {
  fingerprint: string;
  key: string;
  chunks: string;
}

/** Writes down that the bytes are to come; null where they are not wanted, or somebody else is bringing them. */
async function begin(db: Db, segment: NewSegment, { voice, tone }: Voices): Promise<Date | null> {
  return db.transaction().execute(async (trx) => {
    if (!(await areLearned(trx, tone ? [voice, tone] : [voice]))) return null;
    const row = {
      ...segment,
      voice: hashOfVoice(voice.profile),
      tone: tone ? hashOfVoice(tone.profile) : null,
      used_at: sql<Date>`now()`,
      // As exact as it comes back.
      keeping_since: sql<Date>`date_trunc('milliseconds', now())`,
    };
    const begun = await trx
      .insertInto("segment")
      .values(row)
      .onConflict((conflict) =>
        conflict.column("fingerprint").doUpdateSet(row).where(sql<SqlBool>`(${isWhole} or ${isDead})`),
      )
      .returning("keeping_since")
      .executeTakeFirst();
    return begun?.keeping_since ?? null;
  });
}

/** Locks the recordings: whoever deletes one waits for this transaction, or has deleted it. */
async function areLearned(trx: Db, voices: Voice[]): Promise<boolean> {
  const learned = voices.filter(({ recordingId }) => recordingId !== null);
  const ids = learned.flatMap(({ recordingId }) => recordingId ?? []);
  if (ids.length === 0) return true;
  const recordings = trx.selectFrom("recording").select(["id", "profile"]).where("id", "in", ids);
  const rows = await recordings.orderBy("id").forShare().execute();
  const hashes = new Map(rows.map(({ id, profile }) => [id, profile ? hashOfVoice(profile as VoiceProfile) : null]));
  return learned.every(({ recordingId, profile }) => hashes.get(recordingId as string) === hashOfVoice(profile));
}

/** The bytes are there; false where the voice was forgotten meanwhile, or this came too late. */
async function finish(db: Db, fingerprint: string, since: Date): Promise<boolean> {
  const rows = db.updateTable("segment").set({ keeping_since: null }).where("fingerprint", "=", fingerprint);
  const mine = rows.where("keeping_since", "=", since).where(isFresh);
  return (await mine.executeTakeFirstOrThrow()).numUpdatedRows > 0n;
}

const bytesOf = ({ pcm }: SpeechChunk) => Buffer.from(pcm.buffer, pcm.byteOffset, pcm.byteLength);

/** Null when the bytes are not all there. */
function split(bytes: Uint8Array, kept: KeptChunk[]): SpeechChunk[] | null {
  // A copy from its own first byte: samples lie on even places.
  const whole = new Uint8Array(bytes).buffer;
  let offset = 0;
  const chunks: SpeechChunk[] = [];
  for (const { samples, ...rest } of kept) {
    if (offset + samples * bytesPerSample > whole.byteLength) return null;
    chunks.push({ ...rest, pcm: new Int16Array(whole, offset, samples) });
    offset += samples * bytesPerSample;
  }
  return chunks;
}
