import { expect, test } from "vitest";
import { laterSpeed, parseSpeed } from "./kept-speed";

test("parseSpeed accepts the speeds of the menu alone", () => {
  expect(parseSpeed({ speed: 1.5, changedAt: 7 })).toEqual({ speed: 1.5, changedAt: 7 });
  expect(parseSpeed({ speed: 3, changedAt: 7 })).toBeNull();
  expect(parseSpeed({ speed: 1.5 })).toBeNull();
  expect(parseSpeed(null)).toBeNull();
});

test("the later choice of two devices stays", () => {
  const [early, late] = [
    { speed: 2, changedAt: 1 },
    { speed: 1, changedAt: 2 },
  ];
  expect(laterSpeed(early, late)).toBe(late);
  expect(laterSpeed(late, early)).toBe(late);
  expect(laterSpeed(early, null)).toBe(early);
});
