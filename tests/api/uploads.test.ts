import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import sharp from "sharp";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { findFfmpeg } from "~server/settings/installed";
import { encodeWav } from "~server/speech/recording/formats/wav";
import type { Recording } from "~server/upstream/voices/recordings";
import { ruleEngines } from "../support/database";
import {
  amplified,
  clipped,
  mixed,
  music,
  noise,
  pinkNoise,
  type Sound,
  silence,
  speechLike,
  toPcm,
} from "../support/sounds";
import { createVisitor, openTestUpstream, recordingForm, type TestUpstream } from "../support/upstream";

const ffmpegPath = findFfmpeg(undefined, process.env.PATH);
/** File name, and what ffmpeg writes there. */
const phoneFormats: Array<[string, string[]]> = [
  ["voice.m4a", ["-c:a", "aac", "-b:a", "64k", "-f", "ipod"]],
  ["lossless.m4a", ["-c:a", "alac", "-f", "ipod"]],
  ["voice.aac", ["-c:a", "aac", "-f", "adts"]],
  ["voice.3gp", ["-c:a", "aac", "-f", "3gp"]],
  ["memo.caf", ["-c:a", "alac", "-f", "caf"]],
];

function encodePhoneFile(options: string[]): BlobPart {
  const folder = mkdtempSync(join(tmpdir(), "phone-"));
  const [from, to] = [join(folder, "in.wav"), join(folder, "out")];
  const { samples, sampleRate } = speechLike({ seconds: 6, seed: 3, sampleRate: 44_100 });
  writeFileSync(from, encodeWav(toPcm({ samples, sampleRate }), sampleRate));
  const made = spawnSync("ffmpeg", ["-v", "error", "-i", from, ...options, to]);
  if (made.status !== 0) throw new Error(String(made.stderr));
  const bytes = readFileSync(to);
  rmSync(folder, { recursive: true });
  return bytes;
}

describe.each(ruleEngines)("the upload call on %s", (engine) => {
  let upstream: TestUpstream;
  beforeAll(async () => {
    upstream = await openTestUpstream(engine, { uploadMaxBytes: 2 * 1024 * 1024 }, { settings: { ffmpegPath } });
  });
  afterAll(() => upstream.close());

  const visitor = () => createVisitor(upstream.services);
  const formOf = (bytes: BlobPart, name = "a.bin", fields: Record<string, string> = {}) => {
    const form = new FormData();
    for (const [field, value] of Object.entries(fields)) form.append(field, value);
    form.append("file", new Blob([bytes]), name);
    return form;
  };

  it("stores a recording for its owner only", async () => {
    const owner = visitor();
    const { status, code, data } = await owner.upload<Recording>("/file/uploadCustom", recordingForm());
    expect({ status, code }).toEqual({ status: 200, code: 0 });
    expect(data).toMatchObject({ name: "我的录音.wav", quality: { tips: expect.any(Array) } });
    expect(data.duration).toBeCloseTo(6, 1);
    expect(data.createdAt).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+08:00$/);
    expect(new Set([data.emotionPath, data.voicePath, data.filePath, data.url]).size).toBe(1);
    expect(["good", "usable"]).toContain(data.quality.verdict);
    const mine = await owner.file(data.url);
    expect([mine.status, mine.headers.get("content-type")]).toEqual([200, "audio/wav"]);
    expect((await mine.arrayBuffer()).byteLength).toBe(data.size);
    expect(await visitor().statusOf(data.url)).toBe(404);
  });

  it.each([
    ["silent", silence({ seconds: 5 }), "reference-silent"],
    ["too short", speechLike({ seconds: 1.2, seed: 3 }), "reference-too-short"],
    ["music", music({ seconds: 8 }), "reference-music"],
    ["noise", noise({ seconds: 6 }), "reference-no-speech"],
    ["clipped", clipped(speechLike({ seconds: 6, seed: 3 }), 30), "reference-clipped"],
  ])("refuses a recording that is %s with its reason and its measurements", async (_, sound, reason) => {
    const { status, code, msg, data } = await visitor().upload("/file/uploadCustom", recordingForm(sound));
    expect({ status, code, msg }).toEqual({ status: 200, code: 7, msg: reason });
    expect(data).toMatchObject({ reason, tip: reason.replace("reference-", ""), quality: { verdict: "refused" } });
  });

  it.runIf(ffmpegPath).each(phoneFormats)("keeps a recording of a phone as WAV: %s", async (name, options) => {
    const answer = await visitor().upload<Recording>("/file/uploadCustom", formOf(encodePhoneFile(options), name));
    expect(answer).toMatchObject({ code: 0, data: { mime: "audio/wav", name } });
    expect(answer.data.duration).toBeCloseTo(6, 0);
    expect(["good", "usable"]).toContain(answer.data.quality.verdict);
  });

  it("takes the noise out of a recording where the caller asks for it, and keeps the original", async () => {
    const owner = visitor();
    const noisy = (level: number) =>
      mixed(
        speechLike({ seconds: 6, seed: 3, sampleRate: 48_000 }),
        amplified(pinkNoise({ seconds: 6, seed: 5, sampleRate: 48_000 }), level),
      );
    const send = async (sound: Sound, fields: Record<string, string>) => {
      const form = recordingForm(sound);
      for (const [field, value] of Object.entries(fields)) form.append(field, value);
      return owner.upload<Recording & { originalPath: string }>("/file/uploadCustom", form);
    };
    const usable = noisy(0.03);
    const { data: plain } = await send(usable, {});
    const { data: cleaned } = await send(usable, { denoise: "true" });
    expect(plain.originalPath).toBeUndefined();
    expect(cleaned.quality.snrDb).toBeGreaterThan(plain.quality.snrDb + 6);
    expect(cleaned.duration).toBeCloseTo(plain.duration, 1);
    const kept = await owner.file(cleaned.originalPath);
    expect(Buffer.from(await kept.arrayBuffer())).toEqual(Buffer.from(encodeWav(toPcm(usable), usable.sampleRate)));
    expect(await visitor().statusOf(cleaned.originalPath)).toBe(404);

    expect(await send(noisy(0.12), {})).toMatchObject({ msg: "reference-noisy" });
    expect(await send(noisy(0.12), { denoise: "true" })).toMatchObject({ code: 0, data: { originalPath: "" } });
  });

  it.each([
    ["Windows Media", Buffer.from("3026b2758e66cf11a6d900aa0062ce6c", "hex")],
    ["a damaged AMR", Buffer.from("#!AMR\nnothing")],
  ])("names a format that it cannot read: %s", async (_, bytes) => {
    const answer = await visitor().upload("/file/uploadCustom", formOf(bytes));
    expect(answer).toMatchObject({ status: 200, code: 7, msg: "reference-format" });
  });

  it.each([
    ["text", Buffer.from("not audio at all"), "reference-not-audio"],
    ["nothing", Buffer.alloc(0), "reference-not-audio"],
  ])("refuses a file of %s", async (_, bytes, reason) => {
    const answer = await visitor().upload("/file/uploadCustom", formOf(bytes));
    expect(answer).toMatchObject({ status: 200, code: 7, msg: reason, data: { reason } });
  });

  it("returns 413 for a file over the limit, declared or not, and stores nothing", async () => {
    const big = formOf(Buffer.alloc(3 * 1024 * 1024));
    expect(await visitor().upload("/file/uploadCustom", big)).toMatchObject({ status: 413, code: 7, msg: "too-large" });
    const declared = { "content-length": String(200 * 1024 * 1024) };
    const answer = await visitor().upload("/file/uploadCustom", formOf(Buffer.alloc(10)), declared);
    expect(answer).toMatchObject({ status: 413, msg: "too-large" });
    expect(await readdir(`${upstream.dataDir}/uploads`)).toEqual([]);
  });

  it.each([
    ["no file", () => new FormData(), {}],
    ["another part", () => formOf("x"), { "content-type": "multipart/form-data; boundary=other" }],
  ])("refuses a body with %s", async (_, form, headers) => {
    const answer = await visitor().upload("/file/uploadCustom", form(), headers);
    expect(answer).toMatchObject({ status: 400, code: 7, msg: "bad-request" });
  });

  it("stores nothing of an interrupted upload", async () => {
    const start = `--b\r\ncontent-disposition: form-data; name="file"; filename="a.wav"\r\n\r\nRIFF`;
    const headers = {
      appid: "test-app",
      "x-visitor-id": "visitor-1",
      "content-type": "multipart/form-data; boundary=b",
    };
    const cut = new Request("http://upstream/api/v1/file/uploadCustom", { method: "POST", headers, body: start });
    expect((await upstream.services.fetch(cut)).status).toBe(400);
    const body = new ReadableStream({
      start: (controller) => controller.enqueue(Buffer.from(start)),
      pull: (controller) => controller.error(new Error("connection lost")),
    });
    const init = { method: "POST", headers, body, duplex: "half" };
    const lost = new Request("http://upstream/api/v1/file/uploadCustom", init as RequestInit);
    expect((await upstream.services.fetch(lost)).status).toBe(400);
    expect(await readdir(`${upstream.dataDir}/uploads`)).toEqual([]);
  });

  it("refuses a caller without visitor id and an unknown token", async () => {
    const anonymous = await visitor().upload("/file/uploadCustom", recordingForm(), { "x-visitor-id": "" });
    expect(anonymous).toMatchObject({ status: 400, code: 7 });
    const stale = await visitor().upload("/file/uploadCustom", recordingForm(), { token: "stale" });
    expect(stale).toMatchObject({ status: 200, code: 5, msg: "login-expired" });
  });

  it("stores one recording for one idempotency key", async () => {
    const owner = visitor();
    const key = { "idempotency-key": "upload-1" };
    const answers = await Promise.all(
      [1, 2, 3].map(() => owner.upload<Recording>("/file/uploadCustom", recordingForm(), key)),
    );
    expect(new Set(answers.map(({ data }) => data.url)).size).toBe(1);
    const { data } = await owner.upload<Recording>("/file/uploadCustom", recordingForm());
    expect(data.url).not.toBe(answers[0]?.data.url);
  });

  it("sanitises the file name", async () => {
    const { data } = await visitor().upload<Recording>(
      "/file/uploadCustom",
      recordingForm(undefined, "..\\..\\秘密/..%2f声音.wav"),
    );
    expect(data.name).toBe("..%2f声音.wav");
  });

  it("accepts audio and images by their type", async () => {
    const form = recordingForm();
    form.append("type", "audio");
    const audio = await visitor().upload("/file/upload", form);
    expect(audio).toMatchObject({ code: 0, data: { mime: "audio/wav", duration: expect.any(Number) } });

    const png = await sharp({ create: { width: 3000, height: 20, channels: 3, background: "red" } })
      .png()
      .toBuffer();
    const owner = visitor();
    const image = await owner.upload<{ url: string }>(
      "/file/upload",
      formOf(new Uint8Array(png), "a.png", { type: "image" }),
    );
    expect(image).toMatchObject({ code: 0, data: { mime: "image/webp", name: "a.png" } });
    const served = await owner.file(image.data.url);
    expect(served.headers.get("content-type")).toBe("image/webp");
    expect((await sharp(Buffer.from(await served.arrayBuffer())).metadata()).width).toBe(1024);
  });

  it("refuses files that are not images, SVG included", async () => {
    const svg = formOf("<svg xmlns='http://www.w3.org/2000/svg'/>", "a.svg", { type: "image" });
    expect(await visitor().upload("/file/upload", svg)).toMatchObject({ code: 7, msg: "image-unreadable" });
    expect(await visitor().upload("/file/upload", recordingForm())).toMatchObject({ status: 400, code: 7 });
  });
});
