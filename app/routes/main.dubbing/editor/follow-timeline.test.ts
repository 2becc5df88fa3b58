import { expect, test } from "vitest";
import { parseUnits, unitAt } from "./follow-timeline";

const timeline = {
  units: [
    { text: "行", offset: 3, start: 400, end: 600, line: 1 },
    { text: "天", offset: 0, start: 0, end: 200, line: 0 },
    { text: "x", start: "soon" },
    null,
  ],
};

test("units are read in the order of time, and the latest that began is heard", () => {
  const units = parseUnits(timeline);
  expect(units.map(({ line, offset }) => [line, offset])).toEqual([
    [0, 0],
    [1, 3],
  ]);
  expect(unitAt(units, 100)?.offset).toBe(0);
  expect(unitAt(units, 300)?.offset).toBe(0);
  expect(unitAt(units, 400)).toMatchObject({ line: 1, offset: 3, length: 1 });
  expect(unitAt(units, -1)).toBeNull();
});

test.each([null, 3, "x", {}, { units: 4 }])("%j is no timeline", (nothing) => {
  expect(parseUnits(nothing)).toEqual([]);
});
