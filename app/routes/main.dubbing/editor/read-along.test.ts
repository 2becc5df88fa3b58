import { expect, test } from "vitest";
import { findUnitAt, parseUnits } from "./read-along";

const timeline = {
  units: [
    { text: "行", offset: 3, start: 400, end: 600, line: 1 },
    { text: "天", offset: 0, start: 0, end: 200, line: 0 },
    { text: "x", start: "soon" },
    null,
  ],
};

test("parseUnits sorts units by time, and findUnitAt returns the latest that has started", () => {
  const units = parseUnits(timeline);
  expect(units.map(({ line, offset }) => [line, offset])).toEqual([
    [0, 0],
    [1, 3],
  ]);
  expect(findUnitAt(units, 100)?.offset).toBe(0);
  expect(findUnitAt(units, 300)?.offset).toBe(0);
  expect(findUnitAt(units, 400)).toMatchObject({ line: 1, offset: 3, length: 1 });
  expect(findUnitAt(units, -1)).toBeNull();
});

test.each([null, 3, "x", {}, { units: 4 }])("parseUnits returns no units for %j", (invalid) => {
  expect(parseUnits(invalid)).toEqual([]);
});
