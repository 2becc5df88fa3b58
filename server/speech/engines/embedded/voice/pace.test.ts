import { describe, expect, it } from "vitest";
import { noise } from "../../../../../tests/support/sounds";
import { speechRate } from "../../../dsp/grid";
import { analyse } from "./analysis";
import { estimateSyllableRate, speakingSeconds, toRate } from "./pace";

/** Voiced syllables `perSecond`, alternately loud and soft, with a pause of half a second after every eighth. */
function babble(perSecond: number, count: number): Float32Array {
  const length = Math.round(speechRate / perSecond);
  const pause = Math.round(0.5 * speechRate);
  const samples = new Float32Array(count * length + Math.floor(count / 8) * pause);
  let at = 0;
  for (let syllable = 0; syllable < count; syllable++) {
    for (let i = 0; i < length; i++) {
      const level = 0.15 + 0.85 * Math.sin((Math.PI * i) / length) ** 2;
      let value = 0;
      for (let h = 1; h <= 20; h++) value += Math.sin((2 * Math.PI * 140 * h * i) / speechRate) / h;
      samples[at + i] = 0.2 * level * value;
    }
    at += length + (syllable % 8 === 7 ? pause : 0);
  }
  return samples;
}

describe("estimateSyllableRate", () => {
  it("returns a lower rate for slow than for fast speech", () => {
    const [slow, quick] = [3.5, 6].map((perSecond) => estimateSyllableRate(analyse(babble(perSecond, 40))));
    expect(slow).toBeGreaterThan(3);
    expect(slow).toBeLessThan(4.2);
    expect(quick).toBeGreaterThan(5.2);
    expect(quick).toBeLessThan(7);
  });
});

describe("speakingSeconds", () => {
  it("excludes pauses in a quiet and in a noisy recording", () => {
    const clean = babble(5, 40);
    const hiss = noise({ seconds: clean.length / speechRate, seed: 4, level: 0.03 }).samples;
    const noisy = clean.map((value, i) => value + (hiss[i] ?? 0));
    for (const samples of [clean, noisy]) expect(speakingSeconds(analyse(samples))).toBeCloseTo(8, 0);
  });
});

describe("toRate", () => {
  it("limits the rate to the range between a slow and a fast reader", () => {
    expect(toRate(5, 5)).toBe(1);
    expect(toRate(1, 5)).toBeCloseTo(0.64, 5);
    expect(toRate(12, 5)).toBeCloseTo(1.24, 5);
  });
});
