import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { formatPinyin } from "~/copy/generation";
import { countCharacters } from "~server/contract/marks";
import { contextOf, findMarkAt, type Polyphone, shiftPolyphones, toPieces, withoutMark, withReading } from "./pieces";

const word = fc.constantFrom("好", "行", "行(xing2)", "重", "#0.5#", "𠮷", "a", "，", " ", "#", "(", ")", "1");
const content = fc.array(word, { maxLength: 15 }).map((words) => words.join(""));
const find = (text: string): Polyphone[] =>
  [...text.matchAll(/[行重](?!\()/g)].map(({ 0: char, index }) => ({
    offset: index,
    char,
    reading: "x",
    candidates: ["x", "y"],
    examples: [],
  }));

describe("toPieces", () => {
  test("covers the whole content in order for any set of polyphones", () => {
    const anywhere = fc.array(fc.record({ offset: fc.nat(30), char: fc.constantFrom("行", "重", "好") }));
    fc.assert(
      fc.property(content, anywhere, (text, places) => {
        const polyphones = places.map((place) => ({ ...place, reading: "", candidates: [], examples: [] }));
        const pieces = toPieces(text, polyphones);
        expect(pieces.map(({ raw }) => raw).join("")).toBe(text);
        for (const { raw, offset } of pieces) expect(text.slice(offset, offset + raw.length)).toBe(raw);
      }),
    );
  });

  test("separates polyphones, pauses and readings from text", () => {
    const kinds = toPieces("这一行#0.5#重(chong2)来", find("这一行#0.5#重(chong2)来")).map(({ kind }) => kind);
    expect(kinds).toEqual(["text", "polyphone", "pause", "reading", "text"]);
  });

  test("shiftPolyphones keeps polyphones outside an edit on their characters", () => {
    fc.assert(
      fc.property(content, content, content, content, (head, cut, put, tail) => {
        const before = head + cut + tail;
        const after = head + put + tail;
        for (const { offset, char } of shiftPolyphones(find(before), before, after))
          expect(after.slice(offset, offset + char.length)).toBe(char);
      }),
    );
    expect(shiftPolyphones(find("一行重"), "一行，重", "一行好，重")).toHaveLength(2);
  });
});

describe("reading marks", () => {
  test("setting a reading adds no cost, and removing it restores the text", () => {
    fc.assert(
      fc.property(content, (text) => {
        for (const { offset } of find(text)) {
          const marked = withReading(text, offset, "hang2");
          expect(countCharacters(marked)).toBe(countCharacters(text));
          expect(withReading(marked, offset, null)).toBe(text);
          expect(withReading(marked, offset, "xing2")).toBe(withReading(text, offset, "xing2"));
        }
      }),
    );
  });

  test("contextOf returns the neighbouring characters within the clause", () => {
    expect(contextOf("老板，这一行都是新到的吗？", 5, "hang2")).toEqual({
      text: "这一行(hang2)都是新到的吗",
      before: "这一",
      char: "行",
      after: "都是新到的吗",
    });
    expect(contextOf("行。", 0, "xing2")).toMatchObject({ text: "行(xing2)", after: "" });
    expect(contextOf("好重(zhong4)行#0.5#的", 10, "xing2").text).toBe("好重(zhong4)行(xing2)");
    expect(contextOf("这一行(hang2)都", 2, "xing2").text).toBe("这一行(xing2)都");
  });

  test("findMarkAt returns whole marks, and a reading without its character", () => {
    expect(findMarkAt("好#0.5#的", 6, "before")).toEqual({ from: 1, to: 6 });
    expect(findMarkAt("好#0.5#的", 1, "before")).toBeNull();
    expect(findMarkAt("好#0.5#的", 1, "after")).toEqual({ from: 1, to: 6 });
    expect(findMarkAt("行(xing2)", 8, "before")).toEqual({ from: 1, to: 8 });
    expect(findMarkAt("行(xing2)", 1, "before")).toBeNull();
  });
});

test.each([
  ["hang2", "háng"],
  ["xing2", "xíng"],
  ["zhong4", "zhòng"],
  ["lv4", "lǜ"],
  ["liu2", "liú"],
  ["gui4", "guì"],
  ["zhou1", "zhōu"],
  ["huar1", "huār"],
  ["xue2", "xué"],
  ["de5", "de"],
  ["???", "???"],
])("formatPinyin formats %s as %s", (digits, marked) => expect(formatPinyin(digits)).toBe(marked));

test("deleting one end of an emphasis deletes both", () => {
  const text = "他[重读]明天[/重读]来，[重读]你[/重读]去";
  const [start, end] = [findMarkAt(text, 5, "before"), findMarkAt(text, 7, "after")];
  for (const mark of [start, end]) {
    expect(mark && withoutMark(text, mark)).toBe("他明天来，[重读]你[/重读]去");
  }
  expect(
    toPieces(text)
      .map(({ raw }) => raw)
      .join(""),
  ).toBe(text);
  expect(contextOf(text, 5, null).text).not.toContain("重读");
});
