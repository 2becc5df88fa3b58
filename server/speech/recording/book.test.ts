import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { ALL_FORMATS, BufferSource, EncodedPacketSink, Input } from "mediabunny";
import { afterAll, beforeAll, expect, test } from "vitest";
import { readMp4Book } from "../../../tests/support/mp4-book";
import { speechLike, toPcm } from "../../../tests/support/sounds";
import { type BookRequest, convertSound } from "./conversion";
import { encodeWav } from "./formats/wav";

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "book-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const wavOf = (seconds: number, sampleRate = 22_050) =>
  Buffer.concat([encodeWav(toPcm(speechLike({ seconds, sampleRate })), sampleRate)]);

const request: BookRequest = { title: "山中", author: "", coverPath: null, maxSeconds: 20, chapters: [] };
async function makeBook(wavs: Buffer[], book: Partial<BookRequest>) {
  const to = join(folder, `${Math.random()}.m4b`);
  const labelRoom = "-".repeat(1024);
  await convertSound(Readable.from(wavs), { format: "m4b", labelRoom, to, book: { ...request, ...book } });
  return readFile(to);
}

async function lengthOf(bytes: Buffer): Promise<number> {
  const input = new Input({ source: new BufferSource(bytes), formats: ALL_FORMATS });
  const track = await input.getPrimaryAudioTrack();
  let end = 0;
  if (track)
    for await (const packet of new EncodedPacketSink(track).packets()) end = packet.timestamp + packet.duration;
  return end;
}

test("sounds become one audiobook with the chapters of both lists, tags and a cover", async () => {
  const cover = Buffer.concat([Buffer.from("ffd8ffe0", "hex"), Buffer.alloc(300_000, 7)]);
  const coverPath = join(folder, "cover.jpg");
  await writeFile(coverPath, cover);
  const chapters = [
    { sound: 0, startMs: 0, title: "第一章 雾" },
    { sound: 1, startMs: 0, title: "第二章 雨" },
    { sound: 1, startMs: 1500, title: "尾声" },
  ];
  const bytes = await makeBook([wavOf(2), wavOf(3)], { author: "佚名", coverPath, chapters });
  const book = readMp4Book(bytes);
  const expected = [
    [0, "第一章 雾"],
    [2, "第二章 雨"],
    [3.5, "尾声"],
  ];
  expect(book).toMatchObject({ brand: "M4B ", title: "山中", author: "佚名", track: expected, list: expected });
  expect(book.cover?.equals(cover)).toBe(true);
  expect(await lengthOf(bytes)).toBeCloseTo(5, 0);
});

test("a sound at another rate is brought to the first one's, in place and at its length", async () => {
  const chapters = [0, 1, 2].map((sound) => ({ sound, startMs: 0, title: String(sound) }));
  const bytes = await makeBook([wavOf(1.3), wavOf(2.5, 24_000), wavOf(1, 16_000)], { chapters });
  expect(readMp4Book(bytes).track.map(([start]) => start)).toEqual([0, 1.3, 3.8]);
  expect(await lengthOf(bytes)).toBeCloseTo(4.8, 0);
});

test("chapters beyond 255 are in QuickTime's list, and long titles end at a whole character", async () => {
  const chapters = Array.from({ length: 300 }, (_, i) => ({ sound: 0, startMs: i * 5, title: "长".repeat(500) }));
  const { track, list } = readMp4Book(await makeBook([wavOf(2)], { chapters }));
  expect([track.length, list.length]).toEqual([300, 255]);
  expect([track[0]?.[1], list[0]?.[1]]).toEqual(["长".repeat(333), "长".repeat(85)]);
});

test("an audiobook of a sound that ends too early is no file", async () => {
  await expect(makeBook([wavOf(1), wavOf(2).subarray(0, 5000)], {})).rejects.toThrow("of 44100 samples");
});
