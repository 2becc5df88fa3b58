import { createHash } from "node:crypto";
import { sql } from "kysely";
import type { Db } from "../db/database";
import type { Blobs } from "../media/blobs";
import type { SpeechChunk, SpeechEngine, SpeechRequest, VoiceProfile } from "../speech/engine";

export interface SegmentCache {
  find(fingerprint: string): Promise<SpeechChunk[] | null>;
  keep(fingerprint: string, chunks: SpeechChunk[], voice: VoiceProfile): Promise<void>;
  /** What these voices said is stale from now on, and gone with the next sweep. */
  forgetVoices(trx: Db, voices: VoiceProfile[]): Promise<void>;
  /** Removes what nobody asked for in a week, and what is stale. */
  sweep(): Promise<void>;
}

interface KeptChunk extends Omit<SpeechChunk, "pcm"> {
  samples: number;
}

const bytesPerSample = 2;
const sweptAtOnce = 200;

/** Everything that decides how a segment sounds. */
export function fingerprintOf(engine: SpeechEngine, request: SpeechRequest): string {
  const { text, voice, speed, pitch = 0, emotion = {}, tone, style = "" } = request;
  const felt = Object.entries(emotion).filter(([, weight]) => weight);
  const parts = [engine.id, engine.version, text.units, voice, speed, pitch, felt.sort(), tone ?? null, style];
  return createHash("sha256").update(JSON.stringify(parts, inOrder)).digest("hex");
}

/** Synthesised segments, kept for the retry of a task and for the same words again. */
export function createSegmentCache({ db, blobs }: { db: Db; blobs: Blobs }): SegmentCache {
  return {
    async find(fingerprint) {
      const row = await db
        .updateTable("segment")
        .set({ used_at: sql`now()` })
        .where("fingerprint", "=", fingerprint)
        .returning(["key", "chunks"])
        .executeTakeFirst();
      const bytes = row ? await blobs.get(row.key) : null;
      return row && bytes ? split(bytes, row.chunks as KeptChunk[]) : null;
    },
    async keep(fingerprint, chunks, voice) {
      const key = `segments/${fingerprint.slice(0, 2)}/${fingerprint}`;
      const parts = chunks.map(({ pcm }) => Buffer.from(pcm.buffer, pcm.byteOffset, pcm.byteLength));
      await blobs.put(key, Buffer.concat(parts));
      const kept = chunks.map(({ pcm, ...rest }): KeptChunk => ({ ...rest, samples: pcm.length }));
      const row = { key, chunks: JSON.stringify(kept), voice: hashOfVoice(voice) };
      await db
        .insertInto("segment")
        .values({ fingerprint, ...row })
        .onConflict((conflict) => conflict.column("fingerprint").doUpdateSet(row))
        .execute();
    },
    async forgetVoices(trx, voices) {
      if (voices.length === 0) return;
      const hashes = voices.map(hashOfVoice);
      await trx
        .updateTable("segment")
        .set({ used_at: new Date(0) })
        .where("voice", "in", hashes)
        .execute();
    },
    async sweep() {
      for (let swept = sweptAtOnce; swept === sweptAtOnce; ) {
        const old = await db
          .selectFrom("segment")
          .select(["fingerprint", "key"])
          .where("used_at", "<", sql<Date>`now() - interval '7 days'`)
          .limit(sweptAtOnce)
          .execute();
        for (const { fingerprint, key } of old) {
          await db.deleteFrom("segment").where("fingerprint", "=", fingerprint).execute();
          await blobs.remove(key);
        }
        swept = old.length;
      }
    },
  };
}

/** Voices come back from the database with their parts in another order. */
const inOrder = (_: string, value: unknown) =>
  typeof value === "object" && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
    : value;

function hashOfVoice(voice: VoiceProfile): string {
  return createHash("sha256").update(JSON.stringify(voice, inOrder)).digest("hex");
}

/** Null when the bytes are not all there. */
function split(bytes: Uint8Array, kept: KeptChunk[]): SpeechChunk[] | null {
  const whole = bytes.slice().buffer;
  let offset = 0;
  const chunks: SpeechChunk[] = [];
  for (const { samples, ...rest } of kept) {
    if (offset + samples * bytesPerSample > whole.byteLength) return null;
    chunks.push({ ...rest, pcm: new Int16Array(whole, offset, samples) });
    offset += samples * bytesPerSample;
  }
  return chunks;
}
