import { expect, it } from "vitest";
import { speechLike } from "../../../../tests/support/sounds";
import type { SourceClip } from "./reading/source";
import { splitClip } from "./speaking";

function clip(seconds: number): SourceClip {
  const starts = Array.from({ length: Math.floor(seconds * 4) }, (_, i) => i * 250);
  return {
    ...speechLike({ seconds }),
    units: starts.map((start, i) => ({ text: String(i), offset: i, start, end: start + 250 })),
    phonemes: starts.map((start) => ({ ph: "a", start, end: start + 250, viseme: "aa" })),
  };
}

it("a short clip is not split", () => {
  expect(splitClip(clip(1.5), 0).length).toBe(1);
});

it("a long clip is split into a short first piece and the rest without loss", () => {
  const whole = clip(9);
  const pieces = splitClip(whole, 0);
  expect(pieces.length).toBeGreaterThan(2);
  expect((pieces[0]?.samples.length ?? 0) / whole.sampleRate).toBeLessThan(1.8);
  expect(pieces.reduce((sum, { samples }) => sum + samples.length, 0)).toBe(whole.samples.length);
  expect(pieces.flatMap(({ units }) => units.map(({ text }) => text))).toEqual(whole.units.map(({ text }) => text));
  for (const { units, phonemes, samples, sampleRate } of pieces) {
    expect(units[0]?.start).toBe(0);
    expect(phonemes.at(-1)?.end).toBeLessThanOrEqual((samples.length / sampleRate) * 1000 + 1);
  }
});
