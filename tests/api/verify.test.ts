import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { createMp3Encoder } from "wasm-media-encoders";
import type { CallData } from "~server/contract/calls/table";
import { verifyMaxBytes } from "~server/contract/limits";
import { createLabel } from "~server/upstream/media/label/content";
import { labelAudio, readLabels } from "~server/upstream/media/label/label";
import { decodeRecording } from "~server/upstream/speech/recording/decode";
import { encodeWav } from "~server/upstream/speech/recording/formats/wav";
import { deleteAccount, logIn } from "../support/account";
import { testEngines } from "../support/database";
import { downloadOf } from "../support/downloads";
import { roomInWindow } from "../support/rate-window";
import { amplified, music, noise, type Sound, silence, speechLike, toPcm } from "../support/sounds";
import { createTalkingSpeech } from "../support/talking-speech";
import { createTrial, firstRoleId, settledTrial } from "../support/trial";
import { createVisitor, openTestUpstream, type TestUpstream, type Visitor } from "../support/upstream";

type Verified = CallData<"verify">;

const story = "昨天晚上我和朋友一起去看了一场精彩的足球比赛，大家都非常高兴，回来的路上还下起了小雨。";
const hasFfmpeg = (() => {
  try {
    execFileSync("ffmpeg", ["-version"], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
})();

describe.each(testEngines)("verify on %s", (engine) => {
  let upstream: TestUpstream;
  let owner: Visitor;
  let exported: { mp3: Uint8Array<ArrayBuffer>; wav: Uint8Array<ArrayBuffer>; play: Uint8Array<ArrayBuffer> };
  let sound: Sound;
  beforeAll(async () => {
    upstream = await openTestUpstream(engine, { speech: createTalkingSpeech() });
    upstream.services.startWorker();
    owner = createVisitor(upstream.services);
    exported = await speak(owner, story);
    const { samples, sampleRate } = await decodeRecording(exported.wav);
    sound = { samples, sampleRate };
  });
  afterAll(() => upstream.close());

  async function speak(visitor: Visitor, content: string) {
    const { data } = await createTrial(visitor, { content, roleId: await firstRoleId(visitor) });
    const { voiceUrl, downloads, status } = await settledTrial(visitor, data.taskId);
    expect(status).toBe(2);
    const bytesOf = async (url = "") => new Uint8Array(await (await visitor.file(url)).arrayBuffer());
    return {
      play: await bytesOf(voiceUrl),
      mp3: await bytesOf(downloadOf({ downloads }, "mp3")),
      wav: await bytesOf(downloadOf({ downloads }, "wav")),
    };
  }

  const ask = (bytes: Uint8Array<ArrayBuffer>, visitor = createVisitor(upstream.services)) => {
    const form = new FormData();
    form.append("file", new Blob([bytes]), "文件.bin");
    return visitor.upload<Verified>("/verify", form);
  };
  const verdict = async (bytes: Uint8Array<ArrayBuffer>) => {
    const { code, data } = await ask(bytes);
    expect(code).toBe(0);
    return data;
  };
  const wavOf = (of: Sound) => new Uint8Array(encodeWav(toPcm(of), of.sampleRate));
  const labelOf = async (bytes: Uint8Array) => {
    const [label] = await readLabels(bytes);
    if (!label || label === "damaged") throw new Error("no label");
    return label.ProduceID;
  };

  it.each(["play", "mp3", "wav"] as const)("knows %s as it left by its label", async (format) => {
    const before = Date.now();
    const { ours, labelled, contentId, generatedAt, by } = await verdict(exported[format]);
    expect({ ours, labelled, by }).toEqual({ ours: true, labelled: true, by: "label" });
    expect(contentId).toBe(await labelOf(exported[format]));
    expect(generatedAt).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+08:00$/);
    expect(Math.abs(before - Date.parse(generatedAt))).toBeLessThan(120_000);
  });

  it.each([32, 64, 128, 320] as const)("knows it as MP3 of %i kbit/s without a label", async (kbps) => {
    const bytes = await mp3Of(sound, kbps);
    const answer = await verdict(bytes);
    expect(answer).toMatchObject({ ours: true, labelled: false, by: "fingerprint" });
    expect([await labelOf(exported.play), await labelOf(exported.mp3), await labelOf(exported.wav)]).toContain(
      answer.contentId,
    );
  });

  it.each([
    ["12 dB softer", () => amplified(sound, 0.25)],
    ["12 dB louder, cut off at the top", () => amplified(sound, 4)],
    ["with noise", () => addNoise(sound, 0.01)],
    ["five seconds of it", () => ({ ...sound, samples: sound.samples.slice(50_000, 50_000 + 5 * sound.sampleRate) })],
    ["behind somebody's music", () => ({ ...sound, samples: joined(music({ seconds: 6 }).samples, sound.samples) })],
  ])("knows it %s", async (_, change) => {
    expect(await verdict(wavOf(change()))).toMatchObject({ ours: true, by: "fingerprint" });
  });

  const recodings: Array<[string, string[]]> = [
    ["Opus of 12 kbit/s", ["-c:a", "libopus", "-b:a", "12k", "out.ogg"]],
    ["Opus of 64 kbit/s", ["-c:a", "libopus", "-b:a", "64k", "out.ogg"]],
    ["telephone quality", ["-ar", "8000", "-b:a", "16k", "out.mp3"]],
    ["48 kHz", ["-ar", "48000", "out.wav"]],
    ["a FLAC file", ["out.flac"]],
    ["a WebM recording", ["-c:a", "libopus", "out.webm"]],
  ];
  it.skipIf(!hasFfmpeg).each(recodings)("knows it as %s", async (_, how) => {
    const folder = mkdtempSync(join(tmpdir(), "test-verify-"));
    const [source, output] = [join(folder, "in.wav"), join(folder, how.at(-1) as string)];
    writeFileSync(source, exported.wav);
    execFileSync("ffmpeg", ["-y", "-loglevel", "error", "-i", source, ...how.slice(0, -1), output]);
    const answer = await verdict(new Uint8Array(readFileSync(output)));
    rmSync(folder, { recursive: true });
    expect(answer).toMatchObject({ ours: true, by: "fingerprint" });
  });

  it("never calls it another's when it was made faster and higher", async () => {
    const tape = { ...sound, sampleRate: Math.round(sound.sampleRate * 1.06) };
    expect((await verdict(wavOf(tape))).ours).not.toBe(false);
  });

  it("cannot tell from a stranger's sound whose label is damaged", async () => {
    const other = wavOf(speechLike({ seconds: 9, seed: 82 }));
    const label = createLabel({ producer: "shengxiang", produceId: "0".repeat(32) });
    const labelled = Buffer.from(await labelAudio(other, "wav", label));
    labelled.write("?", labelled.indexOf('"Label"'), "latin1");
    expect(await verdict(new Uint8Array(labelled))).toMatchObject({ ours: null, labelled: null, by: null });
  });

  it("says no to somebody else's speech", async () => {
    const other = wavOf(speechLike({ seconds: 9, seed: 77, pitchHz: 150 }));
    const answer = { ours: false, labelled: false, generatedAt: "", contentId: "", by: null };
    expect(await verdict(other)).toEqual(answer);
  });

  it.each([
    ["silence", () => silence({ seconds: 8 })],
    ["a second of speech", () => speechLike({ seconds: 1.5, seed: 78 })],
  ])("cannot tell from %s", async (_, make) => {
    expect(await verdict(wavOf(make()))).toMatchObject({ ours: null, by: null });
  });

  it("does not believe a label that names what was never made here", async () => {
    const label = createLabel({ producer: "shengxiang", produceId: "0".repeat(32) });
    const other = wavOf(speechLike({ seconds: 9, seed: 79 }));
    expect(await verdict(new Uint8Array(await labelAudio(other, "wav", label)))).toMatchObject({
      ours: false,
      labelled: true,
      contentId: "",
    });
  });

  it("cannot tell where a label of ours stands on another sound", async () => {
    const label = createLabel({ producer: "shengxiang", produceId: await labelOf(exported.mp3) });
    const other = wavOf(speechLike({ seconds: 9, seed: 80 }));
    expect(await verdict(new Uint8Array(await labelAudio(other, "wav", label)))).toMatchObject({
      ours: null,
      labelled: true,
      contentId: "",
      by: null,
    });
  });

  it("knows what was deleted with its account", async () => {
    const member = await logIn(upstream.services);
    const gone = await speak(member, "这一句话说完以后，账号就会被删除，声音文件也会一起被删除，再也找不回来。");
    expect((await deleteAccount(upstream, member)).code).toBe(0);
    const bare = await decodeRecording(gone.wav);
    expect(await verdict(gone.wav)).toMatchObject({ ours: true, by: "label" });
    expect(await verdict(wavOf(bare))).toMatchObject({ ours: true, by: "fingerprint" });
    const kept = await upstream.database().selectFrom("media_file").select("id").where("owner", "like", "account:%");
    expect(await kept.execute()).toEqual([]);
  });

  it("never says no while something is not remembered, and makes up for it", async () => {
    const db = upstream.database();
    const id = await labelOf(exported.play);
    await db.updateTable("content").set({ fingerprint_id: null }).where("content_id", "=", id).execute();
    const stranger = wavOf(speechLike({ seconds: 9, seed: 81 }));
    expect(await verdict(stranger)).toMatchObject({ ours: null });
    await upstream.restart();
    upstream.services.startWorker();
    const known = upstream.database().selectFrom("content").select("fingerprint_id").where("content_id", "=", id);
    await vi.waitFor(async () => expect((await known.executeTakeFirst())?.fingerprint_id).not.toBeNull(), 150_000);
    expect(await verdict(stranger)).toMatchObject({ ours: false });
  });

  it("refuses what is no audio", async () => {
    const text = new Uint8Array(Buffer.from("这不是音频。".repeat(200)));
    expect(await ask(text)).toMatchObject({ code: 7, msg: "reference-not-audio" });
  });

  it("cannot tell from what it cannot decode", async () => {
    const broken = new Uint8Array(Buffer.concat([Buffer.from("RIFF\0\0\0\0WAVEdata"), Buffer.alloc(400)]));
    const aac = new Uint8Array(Buffer.concat([Buffer.from("\0\0\0\x20ftypM4A "), Buffer.alloc(400)]));
    for (const bytes of [broken, aac]) expect(await verdict(bytes)).toMatchObject({ ours: null, by: null });
  });

  it("refuses what is too large, and one who asks too often", async () => {
    const visitor = createVisitor(upstream.services);
    const large = await ask(new Uint8Array(verifyMaxBytes + 100_000), visitor);
    expect(large).toMatchObject({ status: 413, msg: "too-large" });
    const tiny = wavOf(silence({ seconds: 0.1 }));
    const codes = [];
    await roomInWindow(600);
    for (let i = 0; i < 41; i++) codes.push((await ask(tiny, visitor)).status);
    expect(codes.slice(0, 38).every((status) => status === 200)).toBe(true);
    expect(codes.at(-1)).toBe(429);
  });
});

async function mp3Of({ samples, sampleRate }: Sound, bitrate: 32 | 64 | 128 | 320) {
  const encoder = await createMp3Encoder();
  // Layer III has 320 kbit/s at the higher rates alone.
  encoder.configure({ sampleRate, channels: 1, bitrate, outputSampleRate: bitrate > 128 ? 44_100 : 24_000 });
  const parts = [encoder.encode([samples]).slice(), encoder.finalize().slice()];
  return new Uint8Array(Buffer.concat(parts));
}

const addNoise = (sound: Sound, level: number): Sound => {
  const { samples } = noise({ seconds: sound.samples.length / sound.sampleRate, sampleRate: sound.sampleRate, level });
  return { ...sound, samples: sound.samples.map((value, i) => value + (samples[i] ?? 0)) };
};

const joined = (...parts: Float32Array[]) => Float32Array.from(parts.flatMap((part) => [...part]));
