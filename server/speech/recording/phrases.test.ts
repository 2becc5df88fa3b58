import { describe, expect, it } from "vitest";
import type { Recogniser, Transcript } from "../recogniser";
import { transcribePhrases } from "../transcription";
import { splitPhrases } from "./phrases";

const sampleRate = 16_000;

/** Noise at −60 dB with speech-like bursts at these seconds. */
function soundOf(seconds: number, bursts: Array<readonly [number, number]>) {
  let seed = 1;
  const noise = () => {
    seed = (seed * 16_807) % 2_147_483_647;
    return seed / 1_073_741_823.5 - 1;
  };
  const isLoud = (at: number) => bursts.some(([from, to]) => at >= from && at < to);
  const samples = Float32Array.from({ length: seconds * sampleRate }, (_, i) => {
    const at = i / sampleRate;
    return noise() * 0.001 + (isLoud(at) ? 0.3 * Math.sin(at * 1200) * (0.6 + 0.4 * Math.sin(at * 25)) : 0);
  });
  return { samples, sampleRate };
}

const timesOf = (sound: ReturnType<typeof soundOf>) =>
  splitPhrases(sound).map(({ startMs, endMs }) => [startMs, endMs] as const);

describe("splitPhrases", () => {
  it("finds phrases between pauses of 0.3 s and more, within 0.15 s", () => {
    const bursts = [
      [0.5, 2],
      [2.1, 3],
      [3.6, 5],
    ] as const;
    const found = timesOf(soundOf(6, [...bursts]));
    expect(found).toHaveLength(2);
    for (const [i, [from, to]] of [[500, 3000] as const, [3600, 5000] as const].entries()) {
      expect(Math.abs((found[i]?.[0] ?? 0) - from)).toBeLessThan(150);
      expect(Math.abs((found[i]?.[1] ?? 0) - to)).toBeLessThan(150);
    }
  });

  it("finds nothing in silence, and ignores clicks", () => {
    expect(timesOf(soundOf(3, []))).toEqual([]);
    expect(timesOf(soundOf(3, [[1, 1.04]]))).toEqual([]);
  });

  it("cuts speech without pauses to at most 12 s", () => {
    const found = timesOf(soundOf(40, [[1, 39]]));
    expect(found.length).toBeGreaterThanOrEqual(4);
    for (const [from, to] of found) expect(to - from).toBeLessThanOrEqual(12_200);
    expect([found[0]?.[0], found.at(-1)?.[1]]).toEqual([expect.closeTo(900, -2), expect.closeTo(39_100, -2)]);
  });
});

describe("transcribePhrases", () => {
  const saying = (transcripts: Transcript[]): Recogniser => ({
    id: "fixed",
    transcribe: async () => transcripts.shift() ?? { text: "", language: "", words: [] },
    close: () => {},
  });
  const phrase = (startMs: number, endMs: number) => ({ samples: new Float32Array(1), sampleRate, startMs, endMs });
  const wordsOf = (text: string) =>
    [...text].map((char, i) => ({ text: char, startMs: i * 100, endMs: i * 100 + 100 }));

  it("ends a subtitle at each sentence and at commas of long clauses, in the time of the whole sound", async () => {
    const text = "你好。今天天气真好我们一起出去走一走吧，好不好？";
    const recogniser = saying([{ text, language: "zh", words: wordsOf(text) }]);
    const { cues, language } = await transcribePhrases(recogniser, [phrase(5000, 9000)]);
    expect(language).toBe("zh");
    expect(cues).toEqual([
      { text: "你好。", startMs: 5000, endMs: 5300 },
      { text: "今天天气真好我们一起出去走一走吧，", startMs: 5300, endMs: 7000 },
      { text: "好不好？", startMs: 7000, endMs: 7400 },
    ]);
  });

  it("keeps a phrase whole without timestamps, and joins Latin words with a space", async () => {
    const recogniser = saying([
      { text: "Hello", language: "en", words: [] },
      { text: "", language: "", words: [] },
      { text: "world", language: "en", words: [] },
    ]);
    const found = await transcribePhrases(recogniser, [phrase(0, 1000), phrase(1500, 1600), phrase(2000, 3000)]);
    expect(found).toEqual({
      text: "Hello world",
      language: "en",
      cues: [
        { text: "Hello", startMs: 0, endMs: 1000 },
        { text: "world", startMs: 2000, endMs: 3000 },
      ],
    });
  });
});
