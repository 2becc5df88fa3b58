import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { scriptLinesMax } from "~server/contract/limits";
import { countCharacters } from "~server/contract/marks";
import { applyEdit, applyToHistory, createHistory, type Edit, findChange, redo, snapOffset, undo } from "./edits";
import { createLine, type Script } from "./script";

const script = (...contents: string[]): Script => ({
  title: "",
  lines: contents.map((content, index) => createLine({ id: `l${index}`, roleId: "r", content })),
});
const contents = ({ lines }: Script) => lines.map(({ content }) => content);

const word = fc.constantFrom("好", "行(xing2)", "#0.5#", "𠮷", "a", "，", " ", "#", "(", "重");
const content = fc.array(word, { maxLength: 12 }).map((words) => words.join(""));
const anyScript = fc.array(content, { minLength: 1, maxLength: 6 }).map((all) => script(...all));
const anyEdit = (size: number): fc.Arbitrary<Edit> => {
  const id = fc.integer({ min: 0, max: size }).map((index) => `l${index}`);
  return fc.oneof(
    fc.record({ type: fc.constant("text" as const), id, content }),
    fc.record({ type: fc.constant("split" as const), id, at: fc.integer({ min: -2, max: 30 }) }),
    fc.record({ type: fc.constant("merge" as const), id }),
    id.map((one) => ({ type: "remove" as const, ids: [one, "l0"] })),
    fc.tuple(id, content).map(([one, text]) => ({ type: "texts" as const, contents: new Map([[one, text]]) })),
    fc.record({ type: fc.constant("move" as const), id, to: fc.integer({ min: -2, max: 9 }) }),
    fc.record({ type: fc.constant("title" as const), title: fc.string() }),
    content.map((text) => ({
      type: "insert" as const,
      after: "l0",
      lines: [createLine({ roleId: "q", content: text })],
    })),
    id.map((one) => ({ type: "set" as const, ids: [one], change: { speed: 1.5 } })),
  );
};

describe("script edits", () => {
  test("splitting and merging a line restores its text, and both parts cost as much as the whole", () => {
    fc.assert(
      fc.property(content, fc.integer({ min: 0, max: 60 }), (text, at) => {
        const before = script(text);
        const apart = applyEdit(before, { type: "split", id: "l0", at, newId: "new" });
        const cost = contents(apart).reduce((total, part) => total + countCharacters(part), 0);
        expect(cost).toBe(countCharacters(text));
        expect(contents(applyEdit(apart, { type: "merge", id: "new" }))).toEqual([text]);
      }),
    );
  });

  test("snapOffset never returns an offset inside a mark or a surrogate pair", () => {
    expect(snapOffset("一行(xing2)人", 4)).toBe(1);
    expect(snapOffset("好#0.5#的", 3)).toBe(1);
    expect(snapOffset("𠮷", 1)).toBe(0);
    expect(snapOffset("好的", 99)).toBe(2);
  });

  test("moving lines keeps every line exactly once", () => {
    fc.assert(
      fc.property(anyScript, fc.nat(5), fc.integer({ min: -3, max: 9 }), (before, index, to) => {
        const after = applyEdit(before, { type: "move", id: `l${index}`, to });
        expect(contents(after).sort()).toEqual(contents(before).sort());
      }),
    );
  });

  test("subtitle times stay in order and apart, and within the file's, whatever is edited", () => {
    const anyTimed = fc
      .array(fc.record({ text: content, rest: fc.nat(900), lasts: fc.option(fc.nat(3000)) }), {
        minLength: 1,
        maxLength: 6,
      })
      .map((cues) => {
        let at = 0;
        const lines = cues.map(({ text, rest, lasts }, index) => {
          const line = createLine({ id: `l${index}`, roleId: "r", content: text });
          if (lasts === null) return line;
          const startMs = at + rest;
          at = startMs + lasts;
          return { ...line, startMs, endMs: at };
        });
        return { title: "", lines };
      });
    fc.assert(
      fc.property(anyTimed, fc.array(anyEdit(6), { maxLength: 12 }), (before, edits) => {
        const after = edits.reduce(applyEdit, before as Script);
        const lastMs = Math.max(0, ...before.lines.map(({ endMs = 0 }) => endMs));
        let until = 0;
        for (const { startMs, endMs } of after.lines) {
          expect(startMs === undefined).toBe(endMs === undefined);
          if (startMs === undefined || endMs === undefined) continue;
          expect(startMs).toBeGreaterThanOrEqual(until);
          expect(endMs).toBeGreaterThanOrEqual(startMs);
          until = endMs;
        }
        expect(until).toBeLessThanOrEqual(lastMs);
      }),
    );
  });

  test("splitting a line divides its subtitle time and merging restores it", () => {
    const timing = { startMs: 1000, endMs: 3000, speedUpMax: 1.5, mayOverrun: true };
    const parts = (text: string, at: number) => {
      const line = createLine({ id: "a", roleId: "r", content: text, ...timing });
      const apart = applyEdit({ title: "", lines: [line] }, { type: "split", id: "a", at, newId: "b" });
      expect(applyEdit(apart, { type: "merge", id: "b" }).lines[0]).toMatchObject(timing);
      return apart.lines.map(({ startMs, endMs }) => [startMs, endMs]);
    };
    // Marks take no time of their own.
    expect(parts("一#0.5#二三四", 6)).toEqual([
      [1000, 1500],
      [1500, 3000],
    ]);
    // A part without text leaves the whole time to the other.
    expect(parts("一二", 0)).toEqual([
      [undefined, undefined],
      [1000, 3000],
    ]);
    fc.assert(fc.property(content, fc.nat(60), (text, at) => void parts(text, at)));
  });

  test("a line that is moved before or after another time follows the line before it", () => {
    const lines = [0, 1, 2].map((index) =>
      createLine({ id: `l${index}`, roleId: "r", content: "好", startMs: index * 1000, endMs: index * 1000 + 900 }),
    );
    const moved = applyEdit({ title: "", lines }, { type: "move", id: "l2", to: 0 });
    expect(moved.lines.map(({ id, startMs }) => [id, startMs])).toEqual([
      ["l2", undefined],
      ["l0", 0],
      ["l1", 1000],
    ]);
  });

  test("a script has at least one line and at most scriptLinesMax lines", () => {
    expect(contents(applyEdit(script("好"), { type: "remove", ids: ["l0"] }))).toEqual([""]);
    const many = Array.from({ length: scriptLinesMax }, () => createLine({ roleId: "r" }));
    const full = applyEdit(script("好"), { type: "insert", after: null, lines: many });
    expect(full.lines).toHaveLength(scriptLinesMax);
    expect(applyEdit(full, { type: "split", id: full.lines[0]?.id ?? "", at: 0 })).toBe(full);
  });
});

describe("the edit history", () => {
  test("undoing all steps restores the first script, redoing all restores the last", () => {
    fc.assert(
      fc.property(anyScript, fc.array(anyEdit(7), { maxLength: 15 }), (before, edits) => {
        let history = createHistory(before);
        edits.forEach((edit, index) => {
          history = applyToHistory(history, edit, index * 5000);
        });
        const end = history.present;
        while (history.past.length > 0) history = undo(history);
        expect(history.present).toEqual(before);
        while (history.future.length > 0) history = redo(history);
        expect(history.present).toBe(end);
        expect(end.lines.length).toBeGreaterThan(0);
        expect(new Set(end.lines.map(({ id }) => id)).size).toBe(end.lines.length);
      }),
    );
  });

  test("continuous typing in one line is one step", () => {
    let history = createHistory(script("", ""));
    const type = (id: string, text: string, at: number) => {
      history = applyToHistory(history, { type: "text", id, content: text }, at);
    };
    type("l0", "你", 0);
    type("l0", "你好", 500);
    type("l0", "你好。", 2000);
    type("l1", "嗯", 2100);
    expect(history.past).toHaveLength(3);
    expect(contents(undo(history).present)).toEqual(["你好。", ""]);
    expect(contents(undo(undo(history)).present)).toEqual(["你好", ""]);
  });

  test("findChange returns the end of the first difference", () => {
    expect(findChange(script("你好", "再见"), script("你好", "再见了"))).toEqual({ id: "l1", at: 3 });
    expect(findChange(script("一"), script("一", "二"))).toEqual({ id: "l1", at: 1 });
    expect(findChange(script("一", "二"), script("一"))).toBeNull();
  });
});
