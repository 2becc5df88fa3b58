import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { formatPinyin } from "~/copy/generation";
import { countCharacters } from "~server/contract/characters";
import { contextOf, markBeside, movedPolyphones, type Polyphone, toPieces, withReading } from "./pieces";

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

describe("what a line shows", () => {
  test("is its content, whole and in order, whatever polyphones are said to be where", () => {
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

  test("underlines what can be read in more than one way, and shows marks for what they are", () => {
    const kinds = toPieces("这一行#0.5#重(chong2)来", find("这一行#0.5#重(chong2)来")).map(({ kind }) => kind);
    expect(kinds).toEqual(["text", "polyphone", "pause", "reading", "text"]);
  });

  test("polyphones outside an edit stay where their characters are", () => {
    fc.assert(
      fc.property(content, content, content, content, (head, cut, put, tail) => {
        const before = head + cut + tail;
        const after = head + put + tail;
        for (const { offset, char } of movedPolyphones(find(before), before, after))
          expect(after.slice(offset, offset + char.length)).toBe(char);
      }),
    );
    expect(movedPolyphones(find("一行重"), "一行，重", "一行好，重")).toHaveLength(2);
  });
});

describe("readings", () => {
  test("writing one costs nothing, and taking it away gives the text back", () => {
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

  test("are heard among their neighbours, as far as the sentence goes", () => {
    expect(contextOf("老板，这一行都是新到的吗？", 5, "hang2")).toEqual({
      text: "这一行(hang2)都是新到的吗",
      before: "这一",
      char: "行",
      behind: "都是新到的吗",
    });
    expect(contextOf("行。", 0, "xing2")).toMatchObject({ text: "行(xing2)", behind: "" });
    expect(contextOf("好重(zhong4)行#0.5#的", 10, "xing2").text).toBe("好重(zhong4)行(xing2)");
    expect(contextOf("这一行(hang2)都", 2, "xing2").text).toBe("这一行(xing2)都");
  });

  test("marks are deleted whole, a reading without its character", () => {
    expect(markBeside("好#0.5#的", 6, "before")).toEqual({ from: 1, to: 6 });
    expect(markBeside("好#0.5#的", 1, "before")).toBeNull();
    expect(markBeside("好#0.5#的", 1, "behind")).toEqual({ from: 1, to: 6 });
    expect(markBeside("行(xing2)", 8, "before")).toEqual({ from: 1, to: 8 });
    expect(markBeside("行(xing2)", 1, "before")).toBeNull();
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
])("%s is written %s", (digits, marked) => expect(formatPinyin(digits)).toBe(marked));
