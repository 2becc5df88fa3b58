import fc from "fast-check";
import { expect, test } from "vitest";
import { areTagsFit, parseTags, toggleTag } from "./tags";

test.each([
  ["温和 清亮、旁白", ["温和", "清亮", "旁白"]],
  ["，温和,,温和；", ["温和"]],
  ["  \u3000\n", []],
  ["", []],
])("%j has the tags %j", (text, tags) => {
  expect(parseTags(text)).toEqual(tags);
});

test("a suggestion comes with one press and goes with the next", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme" }), (text) => {
      const tag = "温和";
      const once = toggleTag(text, tag);
      expect(parseTags(once).includes(tag)).toBe(!parseTags(text).includes(tag));
      expect(parseTags(toggleTag(once, tag)).sort()).toEqual(parseTags(text).sort());
    }),
  );
});

test("more than ten, or one of more than twenty characters, do not fit", () => {
  expect(areTagsFit(Array.from({ length: 10 }, (_, at) => `标${at}`))).toBe(true);
  expect(areTagsFit(Array.from({ length: 11 }, (_, at) => `标${at}`))).toBe(false);
  expect(areTagsFit(["字".repeat(21)])).toBe(false);
});
