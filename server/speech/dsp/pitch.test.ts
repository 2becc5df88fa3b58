import { describe, expect, it } from "vitest";
import { noise } from "../../../tests/support/sounds";
import { hopSeconds, speechRate } from "./grid";
import { trackPitch } from "./pitch";
import { findPitchRange, toHz, toSemitones } from "./pitch-range";

/** Harmonics with a falling spectrum, like a voice. */
function voiced(seconds: number, hzAt: (t: number) => number): Float32Array {
  const samples = new Float32Array(Math.round(seconds * speechRate));
  let phase = 0;
  for (let i = 0; i < samples.length; i++) {
    phase += (2 * Math.PI * hzAt(i / speechRate)) / speechRate;
    for (let h = 1; h <= 12; h++) samples[i] = (samples[i] as number) + (0.2 / h) * Math.sin(h * phase);
  }
  return samples;
}

describe("trackPitch", () => {
  it.each([80, 120, 200, 320])("finds a steady voice at %i Hz", (hz) => {
    const pitch = trackPitch(voiced(0.6, () => hz)).subarray(20, 100);
    for (const found of pitch) expect(Math.abs(toSemitones(found) - toSemitones(hz))).toBeLessThan(0.2);
  });

  it("follows a falling tone", () => {
    const fall = (t: number) => 240 - 200 * t;
    const pitch = trackPitch(voiced(0.6, fall));
    for (let f = 10; f < pitch.length - 10; f++) {
      expect(Math.abs(toSemitones(pitch[f] as number) - toSemitones(fall(f * hopSeconds)))).toBeLessThan(0.5);
    }
  });

  it("finds no voice in noise or silence", () => {
    const share = (samples: Float32Array) => trackPitch(samples).filter((hz) => hz > 0).length / (samples.length / 110);
    expect(share(noise({ seconds: 1, seed: 3 }).samples)).toBeLessThan(0.05);
    expect(share(new Float32Array(speechRate))).toBe(0);
  });
});

describe("findPitchRange", () => {
  it("returns the median and spread of a voice's pitch", () => {
    const range = findPitchRange(Float32Array.from({ length: 101 }, (_, i) => toHz(70 + i / 10)));
    expect(range?.medianSt).toBeCloseTo(75, 1);
    expect(range?.lowSt).toBeCloseTo(70.5, 1);
    expect(range?.highSt).toBeCloseTo(79.5, 1);
  });

  it("is null without voiced frames", () => {
    expect(findPitchRange(new Float32Array(50))).toBeNull();
  });
});
