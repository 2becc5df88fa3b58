import { expect, it } from "vitest";
import { tone } from "../../../tests/support/sounds";
import { resample } from "./resample";

const level = (samples: Float32Array) => {
  const middle = samples.subarray(Math.round(samples.length * 0.1), Math.round(samples.length * 0.9));
  return Math.sqrt(middle.reduce((sum, value) => sum + value * value, 0) / middle.length);
};

it("resampling keeps length, level and pitch of frequencies below both Nyquist limits", () => {
  const { samples } = tone({ seconds: 0.5, sampleRate: 48_000, hz: 1000, level: 0.5 });
  const resampled = resample(samples, 48_000, 22_050);
  expect(resampled.length).toBe(11_025);
  expect(level(resampled)).toBeCloseTo(0.5 / Math.SQRT2, 2);
  const crossings = resampled.reduce(
    (sum, value, i) => sum + (i > 0 && value >= 0 && (resampled[i - 1] as number) < 0 ? 1 : 0),
    0,
  );
  expect(Math.abs(crossings - 500)).toBeLessThanOrEqual(2);
});

it("resampling removes frequencies above the lower Nyquist limit", () => {
  const { samples } = tone({ seconds: 0.5, sampleRate: 48_000, hz: 15_000, level: 0.5 });
  expect(level(resample(samples, 48_000, 22_050))).toBeLessThan(0.001);
});

it("resampling accepts every rate a file may declare", () => {
  const { samples } = tone({ seconds: 0.2, sampleRate: 31_999, hz: 500, level: 0.5 });
  const resampled = resample(samples, 31_999, 22_050);
  expect(Math.abs(resampled.length - 0.2 * 22_050)).toBeLessThan(5);
  expect(level(resampled)).toBeCloseTo(0.5 / Math.SQRT2, 2);
});
