import { describe, expect, it } from "vitest";
import { speechLike } from "../../tests/support/sounds";
import { measurePeak } from "./dsp/limiter";
import { measureLoudness } from "./dsp/loudness";
import type { SpeechChunk } from "./engine";
import { master } from "./mastering";

const sampleRate = 22_050;
const toPcm = (samples: Float32Array) => Int16Array.from(samples, (value) => Math.round(value * 32767));
const toSamples = (pcm: Int16Array) => Float32Array.from(pcm, (value) => value / 32768);
const speech = (seconds: number, level: number) => speechLike({ seconds, level, seed: 5 }).samples;

function chunk(samples: Float32Array, options: Partial<SpeechChunk> = {}): SpeechChunk {
  return { pcm: toPcm(samples), sampleRate, ...options };
}

const oneUnit = (end: number) => ({
  sampleRate,
  durationMs: end,
  units: [{ text: "好", offset: 0, start: 0, end }],
  phonemes: [{ ph: "a", start: 0, end, viseme: "aa" }],
});

describe("master", () => {
  it("normalises quiet and loud speech to −19 LUFS below −1 dBFS", () => {
    for (const level of [0.02, 0.3, 0.9]) {
      const { pcm } = master([chunk(speech(4, level))]);
      expect(Math.abs(measureLoudness(toSamples(pcm), sampleRate) + 19)).toBeLessThan(1);
      expect(20 * Math.log10(measurePeak(toSamples(pcm)))).toBeLessThanOrEqual(-1);
    }
  });

  it("keeps the peak limit for single peaks far above the speech level", () => {
    const samples = speech(4, 0.1);
    for (let i = 4000; i < samples.length; i += 9000) samples[i] = 0.95;
    const { pcm } = master([chunk(samples)]);
    expect(20 * Math.log10(measurePeak(toSamples(pcm)))).toBeLessThanOrEqual(-1);
    expect(Math.abs(measureLoudness(toSamples(pcm), sampleRate) + 19)).toBeLessThan(1);
  });

  it("applies the volume", () => {
    const { pcm } = master([chunk(speech(4, 0.3))], { volumeDb: -6 });
    expect(Math.abs(measureLoudness(toSamples(pcm), sampleRate) + 25)).toBeLessThan(1);
  });

  it("changes the loudness by the volume to 0.5 dB until the peaks reach the ceiling", () => {
    const samples = speech(3, 0.3);
    // Sharp peaks, as pulses of vocoded speech.
    for (let i = 3000; i < samples.length; i += 200) samples[i] = 0.95 * Math.sign(samples[i] as number);
    const measured = (volumeDb: number) => toSamples(master([chunk(samples)], { volumeDb }).pcm);
    let before = Number.NEGATIVE_INFINITY;
    for (let volumeDb = -12; volumeDb <= 12; volumeDb += 1) {
      const sound = measured(volumeDb);
      const gained = measureLoudness(sound, sampleRate) + 19;
      const peakDb = 20 * Math.log10(measurePeak(sound));
      expect(peakDb, `${volumeDb} dB`).toBeLessThanOrEqual(-1);
      if (volumeDb <= 6 || peakDb < -1.5) expect(Math.abs(gained - volumeDb), `${volumeDb} dB`).toBeLessThan(0.5);
      expect(gained, `${volumeDb} dB`).toBeGreaterThan(before - 0.3);
      before = gained;
    }
  });

  it("keeps the exact length of declared silence", () => {
    const pause = new Float32Array(sampleRate / 2);
    const silence = { beforeMs: 0, afterMs: 0 };
    const { pcm } = master([
      chunk(speech(1, 0.3), { silence }),
      chunk(pause, { silence: { beforeMs: 500, afterMs: 0 } }),
      chunk(speech(1, 0.3), { silence }),
    ]);
    expect(pcm.length).toBe(2.5 * sampleRate);
    expect(pcm.subarray(sampleRate, 1.5 * sampleRate).every((value) => value === 0)).toBe(true);
  });

  it("trims undeclared silence and shifts the timeline accordingly", () => {
    const slack = new Float32Array(3 * sampleRate);
    slack.set(
      speech(1, 0.5).map(() => 0.3),
      sampleRate,
    );
    const timed = { ...oneUnit(3000), units: [{ text: "好", offset: 0, start: 1000, end: 2000 }] };
    const { pcm, timeline } = master([chunk(slack, { timeline: timed }), chunk(slack, { timeline: timed })], {
      gapMs: 200,
    });
    expect(pcm.length / sampleRate).toBeCloseTo(2.3, 1);
    expect(timeline?.units[0]?.start).toBeCloseTo(25, -1);
    expect(timeline?.units[1]?.start).toBeCloseTo(1275, -1);
    expect(timeline?.durationMs).toBe(Math.round((pcm.length / sampleRate) * 1000));
  });

  it("joins timelines without gaps between an engine's own chunks", () => {
    const silence = { beforeMs: 0, afterMs: 0 };
    const parts = [1, 2].map(() => chunk(speech(1, 0.3), { silence, timeline: oneUnit(1000) }));
    const { timeline } = master(parts);
    expect(timeline?.units.map(({ start, end }) => [start, end])).toEqual([
      [0, 1000],
      [1000, 2000],
    ]);
  });

  it("returns no timeline when a chunk has none", () => {
    expect(master([chunk(speech(1, 0.3))]).timeline).toBeUndefined();
  });

  it("returns silence for silent input", () => {
    const { pcm } = master([chunk(new Float32Array(sampleRate), { silence: { beforeMs: 1000, afterMs: 0 } })]);
    expect(pcm.every((value) => value === 0)).toBe(true);
    expect(master([]).pcm.length).toBe(0);
  });

  it("resamples chunks to the rate of the first one", () => {
    const other = { pcm: toPcm(speechLike({ seconds: 1, sampleRate: 44_100 }).samples), sampleRate: 44_100 };
    const silence = { beforeMs: 0, afterMs: 0 };
    const { pcm } = master([chunk(speech(1, 0.3), { silence }), { ...other, silence }]);
    expect(pcm.length / sampleRate).toBeCloseTo(2, 2);
  });
});
