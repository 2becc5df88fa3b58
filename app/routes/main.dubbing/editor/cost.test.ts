import { expect, test } from "vitest";
import { costOf, keyOf, totalCharacters } from "./cost";
import { createLine } from "./script";

const line = (content: string, more = {}) => createLine({ roleId: "r", content, ...more });

test("only lines that sound differently from what is made cost anything", () => {
  const lines = [line("天亮了。"), line("走吧#0.5#行(xing2)。"), line(" ")];
  const made = new Set(lines.slice(0, 1).map(keyOf));
  expect(costOf(lines, made)).toEqual({ changed: [1], characters: 4 });
  expect(costOf([{ ...lines[0], speed: 1.2 } as never], made).characters).toBe(4);
  expect(costOf([line("天亮了。", { startMs: 5, endMs: 900 })], made)).toEqual({ changed: [], characters: 0 });
  expect(totalCharacters(lines)).toBe(8);
});

test("the same line twice is made once", () => {
  expect(costOf([line("好。"), line("好。")], new Set())).toEqual({ changed: [0], characters: 2 });
});
