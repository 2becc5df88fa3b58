import fc from "fast-check";
import { expect, test } from "vitest";
import { countCharacters, parseMarks, withEmphasis } from "~server/contract/marks";
import { withPause } from "./text-field";

const text = fc
  .array(fc.constantFrom("春", "行", "𠮷", "a", " ", "，", "#0.5#", "行(xing2)", "("), { maxLength: 12 })
  .map((parts) => parts.join(""));
const place = fc.nat({ max: 60 });

test("withPause inserts one pause at any position without a cost", () => {
  fc.assert(
    fc.property(text, place, fc.constantFrom(0.3, 0.5, 1, 2), (content, position, seconds) => {
      const at = Math.min(position, content.length);
      fc.pre(!isInsidePair(content, at));
      const marked = withPause(content, { start: at, end: at }, seconds);
      expect(countCharacters(marked.content)).toBe(countCharacters(content));
      const pauses = (of: string) => parseMarks(of).filter(({ kind }) => kind === "pause").length;
      expect(pauses(marked.content)).toBe(pauses(content) + 1);
      expect(marked.content.slice(0, marked.caret).endsWith(`#${seconds}#`)).toBe(true);
    }),
  );
});

const isInsidePair = (content: string, at: number) => /[\udc00-\udfff]/.test(content[at] ?? "");

test("withEmphasis marks the selection without a cost, and removes the mark again", () => {
  const marked = withEmphasis("他明天来", { start: 1, end: 3 });
  expect(marked).toEqual({ content: "他[重读]明天[/重读]来", caret: 12 });
  expect(withEmphasis(marked?.content ?? "", { start: 6, end: 6 })?.content).toBe("他明天来");
  const caret = marked?.caret ?? 0;
  expect(withEmphasis(marked?.content ?? "", { start: caret, end: caret })?.content).toBe("他明天来");
  expect(withEmphasis("他明天来", { start: 2, end: 2 })?.content).toBe("他[重读]明[/重读]天来");
});

test("withEmphasis never cuts a mark and keeps the number of characters", () => {
  fc.assert(
    fc.property(text, place, place, (content, from, to) => {
      const [start, end] = [Math.min(from, to, content.length), Math.min(Math.max(from, to), content.length)];
      fc.pre(!isInsidePair(content, start) && !isInsidePair(content, end));
      const marked = withEmphasis(content, { start, end });
      if (marked) expect(countCharacters(marked.content)).toBe(countCharacters(content));
    }),
  );
});

test.each([
  ["nothing selected and no character before", "春", { start: 0, end: 0 }],
  ["two rows", "春\n天", { start: 0, end: 3 }],
  ["only punctuation", "春，天", { start: 1, end: 2 }],
])("withEmphasis returns null with %s", (_case, content, selection) => {
  expect(withEmphasis(content, selection)).toBeNull();
});
