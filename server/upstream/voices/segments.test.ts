import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { openTestDatabase, testEngines } from "../../../tests/support/database";
import type { SpeechChunk, VoiceProfile } from "../../speech/engine";
import type { DatabaseHandle } from "../db/database";
import type { Blobs } from "../media/store";
import type { Voice } from "./ports";
import { createSegmentCache, hashOfVoice, type SegmentCache } from "./segments";

const chunks: SpeechChunk[] = [{ pcm: Int16Array.of(1, 2, 3), sampleRate: 16_000 }];
const designed: Voice = { profile: { engine: "e", version: "1", parameters: "numbers" }, recordingId: null };

describe.each(testEngines)("cached segments on %s", (engine) => {
  let handle: DatabaseHandle;
  let segments: SegmentCache;
  const stored = new Map<string, Uint8Array>();
  /** Runs while the next bytes are being stored. */
  let meanwhile: (() => Promise<void>) | undefined;
  const blobs: Blobs = {
    async put(key, bytes) {
      const act = meanwhile;
      meanwhile = undefined;
      await act?.();
      stored.set(key, bytes);
    },
    get: async (key) => stored.get(key) ?? null,
    remove: async (key) => void stored.delete(key),
  };
  beforeAll(async () => {
    handle = await openTestDatabase(engine);
    segments = createSegmentCache({ db: handle.db, blobs });
  });
  beforeEach(async () => {
    meanwhile = undefined;
    stored.clear();
    await handle.db.deleteFrom("segment").execute();
  });
  afterAll(() => handle.close());

  const rows = async () => (await handle.db.selectFrom("segment").select("fingerprint").execute()).length;
  const nextVoice = (): VoiceProfile => ({ engine: "e", version: "1", parameters: randomUUID() });
  const record = async (profile = nextVoice()): Promise<Voice> => {
    const place = { owner: "account:1", name: "a", file_id: randomUUID(), url: "", duration_ms: 1, quality: "{}" };
    const { id } = await handle.db
      .insertInto("recording")
      .values({ ...place, voice_hash: hashOfVoice(profile) })
      .returning("id")
      .executeTakeFirstOrThrow();
    return { profile, recordingId: id };
  };
  const erase = async ({ recordingId, profile }: Voice) => {
    await handle.db.transaction().execute(async (trx) => {
      await trx.deleteFrom("recording").where("id", "=", recordingId).execute();
      await segments.forgetVoices(trx, [hashOfVoice(profile)]);
    });
    await segments.sweep();
  };

  it("are found by fingerprint for recorded and designed voices", async () => {
    for (const voice of [await record(), designed]) {
      const fingerprint = randomUUID();
      await segments.store(fingerprint, chunks, { voice });
      expect(await segments.find(fingerprint)).toEqual(chunks);
    }
  });

  it("are not stored if the voice or the tone was deleted during synthesis", async () => {
    const voice = await record();
    await erase(voice);
    await segments.store("a", chunks, { voice });
    await segments.store("b", chunks, { voice: designed, tone: voice });
    expect([await rows(), stored.size]).toEqual([0, 0]);
  });

  it("are not stored if the voice was enrolled again during synthesis", async () => {
    const { recordingId } = await record();
    await segments.store("a", chunks, { voice: { recordingId, profile: nextVoice() } });
    expect([await rows(), stored.size]).toEqual([0, 0]);
  });

  it("are removed if the voice or the tone is deleted while their bytes are being stored", async () => {
    const [voice, tone] = [await record(), await record()];
    meanwhile = () => erase(voice);
    await segments.store("a", chunks, { voice });
    meanwhile = () => erase(tone);
    await segments.store("b", chunks, { voice: designed, tone });
    expect([await rows(), stored.size]).toEqual([0, 0]);
  });

  it("are removed with their voice and with the voice of their tone", async () => {
    const [voice, tone] = [await record(), await record()];
    await segments.store("a", chunks, { voice });
    await segments.store("b", chunks, { voice: designed, tone });
    await erase(voice);
    expect([await segments.find("a"), await segments.find("b")]).toEqual([null, chunks]);
    await erase(tone);
    expect([await rows(), stored.size]).toEqual([0, 0]);
  });

  it("are not restored by a lookup before the sweep", async () => {
    const voice = await record();
    await segments.store("a", chunks, { voice });
    await handle.db.transaction().execute((trx) => segments.forgetVoices(trx, [hashOfVoice(voice.profile)]));
    expect(await segments.find("a")).toBeNull();
    await segments.sweep();
    expect([await rows(), stored.size]).toEqual([0, 0]);
  });

  it("are stored again for another recording of the same voice until it is deleted", async () => {
    const voice = await record();
    const other = await record(voice.profile);
    await segments.store("a", chunks, { voice });
    await erase(voice);
    await segments.store("a", chunks, { voice: other });
    expect(await segments.find("a")).toEqual(chunks);
    await erase(other);
    expect([await rows(), stored.size]).toEqual([0, 0]);
  });

  it("are stored by one writer at a time and by another one after the first died", async () => {
    meanwhile = async () => {
      await segments.store("a", [], { voice: designed });
      expect(await segments.find("a")).toBeNull();
    };
    await segments.store("a", chunks, { voice: designed });
    expect(await segments.find("a")).toEqual(chunks);
    await handle.db.updateTable("segment").set({ keeping_since: longAgo }).execute();
    expect(await segments.find("a")).toBeNull();
    await segments.store("a", chunks, { voice: designed });
    expect(await segments.find("a")).toEqual(chunks);
  });

  it("leave neither row nor bytes if the writer died or the store failed", async () => {
    meanwhile = () => Promise.reject(new Error("the store is away"));
    await expect(segments.store("a", chunks, { voice: designed })).rejects.toThrow("the store is away");
    expect([await rows(), stored.size]).toEqual([0, 0]);
    await segments.store("a", chunks, { voice: designed });
    await handle.db.updateTable("segment").set({ keeping_since: longAgo }).execute();
    await segments.sweep();
    expect([await rows(), stored.size]).toEqual([0, 0]);
  });

  it("leave neither row nor bytes after concurrent writes and deletions", async () => {
    const profile = nextVoice();
    const voices = [await record(profile), await record(profile), await record(), await record()];
    const keepAll = (voice: Voice, i: number) =>
      Promise.all([1, 2, 3].map((n) => segments.store(`${n}`, chunks, { voice, tone: voices[(i + 1) % 4] })));
    await Promise.all(voices.flatMap((voice, i) => [keepAll(voice, i), erase(voice), keepAll(voice, i)]));
    await segments.sweep();
    expect([await rows(), stored.size]).toEqual([0, 0]);
  });
});

const longAgo = sql<Date>`now() - interval '11 minutes'`;
