import { expect, test } from "vitest";
import { findPolyphones } from "./polyphones";

test("an ambiguous character is returned with its position, its reading here and the alternatives", () => {
  const [found] = findPolyphones("去银行").filter(({ char }) => char === "行");
  expect(found).toMatchObject({ offset: 2, char: "行", reading: "hang2" });
  expect(found?.candidates[0]).toBe("hang2");
  expect(found?.candidates).toContain("xing2");
});

test("characters with one reading, marked characters and numbers are left out", () => {
  expect(findPolyphones("妈妈，行(xing2)李100")).toEqual([]);
});

test("only readings that may be wrong are unsure; those of common words and of the dictionary are not", () => {
  const unsureIn = (content: string, dictionary: Array<{ word: string; pinyin: string }> = []) =>
    findPolyphones(content, { dictionary }).flatMap(({ char, isUnsure }) => (isUnsure ? [char] : []));
  expect(unsureIn("菜市场热闹起来了，周末有音乐会")).toEqual([]);
  expect(unsureIn("老板，这一行都是新到的").length).toBeGreaterThan(0);
  expect(unsureIn("他叫单行", [{ word: "单行", pinyin: "shan4 xing2" }])).toEqual([]);
});

test("了 地 得 in neutral tone are offered; a syllable that is only unstressed is not", () => {
  const offered = findPolyphones("他慢慢地跑得快了，朋友").map(({ char, reading }) => char + reading);
  expect(offered).toEqual(expect.arrayContaining(["地de5", "得de5", "了le5"]));
  expect(findPolyphones("朋友，东西")).toEqual([]);
});

test("readings are those of the lexicon before tone sandhi", () => {
  expect(findPolyphones("不好").find(({ char }) => char === "好")?.reading).toBe("hao3");
});

test("every candidate has example words if there are any", () => {
  const found = findPolyphones("去银行").find(({ char }) => char === "行");
  expect(found?.examples).toHaveLength(found?.candidates.length ?? 0);
  const examples = new Map(found?.candidates.map((reading, at) => [reading, found.examples[at] ?? ""]));
  expect(examples.get("hang2")?.split("、")).toContain("银行");
  expect(examples.get("xing2")).toMatch(/行/);
});

test("the account's dictionary is applied and can be overridden at one position", () => {
  const dictionary = [{ word: "银行", pinyin: "yin2 xing2" }];
  const [found] = findPolyphones("去银行", { dictionary }).filter(({ char }) => char === "行");
  expect(found).toMatchObject({ offset: 2, reading: "xing2" });
  expect(found?.candidates).toContain("hang2");
  expect(findPolyphones("去银行(hang2)", { dictionary }).filter(({ char }) => char === "行")).toEqual([]);
});

test("the word around a character is returned with a reading for each of its characters", () => {
  const word = (content: string, char: string) => {
    const found = findPolyphones(content).find((one) => one.char === char);
    return [found?.word, found?.wordReading, found?.wordAt];
  };
  expect(word("他去银行取钱", "行")).toEqual(["银行", "yin2 hang2", 1]);
  expect(word("好，行。", "行")).toEqual(["行", "xing2", 0]);
  // A character that is a word of its own makes none with its neighbour.
  expect(word("我挑，", "挑")[0]).toBe("挑");
  expect(word("他细心挑，", "挑")[0]).toBe("挑");
  for (const { word: written, wordReading, wordAt, char } of findPolyphones(
    "老板，这一行都是新到的吗？给我来两斤，重一点没关系。",
  )) {
    expect(wordReading.split(" ")).toHaveLength([...written].length);
    expect([...written][wordAt]).toBe(char);
  }
});
