import { afterAll, describe, expect, it } from "vitest";
import { silence } from "../../../tests/support/sounds";
import { prepareText } from "../chinese/prepare";
import { resample } from "../dsp/resample";
import { stretch } from "../dsp/stretch";
import { type SpeechChunk, type SpeechEngine, SpeechError, type VoiceDesign } from "../engine";
import { master } from "../mastering";
import { createEmbeddedEngine } from "./embedded/engine";
import { withTimeline } from "./timeline";

const never = new AbortController().signal;
const woman: VoiceDesign = { pitchHz: 210, pitchSpreadSt: 3, tract: 1.16, breath: 0.2, tilt: -1, rate: 1 };
const story = prepareText("春天来了，公园里的花都开了，孩子们在草地上奔跑。");

describe("timelines by forced alignment", { timeout: 300_000 }, async () => {
  const embedded = await createEmbeddedEngine({ processes: 1 });
  afterAll(() => embedded.close());

  /** Another voice at another pace and rate; its own timeline is the reference that the aligner does not see. */
  async function foreign(pace: number) {
    const chunks: SpeechChunk[] = [];
    const request = { text: story, voice: embedded.design(woman), speed: 1 };
    for await (const chunk of embedded.synthesize(request, never)) chunks.push(chunk);
    const { pcm, sampleRate, timeline } = master(chunks);
    const samples = Float32Array.from(pcm, (value) => value / 32_768);
    const other = resample(stretch(samples, sampleRate, pace), sampleRate, 32_000);
    const truth = timeline?.units.map(({ start }) => start / pace) ?? [];
    return { pcm: Int16Array.from(other, (value) => Math.round(value * 32_767)), sampleRate: 32_000, truth };
  }

  const engineOf = (chunks: SpeechChunk[]) =>
    ({
      id: "foreign",
      version: "1",
      capabilities: { clone: true, stream: true, timeline: false, languages: ["zh"], maxChars: 100 },
      async *synthesize() {
        yield* chunks;
      },
    }) as unknown as SpeechEngine;
  const voice = { engine: "foreign", version: "1", parameters: null };
  const speak = async (engine: SpeechEngine) => {
    const request = { text: story, voice, speed: 1 };
    const all: SpeechChunk[] = [];
    for await (const chunk of engine.synthesize(request, never)) all.push(chunk);
    return all;
  };

  it.each([1, 0.8, 1.25])("find the syllable starts of another voice at pace %d", async (pace) => {
    const { pcm, sampleRate, truth } = await foreign(pace);
    const { timeline, matchesText } = await embedded.align({ text: story, pcm, sampleRate });
    expect(matchesText).toBe(true);
    expect(timeline.units.length).toBe(truth.length);
    const misses = timeline.units.map(({ start }, i) => Math.abs(start - (truth[i] as number))).sort((a, b) => a - b);
    expect(misses[Math.floor(misses.length / 2)]).toBeLessThan(40);
    expect(misses[Math.floor(misses.length * 0.9)]).toBeLessThan(100);
    expect(timeline.phonemes.some(({ viseme }) => viseme !== "sil")).toBe(true);
  });

  it("detects a different text and distributes its units evenly", async () => {
    const { pcm, sampleRate } = await foreign(1);
    const other = prepareText("人工智能技术正在改变世界，越来越多的企业开始使用。");
    const { timeline, matchesText } = await embedded.align({ text: other, pcm, sampleRate });
    expect(matchesText).toBe(false);
    const starts = timeline.units.map(({ start }) => start);
    expect(starts).toEqual([...starts].sort((a, b) => a - b));
    expect(timeline.units.at(-1)?.end).toBeGreaterThan(0.8 * timeline.durationMs);
  });

  it("joins the chunks of an engine into one timeline", async () => {
    const { pcm, sampleRate } = await foreign(1);
    const middle = Math.round(pcm.length / 2);
    const parts = [pcm.slice(0, middle), pcm.slice(middle)].map((part) => ({ pcm: part, sampleRate }));
    const [chunk, ...more] = await speak(withTimeline(engineOf(parts), embedded.align));
    expect(more).toEqual([]);
    expect(chunk?.pcm.length).toBe(pcm.length);
    expect(chunk?.timeline?.units.map(({ text }) => text).join("")).toBe("春天来了公园里的花都开了孩子们在草地上奔跑");
  });

  it("fall back to an even timeline when alignment fails", async () => {
    const broken = async () => {
      throw new SpeechError("engine", "alignment failed");
    };
    const { pcm, sampleRate } = await foreign(1);
    const [chunk] = await speak(withTimeline(engineOf([{ pcm, sampleRate }]), broken));
    const lengths = chunk?.timeline?.units.map(({ start, end }) => end - start) ?? [];
    expect(lengths.length).toBe(21);
    expect(Math.max(...lengths) - Math.min(...lengths)).toBeLessThanOrEqual(1);
  });

  it("are refused for silence", async () => {
    const { samples, sampleRate } = silence({ seconds: 1 });
    const ask = { text: story, pcm: Int16Array.from(samples), sampleRate };
    const error = await embedded.align(ask).catch((caught: unknown) => caught);
    // Expects an even timeline or an error, but no match.
    expect(error instanceof SpeechError || (error as { matchesText: boolean }).matchesText === false).toBe(true);
  });
});
