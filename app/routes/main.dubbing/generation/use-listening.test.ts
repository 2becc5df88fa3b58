import { expect, test } from "vitest";
import { soundOf } from "./use-listening";

const paused = { isPlaying: false, isLoading: false };

test.each([
  ["plays", { ...paused, isPlaying: true }, false, "playing"],
  ["loads a line", { ...paused, isLoading: true }, false, "loading"],
  ["has ended a line and not begun the next", paused, true, "loading"],
  ["is paused by the listener", paused, false, "silent"],
] as const)("the script that %s", (_case, player, isBetweenLines, sound) => {
  expect(soundOf(player, isBetweenLines)).toBe(sound);
});
