import { expect, test } from "vitest";
import { keyAction } from "./keyboard";

const at = { positionSeconds: 7, durationSeconds: 10 };
const press = (key: string, target = "INPUT", hasModifier = false) => keyAction({ key, target, hasModifier }, at);

test("arrows move five seconds and stop at the ends", () => {
  expect(press("ArrowLeft")).toEqual({ type: "seek", toSeconds: 2 });
  expect(press("ArrowRight")).toEqual({ type: "seek", toSeconds: 10 });
  expect(keyAction({ key: "ArrowLeft", target: "DIV", hasModifier: false }, { ...at, positionSeconds: 3 })).toEqual({
    type: "seek",
    toSeconds: 0,
  });
});

test("Home and End go to the ends", () => {
  expect(press("Home")).toEqual({ type: "seek", toSeconds: 0 });
  expect(press("End", "BUTTON")).toEqual({ type: "seek", toSeconds: 10 });
});

test("Space toggles on the slider and is left to buttons and links", () => {
  expect(press(" ")).toEqual({ type: "toggle" });
  expect(press(" ", "BUTTON")).toBeNull();
  expect(press(" ", "A")).toBeNull();
});

test("the speed menu, shortcuts with modifiers and other keys are left alone", () => {
  expect(press("ArrowLeft", "SELECT")).toBeNull();
  expect(press("ArrowLeft", "INPUT", true)).toBeNull();
  expect(press("a")).toBeNull();
});
