import { afterAll, describe, expect, it } from "vitest";
import { speechLike, toPcm } from "../../../tests/support/sounds";
import { hasReadableText } from "../../contract/marks";
import { findPolyphones } from "../chinese/polyphones";
import { prepareText } from "../chinese/prepare";
import { splitSegments } from "../chinese/segment";
import { SpeechError } from "../engine";
import { master } from "../mastering";
import { encode } from "../recording/encode";
import { createFingerprint } from "../recording/fingerprint/fingerprint";
import { createSpeechThreads, createThread } from "./threads";

const threads = createSpeechThreads();
afterAll(() => threads.close());

const sentence = "银行行长在长江边说，重庆的都会发展得很好。";
const dictionary = [{ word: "行长", pinyin: "xing2 zhang3" }];
const sound = speechLike({ seconds: 3, seed: 5 });
const chunk = { pcm: toPcm(sound), sampleRate: sound.sampleRate };

it("worker threads read text like the functions they call", async () => {
  expect(await threads.prepareText(sentence, { dictionary })).toEqual(prepareText(sentence, { dictionary }));
  expect(await threads.splitSegments(sentence)).toEqual(splitSegments(sentence));
  expect(await threads.findPolyphones(sentence)).toEqual(findPolyphones(sentence));
  expect(await threads.examineTexts([sentence, "#1#", "……"])).toEqual([
    { isSpoken: true, segments: splitSegments(sentence).length },
    { isSpoken: false, segments: 1 },
    { isSpoken: false, segments: 1 },
  ]);
});

it.each([
  "こんにちは、ラーメン～",
  "안녕 #0.5# 😀",
  "[重读]Привет[/重读]",
  "你好こんにちは",
  "こんにちは 3",
  "ｶﾀｶﾅ π",
  "の",
])("the page and the server agree on whether anything of %s is spoken", async (text) => {
  const [examined] = await threads.examineTexts([text]);
  expect(hasReadableText(text)).toBe(examined?.isSpoken);
});

it("worker threads master, encode and fingerprint samples like the functions they call", async () => {
  const mastered = await threads.master([chunk, chunk], { volumeDb: -3 });
  expect(mastered).toEqual(master([chunk, chunk], { volumeDb: -3 }));
  const { pcm, sampleRate } = mastered;
  for (const format of ["mp3", "wav"] as const) {
    const request = { pcm, sampleRate, format, explicitMark: true };
    expect(Buffer.from(await threads.encode(request)).equals(await encode(request))).toBe(true);
  }
  expect(await threads.print(mastered)).toEqual(createFingerprint(pcm, sampleRate));
});

it("a worker thread ends when idle, not while it works, and starts again", async () => {
  const thread = createThread({ idleMs: 1 });
  const read = () => thread.run("split", sentence);
  const both = [read(), read()];
  await both[0];
  expect(thread.isRunning).toBe(true);
  await both[1];
  await expect.poll(() => thread.isRunning).toBe(false);
  expect(await read()).toEqual(splitSegments(sentence));
  await thread.close();
});

it("worker threads reject a cancelled call at once and report which work failed", async () => {
  const leaving = new AbortController();
  const work = threads.encode({ ...chunk, format: "mp3" }, leaving.signal);
  leaving.abort();
  await expect(work).rejects.toMatchObject({ fault: "cancelled" });
  const nothing = { pcm: null as unknown as Int16Array, sampleRate: 22_050 };
  await expect(threads.print(nothing)).rejects.toBeInstanceOf(SpeechError);
  expect((await threads.encode({ ...chunk, format: "mp3" })).length).toBeGreaterThan(1000);
});

describe("the event loop goes on turning while a worker thread", () => {
  const text = sentence.repeat(1000).slice(0, 20_000);
  const pcm = new Int16Array(chunk.sampleRate * 60).map((_, i) => chunk.pcm[i % chunk.pcm.length] ?? 0);
  const minute = { ...chunk, pcm };
  it.each<[string, () => Promise<unknown>]>([
    ["reads a long text", () => threads.prepareText(text.slice(0, 5000))],
    ["finds its polyphones", () => threads.findPolyphones(text.slice(0, 5000))],
    ["examines texts", () => threads.examineTexts([text, text])],
    ["masters a minute of sound", () => threads.master([minute])],
    ["encodes it as MP3", () => threads.encode({ ...minute, format: "mp3" })],
    ["fingerprints it", () => threads.print(minute)],
  ])("%s", async (_, work) => {
    let turns = 0;
    let timer = setImmediate(function turn() {
      turns++;
      timer = setImmediate(turn);
    });
    await work();
    clearImmediate(timer);
    expect(turns).toBeGreaterThan(1000);
  });
});
