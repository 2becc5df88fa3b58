import { expect, test } from "vitest";
import { keyAction } from "./controls";

const at = { positionSeconds: 7, durationSeconds: 10 };
const press = (key: string, target = "INPUT", hasModifier = false) => keyAction({ key, target, hasModifier }, at);

test("the arrow keys seek by five seconds within the audio", () => {
  expect(press("ArrowLeft")).toEqual({ type: "seek", toSeconds: 2 });
  expect(press("ArrowRight")).toEqual({ type: "seek", toSeconds: 10 });
  expect(keyAction({ key: "ArrowLeft", target: "DIV", hasModifier: false }, { ...at, positionSeconds: 3 })).toEqual({
    type: "seek",
    toSeconds: 0,
  });
});

test("Home and End seek to the start and the end", () => {
  expect(press("Home")).toEqual({ type: "seek", toSeconds: 0 });
  expect(press("End", "BUTTON")).toEqual({ type: "seek", toSeconds: 10 });
});

test("Space toggles playback on the slider and is ignored on buttons and links", () => {
  expect(press(" ")).toEqual({ type: "toggle" });
  expect(press(" ", "BUTTON")).toBeNull();
  expect(press(" ", "A")).toBeNull();
});

test("keys in the speed menu, keys with modifiers and other keys are ignored", () => {
  expect(press("ArrowLeft", "SELECT")).toBeNull();
  expect(press("ArrowLeft", "INPUT", true)).toBeNull();
  expect(press("a")).toBeNull();
});
