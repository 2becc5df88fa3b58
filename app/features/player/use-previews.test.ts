import { expect, test } from "vitest";
import { parseMouthings, visemeAt } from "./use-previews";

const timeline = {
  phonemes: [
    { ph: "a", start: 120, end: 300, viseme: "aa" },
    { ph: "m", start: 40, end: 120, viseme: "PP" },
    { ph: "o", start: 400, end: 520, viseme: "oh" },
  ],
};

test("mouth positions follow the phonemes and rest between them", () => {
  const mouthings = parseMouthings(timeline);
  const seen = [0, 40, 119, 120, 299, 300, 399, 400, 519, 520, 9000].map((at) => visemeAt(mouthings, at));
  expect(seen).toEqual(["sil", "PP", "PP", "aa", "aa", "sil", "sil", "oh", "oh", "sil", "sil"]);
  expect(visemeAt([], 10)).toBe("sil");
});

test.each([
  null,
  "no timeline",
  {},
  { phonemes: {} },
  { phonemes: [null, 3, {}, { viseme: "smile", start: 0, end: 9 }, { viseme: "aa", start: 5, end: 5 }] },
])("the timeline %j has no mouth positions", (value) => {
  expect(parseMouthings(value)).toEqual([]);
});
