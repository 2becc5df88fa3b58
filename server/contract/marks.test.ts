import fc from "fast-check";
import { expect, test } from "vitest";
import { countCharacters, findUnreadLetters, hasReadableText, parseMarks } from "./marks";

const piece = fc.oneof(
  fc.string({ unit: "grapheme" }),
  fc.constantFrom(
    "#0.5#",
    "#",
    "#11#",
    "行(xing2)",
    "(xing2)",
    "行(good4)",
    "行（hang2）",
    "绿(lü4)",
    "[重读]",
    "[/重读]",
    "[重读]春行(xing2)#0.5#天[/重读]",
    "𠀀(he1)",
    " ",
    "\u3000",
    "é",
  ),
);
const content = fc.array(piece).map((pieces) => pieces.join(""));

test("parsed marks and text cover the content without gaps", () => {
  fc.assert(
    fc.property(content, (text) => {
      const marks = parseMarks(text);
      let end = 0;
      for (const mark of marks) {
        expect(mark.offset).toBe(end);
        end += mark.length;
      }
      expect(end).toBe(text.length);
    }),
  );
});

test("marks add no cost at any position", () => {
  fc.assert(
    fc.property(content, fc.constantFrom("#0.1#", "#10#", "  ", "\n"), (text, free) => {
      expect(countCharacters(`${text}\n${free}`)).toBe(countCharacters(text));
    }),
  );
});

test("the character count is the same in every Unicode normal form", () => {
  fc.assert(
    fc.property(content, (text) => {
      expect(countCharacters(text.normalize("NFD").normalize("NFC"))).toBe(countCharacters(text));
    }),
  );
});

test.each([
  ["你好，世界", 5],
  ["银行(hang2)行长", 4],
  ["等一下#0.5#好", 4],
  ["#0.05#", 6],
  ["#10.5#", 6],
  ["(xing2)", 7],
  ["好(good4)", 8],
  ["a\u0301 b", 2],
  ["𠀀😀", 2],
  ["\u3000\t\n ", 0],
  ["", 0],
])("%j counts as %i characters", (text, count) => {
  expect(countCharacters(text)).toBe(count);
});

test("pauses and readings are distinguished and have positions", () => {
  expect(parseMarks("银行(hang2)#1.5#绿(lü4)")).toEqual([
    { kind: "text", text: "银", offset: 0, length: 1 },
    { kind: "reading", char: "行", pinyin: "hang2", offset: 1, length: 8 },
    { kind: "pause", pauseMs: 1500, offset: 9, length: 5 },
    { kind: "reading", char: "绿", pinyin: "lv4", offset: 14, length: 6 },
  ]);
});

test("a pause is found after a malformed mark", () => {
  expect(parseMarks("#99#0.5#").map(({ kind }) => kind)).toEqual(["text", "pause"]);
});

test.each([
  "zhuang1",
  "lve4",
  "nv3",
  "er2",
  "xiong1",
  "huar1",
  "yuan2",
  "jue2",
  "shui3",
  "liao3",
  "de5",
  "ng2",
  "xx1",
  "a6",
])("the syllable %s is validated", (pinyin) => {
  const isSyllable = !["ng2", "xx1", "a6"].includes(pinyin);
  expect(parseMarks(`字(${pinyin})`)[0]?.kind).toBe(isSyllable ? "reading" : "text");
});

test("a reading in full-width brackets is parsed as a mark", () => {
  expect(parseMarks("银行（hang2）")).toEqual([
    { kind: "text", text: "银", offset: 0, length: 1 },
    { kind: "reading", char: "行", pinyin: "hang2", offset: 1, length: 8 },
  ]);
});

test("an emphasis costs nothing and contains other marks", () => {
  expect(countCharacters("今天[重读]银行(hang2)[/重读]开门")).toBe(6);
  expect(parseMarks("[重读]银行(hang2)[/重读]开")).toEqual([
    { kind: "emphasis", edge: "start", offset: 0, length: 4 },
    { kind: "text", text: "银", offset: 4, length: 1 },
    { kind: "reading", char: "行", pinyin: "hang2", offset: 5, length: 8 },
    { kind: "emphasis", edge: "end", offset: 13, length: 5 },
    { kind: "text", text: "开", offset: 18, length: 1 },
  ]);
});

test("starts and ends of emphases alternate and enclose something audible", () => {
  fc.assert(
    fc.property(content, (text) => {
      let open = -1;
      for (const mark of parseMarks(text)) {
        if (mark.kind !== "emphasis") continue;
        expect(open >= 0).toBe(mark.edge === "end");
        if (mark.edge === "end") expect(text.slice(open, mark.offset)).toMatch(/[\p{L}\p{N}]/u);
        open = mark.edge === "start" ? mark.offset + mark.length : -1;
      }
      expect(open).toBe(-1);
    }),
  );
});

test.each([
  ["unclosed", "[重读]春天", 0],
  ["unopened", "春天[/重读]", 0],
  ["empty", "[重读][/重读]", 0],
  ["without sound", "[重读]，[/重读]", 0],
  ["over two rows", "[重读]春\n天[/重读]", 0],
  ["too long", `[重读]${"春".repeat(61)}[/重读]`, 0],
  ["nested: the inner one", "[重读]春[重读]天[/重读][/重读]", 2],
])("an emphasis that is %s", (_case, text, marks) => {
  expect(parseMarks(text).filter(({ kind }) => kind === "emphasis")).toHaveLength(marks);
});

test.each([
  ["你好，world 𠀀 α ½ 😀", []],
  ["こんにちは、世界の人", ["こ", "ん", "に", "ち", "は"]],
  ["안녕 Привет", ["안", "녕", "П", "р", "и", "в", "е", "т"]],
  ["ｶﾀｶﾅ", ["カ", "タ", "ナ"]],
  ["สวย سلام", ["ส", "ว", "ย", "س", "ل", "ا", "م"]],
])("letters of scripts that are not read are listed once: %s", (text, letters) => {
  expect(findUnreadLetters(text)).toEqual(letters);
});

test.each([
  ["こんにちは、ラーメン～", false],
  ["안녕 #0.5# 😀", false],
  ["[重读]Привет[/重读]", false],
  ["你好こんにちは", true],
  ["こんにちは 3", true],
  ["私の", true],
])("what is spoken of %s", (text, isSpoken) => {
  expect(hasReadableText(text)).toBe(isSpoken);
});
