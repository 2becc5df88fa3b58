import { expect, it } from "vitest";
import { speechLike } from "../../../tests/support/sounds";
import { spectralFlatness } from "./flatness";

/** White noise of a linear congruential generator. */
function noise(seconds: number): Float32Array {
  let state = 1;
  return Float32Array.from({ length: 24_000 * seconds }, () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return 0.6 * (state / 2 ** 32 - 0.5);
  });
}

it("tells noise from speech, also beside silence", () => {
  expect(spectralFlatness(noise(1), 24_000)).toBeGreaterThan(0.4);
  expect(spectralFlatness(Float32Array.from([...new Float32Array(48_000), ...noise(1)]), 24_000)).toBeGreaterThan(0.4);
  const { samples, sampleRate } = speechLike({ seconds: 3, seed: 2 });
  expect(spectralFlatness(samples, sampleRate)).toBeLessThan(0.05);
  expect(spectralFlatness(new Float32Array(24_000), 24_000)).toBe(0);
  expect(spectralFlatness(new Float32Array(100).fill(0.5), 24_000)).toBe(0);
});
