import { expect, test } from "vitest";
import { computeCost, createLine, lineKeyOf } from "./script";

const line = (content: string, more = {}) => createLine({ roleId: "r", content, ...more });

test("computeCost counts only lines whose audio would differ from the generated audio", () => {
  const lines = [line("天亮了。"), line("走吧#0.5#行(xing2)。"), line(" ")];
  const generated = new Set(lines.slice(0, 1).map(lineKeyOf));
  expect(computeCost(lines, generated)).toEqual({ changed: [1], characters: 4 });
  expect(computeCost([{ ...lines[0], speed: 1.2 } as never], generated).characters).toBe(4);
  expect(computeCost([line("天亮了。", { startMs: 5, endMs: 900 })], generated)).toEqual({
    changed: [],
    characters: 0,
  });
});

test("computeCost counts two lines with identical audio once", () => {
  expect(computeCost([line("好。"), line("好。")], new Set())).toEqual({ changed: [0], characters: 2 });
});
