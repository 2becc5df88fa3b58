import { expect, it } from "vitest";
import { speechLike } from "../../../tests/support/sounds";
import { prepareText } from "../../speech/chinese/prepare";
import type { SpeechEngine, SpeechRequest } from "../../speech/engine";
import type { SegmentCache } from "./segments";
import { createSpeaker } from "./speaker";

const sentences = ["今天的天气真好啊。", "我们出去走一走吧。", "今天的天气真好啊。", "今天的天气真好啊。"];
const profile = { engine: "engine", version: "1", parameters: {} };

/** The repetitions that the engine was asked for, segment by segment; segments already in the cache are absent. */
async function spokenRepetitions(capabilities: Partial<SpeechEngine["capabilities"]>, repetition = 0) {
  const requests: SpeechRequest[] = [];
  const cached = new Map<string, Awaited<ReturnType<SegmentCache["find"]>>>();
  const { samples, sampleRate } = speechLike({ seconds: 2 });
  const engine = {
    id: "engine",
    version: "1",
    capabilities,
    async *synthesize(request: SpeechRequest) {
      requests.push(request);
      yield { pcm: Int16Array.from(samples, (value) => value * 32767), sampleRate };
    },
  } as unknown as SpeechEngine;
  const speech = {
    engine: async () => engine,
    prepareText: async (content: string) => prepareText(content),
    splitSegments: async () => sentences.map((text, i) => ({ text, offset: 9 * i })),
    master: async () => ({ pcm: new Int16Array(0), sampleRate }),
  };
  const segments = {
    find: async (fingerprint: string) => cached.get(fingerprint) ?? null,
    store: async (fingerprint: string, chunks: never[]) => void cached.set(fingerprint, chunks),
  } as unknown as SegmentCache;
  const speak = createSpeaker({ speech, segments });
  const options = { signal: new AbortController().signal, onProgress: async () => {} };
  const voice = { profile, recordingId: null };
  await speak({ content: sentences.join(""), voice, speed: 1, repetition }, options);
  return requests.map((request) => request.repetition);
}

it("a repeated sentence is spoken again by an engine that varies it", async () => {
  expect(await spokenRepetitions({ variesRepetitions: true })).toEqual([undefined, undefined, 1, 2]);
});

it("a sentence that occurs again costs nothing with another engine", async () => {
  expect(await spokenRepetitions({})).toEqual([undefined, undefined]);
});

it("a further delivery of the whole text shares no segment with the earlier one", async () => {
  expect(await spokenRepetitions({ variesRepetitions: true }, 1)).toEqual([4, 4, 5, 6]);
  expect(await spokenRepetitions({}, 1)).toEqual([4, 4]);
});
