import { expect, test } from "vitest";
import { findPolyphones } from "./polyphones";

test("an ambiguous character comes with its place, its reading here and the others", () => {
  const [found] = findPolyphones("去银行").filter(({ char }) => char === "行");
  expect(found).toMatchObject({ offset: 2, char: "行", reading: "hang2" });
  expect(found?.candidates[0]).toBe("hang2");
  expect(found?.candidates).toContain("xing2");
});

test("a character with one reading, a marked one and a number are not asked about", () => {
  expect(findPolyphones("妈妈的行(xing2)李100")).toEqual([]);
});

test("readings are those of the lexicon, before tones change", () => {
  expect(findPolyphones("不好").find(({ char }) => char === "好")?.reading).toBe("hao3");
});
