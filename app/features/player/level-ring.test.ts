import { expect, test } from "vitest";
import { levelAt, toLevels } from "./level-ring";
import { levelsPerSecond } from "./provider";

test("the loudest section has level 1 regardless of the recording's volume and sign", () => {
  expect(toLevels([0, -0.1, 0.05])).toEqual([0, 1, 0.5]);
  expect(toLevels([0, 0])).toEqual([0, 0]);
});

test("levels are interpolated between samples and are 0 outside the audio", () => {
  const levels = [0, 1, 0.5];
  expect(levelAt(levels, 1 / levelsPerSecond)).toBeCloseTo(1);
  expect(levelAt(levels, 1.5 / levelsPerSecond)).toBeCloseTo(0.75);
  expect(levelAt(levels, 9)).toBe(0);
  expect(levelAt(levels, -1)).toBe(0);
});
