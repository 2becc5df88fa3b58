import { expect, test } from "vitest";
import { speechRate } from "./grid";
import { trackPitch } from "./pitch";
import { stretch, transpose } from "./stretch";

const seconds = 2;
const tone = Float32Array.from({ length: seconds * speechRate }, (_, i) => {
  const phase = (2 * Math.PI * 200 * i) / speechRate;
  return 0.3 * (Math.sin(phase) + 0.5 * Math.sin(2 * phase) + 0.25 * Math.sin(3 * phase));
});

function medianPitch(samples: Float32Array): number {
  const voiced = trackPitch(samples).filter((hz) => hz > 0);
  return voiced.sort()[Math.floor(voiced.length / 2)] as number;
}

test.each([0.5, 0.8, 1.25, 2])("time stretching makes speech %d times as fast at the same pitch", (factor) => {
  const other = stretch(tone, speechRate, factor);
  expect(tone.length / other.length / factor).toBeCloseTo(1, 1);
  expect(Math.abs(medianPitch(other) - 200)).toBeLessThan(3);
});

test.each([-7, -2, 3, 7])("pitch shifting raises speech by %d semitones at the same pace", (semitones) => {
  const other = transpose(tone, speechRate, semitones);
  expect(other.length / tone.length).toBeCloseTo(1, 1);
  expect(Math.abs(12 * Math.log2(medianPitch(other) / 200) - semitones)).toBeLessThan(0.3);
});

test("a click that is too short to stretch is unchanged", () => {
  const click = new Float32Array(100).fill(0.5);
  expect(stretch(click, speechRate, 2)).toBe(click);
});
