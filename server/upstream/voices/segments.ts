import { createHash } from "node:crypto";
import { type SqlBool, sql } from "kysely";
import type { SpeechChunk, SpeechEngine, SpeechRequest, VoiceProfile } from "../../speech/engine";
import type { Db } from "../db/database";
import type { Blobs } from "../media/store";
import { stableJson } from "../stable-json";
import type { Voice } from "./ports";

export type SegmentCache = ReturnType<typeof createSegmentCache>;

/** The voice of a segment, and the voice of its tone. */
interface SegmentVoices {
  voice: Voice;
  tone?: Voice | undefined;
}

interface StoredChunk extends Omit<SpeechChunk, "pcm"> {
  samples: number;
}

const bytesPerSample = 2;
const sweepBatchSize = 200;
const isFresh = sql<SqlBool>`segment.used_at >= now() - interval '7 days'`;
const isComplete = sql<SqlBool>`segment.keeping_since is null`;
/** No write takes that long: its process has died. */
const isDead = sql<SqlBool>`segment.keeping_since < now() - interval '10 minutes'`;
const isExpired = sql<SqlBool>`((${isComplete} and not ${isFresh}) or ${isDead})`;

/**
 * Synthesised segments, cached for retries and for equal texts. A row is inserted before its bytes and deleted after them,
 * so that no bytes are left without a row.
 */
export function createSegmentCache({ db, blobs }: { db: Db; blobs: Blobs }) {
  return {
    /** Null for segments that are not stored, incomplete or stale. */
    async find(fingerprint: string): Promise<SpeechChunk[] | null> {
      const row = await db
        .updateTable("segment")
        .set({ used_at: sql`now()` })
        .where("fingerprint", "=", fingerprint)
        .where(isComplete)
        .where(isFresh)
        .returning(["key", "chunks"])
        .executeTakeFirst();
      const bytes = row ? await blobs.get(row.key) : null;
      return row && bytes ? split(bytes, row.chunks as StoredChunk[]) : null;
    },
    /** Skipped if the recording was deleted or re-enrolled. */
    async store(fingerprint: string, chunks: SpeechChunk[], voices: SegmentVoices) {
      const key = `segments/${fingerprint.slice(0, 2)}/${fingerprint}`;
      const stored = chunks.map(({ pcm, ...rest }): StoredChunk => ({ ...rest, samples: pcm.length }));
      const row = { fingerprint, key, chunks: JSON.stringify(stored) };
      const since = await begin(db, row, voices);
      if (!since) return;
      const discard = async () => {
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
        await discard().catch(() => {}); // left to the sweep
        throw error;
      }
      if (!(await finish(db, fingerprint, since))) await discard();
    },
    /**
     * Marks the segments of these voices, given by `hashOfVoice`, as stale; the next sweep deletes them. Call it in the transaction that deletes their
     * recordings, after the deletion: a concurrent `store` is either found here, or finds the recordings deleted.
     */
    async forgetVoices(trx: Db, voices: Array<string | null>) {
      const hashes = voices.filter((hash) => hash !== null);
      if (hashes.length === 0) return;
      // In one order everywhere, to prevent deadlocks.
      const segments = trx
        .selectFrom("segment")
        .select("fingerprint")
        .where((eb) => eb.or([eb("voice", "in", hashes), eb("tone", "in", hashes)]));
      const found = await segments.orderBy("fingerprint").forUpdate().execute();
      if (found.length === 0) return;
      const fingerprints = found.map(({ fingerprint }) => fingerprint);
      await sql`update segment set used_at = ${new Date(0)} where fingerprint = any(${fingerprints}::text[])`.execute(
        trx,
      );
    },
    /** Deletes segments that were unused for a week, are stale, or whose writer died. */
    async sweep() {
      for (let swept = sweepBatchSize; swept === sweepBatchSize; ) {
        const over = db.selectFrom("segment").select(["fingerprint", "key"]).where(isExpired);
        const old = await over.limit(sweepBatchSize).execute();
        for (const { fingerprint, key } of old) {
          await blobs.remove(key);
          await db.deleteFrom("segment").where("fingerprint", "=", fingerprint).where(isExpired).execute();
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

/** Inserts the row before its bytes; null if the voice is gone, or another process writes the segment. */
async function begin(db: Db, segment: NewSegment, { voice, tone }: SegmentVoices): Promise<Date | null> {
  return db.transaction().execute(async (trx) => {
    if (!(await areCurrent(trx, tone ? [voice, tone] : [voice]))) return null;
    const row = {
      ...segment,
      voice: hashOfVoice(voice.profile),
      tone: tone ? hashOfVoice(tone.profile) : null,
      used_at: sql<Date>`now()`,
      // Truncated to the precision of a Date.
      keeping_since: sql<Date>`date_trunc('milliseconds', now())`,
    };
    const begun = await trx
      .insertInto("segment")
      .values(row)
      .onConflict((conflict) =>
        conflict.column("fingerprint").doUpdateSet(row).where(sql<SqlBool>`(${isComplete} or ${isDead})`),
      )
      .returning("keeping_since")
      .executeTakeFirst();
    return begun?.keeping_since ?? null;
  });
}

/** Whether the recordings still have these voices. Locks them: a deletion waits for this transaction. */
async function areCurrent(trx: Db, voices: Voice[]): Promise<boolean> {
  const learned = voices.filter(({ recordingId }) => recordingId !== null);
  const ids = learned.flatMap(({ recordingId }) => recordingId ?? []);
  if (ids.length === 0) return true;
  const recordings = trx.selectFrom("recording").select(["id", "voice_hash"]).where("id", "in", ids);
  const rows = await recordings.orderBy("id").forShare().execute();
  const hashes = new Map(rows.map(({ id, voice_hash }) => [id, voice_hash]));
  return learned.every(({ recordingId, profile }) => hashes.get(recordingId as string) === hashOfVoice(profile));
}

/** Completes the row; false if the voice was deleted meanwhile, or the row was swept. */
async function finish(db: Db, fingerprint: string, since: Date): Promise<boolean> {
  const rows = db.updateTable("segment").set({ keeping_since: null }).where("fingerprint", "=", fingerprint);
  const mine = rows.where("keeping_since", "=", since).where(isFresh);
  return (await mine.executeTakeFirstOrThrow()).numUpdatedRows > 0n;
}

const bytesOf = ({ pcm }: SpeechChunk) => Buffer.from(pcm.buffer, pcm.byteOffset, pcm.byteLength);

/** Null for missing bytes. */
function split(bytes: Uint8Array, stored: StoredChunk[]): SpeechChunk[] | null {
  // Copied to an aligned buffer: samples need even offsets.
  const whole = new Uint8Array(bytes).buffer;
  let offset = 0;
  const chunks: SpeechChunk[] = [];
  for (const { samples, ...rest } of stored) {
    if (offset + samples * bytesPerSample > whole.byteLength) return null;
    chunks.push({ ...rest, pcm: new Int16Array(whole, offset, samples) });
    offset += samples * bytesPerSample;
  }
  return chunks;
}

/** Hash of everything that decides how a segment sounds. */
export function fingerprintOf(engine: SpeechEngine, request: SpeechRequest): string {
  const { text, voice, speed, pitch = 0, emotion = {}, tone, style = "", repetition } = request;
  const weights = Object.entries(emotion).filter(([, weight]) => weight);
  const again = repetition ? [repetition] : [];
  const parts = [engine.id, engine.version, text.units, voice, speed, pitch, weights.sort(), tone ?? null, style];
  return hashOf([...parts, ...again]);
}

/** Equal for two recordings from which an engine learned the same voice. */
export const hashOfVoice = (voice: VoiceProfile): string => hashOf(voice);

const hashOf = (value: unknown) => createHash("sha256").update(stableJson(value)).digest("hex");
