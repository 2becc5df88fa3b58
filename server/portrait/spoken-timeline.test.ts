import { expect, test } from "vitest";
import { parseSpokenTimeline } from "./spoken-timeline";

test("a timeline is read in the order of time, without invalid phonemes", () => {
  const timeline = parseSpokenTimeline({
    durationMs: 600,
    units: [{ text: "妈", offset: 0, tone: 1, start: 40, end: 300 }, { text: "妈" }],
    phonemes: [
      { ph: "a", start: 120, end: 300, viseme: "aa" },
      { ph: "m", start: 40, end: 120, viseme: "PP" },
      { ph: "?", start: 300, end: 400, viseme: "smile" },
    ],
  });
  expect(timeline?.phonemes.map(({ viseme }) => viseme)).toEqual(["PP", "aa"]);
  expect(timeline?.units).toEqual([{ text: "妈", offset: 0, tone: 1, start: 40, end: 300 }]);
});

test.each([
  null,
  "no timeline",
  {},
  { phonemes: {} },
  { phonemes: [null, 3, {}, { viseme: "smile", start: 0, end: 9 }, { viseme: "aa", start: 5, end: 5 }] },
])("the timeline %j moves no mouth", (value) => {
  expect(parseSpokenTimeline(value)).toBeNull();
});
