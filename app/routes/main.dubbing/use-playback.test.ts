import { expect, test } from "vitest";
import { soundOf } from "./use-playback";

const paused = { isPlaying: false, isLoading: false };

test.each([
  ["playing", { ...paused, isPlaying: true }, false, "playing"],
  ["loading a line", { ...paused, isLoading: true }, false, "loading"],
  ["between two lines", paused, true, "loading"],
  ["paused", paused, false, "silent"],
] as const)("soundOf returns the audio for a script that is %s", (_case, player, isBetweenLines, sound) => {
  expect(soundOf(player, isBetweenLines)).toBe(sound);
});
