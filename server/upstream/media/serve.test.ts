import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { speechLike, toPcm } from "../../../tests/support/sounds";
import { encodeMp3 } from "../../speech/recording/formats/mp3-encoder";
import { encodeWav } from "../../speech/recording/formats/wav";
import { createDiskStore } from "./disk";
import type { MediaFile } from "./files";
import { createLabel } from "./label/content";
import { labelAudio } from "./label/label";
import { parseRange, type ServeRequest, serveFile } from "./serve";
import type { MediaStore } from "./store";

const pcm = toPcm(speechLike({ seconds: 1 }));
const plain = { wav: encodeWav(pcm, 22_050), mp3: await encodeMp3(pcm, 22_050) };
const label = createLabel({ producer: "producer", produceId: "77" });

let root: string;
let store: MediaStore;
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), "serve-"));
  store = await createDiskStore(root);
});
afterAll(() => rm(root, { recursive: true, force: true }));

async function stored(bytes: Uint8Array, given: Partial<MediaFile> = {}): Promise<MediaFile> {
  const format = given.format ?? "wav";
  const file: MediaFile = {
    id: "abc",
    owner: "visitor:1",
    is_public: false,
    kind: "speech",
    mime: "audio/wav",
    bytes: bytes.length,
    storage_key: `speech/ab/abc.${format}`,
    produce_id: "77",
    label_time: new Date(),
    created_at: new Date(),
    expires_at: null,
    ...given,
    format,
  };
  await store.put(file.storage_key, bytes);
  return file;
}

async function answer(file: MediaFile, request?: ServeRequest) {
  const { status, headers, stream } = await serveFile(store, file, request);
  return { status, headers, bytes: stream ? await buffer(stream) : null };
}

describe("a served audio file", () => {
  test("is complete with its type, length and ETag", async () => {
    const bytes = await labelAudio(plain.wav, "wav", label);
    const served = await answer(await stored(bytes));
    expect(served).toMatchObject({
      status: 200,
      headers: { "content-type": "audio/wav", "content-length": String(bytes.length), etag: '"abc"' },
    });
    expect(served.bytes?.equals(bytes)).toBe(true);
  });

  test.each([
    ["bytes=0-99", 0, 99],
    ["bytes=1000-", 1000, -1],
    ["bytes=-1", -1, -1],
    ["bytes=-10", -10, -1],
    ["bytes=40-99999999", 40, -1],
  ])("is partial for %s", async (range, from, to) => {
    const bytes = await labelAudio(plain.mp3, "mp3", label);
    const at = (place: number) => (place < 0 ? bytes.length + place : place);
    const served = await answer(await stored(bytes, { format: "mp3", mime: "audio/mpeg" }), { range });
    expect(served.status).toBe(206);
    expect(served.headers["content-range"]).toBe(`bytes ${at(from)}-${at(to)}/${bytes.length}`);
    expect(served.headers["content-length"]).toBe(String(at(to) - at(from) + 1));
    expect(served.bytes?.equals(bytes.subarray(at(from), at(to) + 1))).toBe(true);
  });

  test("obeys conditional and range headers", async () => {
    const bytes = await labelAudio(plain.wav, "wav", label);
    const file = await stored(bytes);
    const range = "bytes=0-9";
    expect(await answer(file, { range: `bytes=${bytes.length}-` })).toMatchObject({
      status: 416,
      headers: { "content-range": `bytes */${bytes.length}` },
      bytes: null,
    });
    expect(await answer(file, { ifNoneMatch: 'W/"x", "abc"' })).toMatchObject({ status: 304, bytes: null });
    expect(await answer(file, { range, ifRange: '"abc"' })).toMatchObject({ status: 206 });
    expect(await answer(file, { range, ifRange: '"old"' })).toMatchObject({ status: 200 });
    expect(await answer(file, { headOnly: true })).toMatchObject({ status: 200, bytes: null });
    expect(await answer(file, { range: "bytes=0-1,4-5" })).toMatchObject({ status: 200 });
  });

  test("has a range within the file, no range or a refusal for any range header", () => {
    const header = fc.oneof(
      fc.string(),
      fc.tuple(fc.nat(30), fc.nat(30)).map(([first, last]) => `bytes=${first}-${last}`),
    );
    fc.assert(
      fc.property(header, fc.integer({ min: 0, max: 25 }), (text, size) => {
        const range = parseRange(text, size);
        if (range === null || range === "unsatisfiable") return;
        expect(range.start).toBeGreaterThanOrEqual(0);
        expect(range.start).toBeLessThanOrEqual(range.end);
        expect(range.end).toBeLessThan(size);
      }),
    );
  });
});

describe("generated speech without its label", () => {
  test.each<[string, () => Promise<MediaFile>]>([
    ["no label in WAV", async () => stored(plain.wav)],
    ["no label in MP3", async () => stored(plain.mp3, { format: "mp3" })],
    ["an empty label", async () => stored(Buffer.concat([plain.wav, Buffer.from("AIGC\0\0\0\0")]))],
    ["an empty tag", async () => stored(Buffer.from("ID3\x03\0\0\0\0\0\0"), { format: "mp3" })],
    ["an empty file", async () => stored(new Uint8Array(0))],
    ["no audio at all", async () => stored(Buffer.from("not audio"))],
    ["another file's label", async () => stored(await labelAudio(plain.wav, "wav", { ...label, ProduceID: "78" }))],
    ["a label that denies", async () => stored(await labelAudio(plain.wav, "wav", { ...label, Label: "2" }))],
    [
      "a damaged label",
      async () => {
        const bytes = Buffer.from(await labelAudio(plain.wav, "wav", label));
        bytes.write("[", bytes.lastIndexOf("{"));
        return stored(bytes);
      },
    ],
    [
      "two labels",
      async () => {
        const one = await labelAudio(plain.wav, "wav", label);
        return stored(Buffer.concat([one, one.subarray(plain.wav.length)]));
      },
    ],
    ["a file cut short", async () => ({ ...(await stored(await labelAudio(plain.wav, "wav", label))), bytes: 9 })],
  ])("is refused: %s", async (_, make) => {
    const file = await make();
    for (const range of [undefined, "bytes=0-1", "bytes=-1"]) {
      await expect(serveFile(store, file, { range })).rejects.toMatchObject({ code: "failure", status: 500 });
    }
  });

  test("is distinguished from a recording, which needs no label", async () => {
    const file = await stored(plain.wav, { kind: "recording", produce_id: null, label_time: null });
    expect(await answer(file)).toMatchObject({ status: 200 });
  });

  test("is not found if its bytes are missing", async () => {
    const file = await stored(plain.wav, { storage_key: "speech/ab/gone.wav" });
    await store.remove(file.storage_key);
    await expect(serveFile(store, file)).rejects.toMatchObject({ code: "not-found", status: 404 });
  });
});
