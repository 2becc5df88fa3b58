import { expect, test } from "vitest";
import { computeCost, createLine, groupLines, lineKeyOf, type ScriptLine } from "./script";
import { createScriptStore } from "./store";

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

const group = (count: number) => {
  const lines = Array.from({ length: count }, (_, index) => line(`${index}`));
  return { lines, groups: groupLines(lines, []) };
};
const at = (lines: readonly ScriptLine[], index: number) => lines[index] as ScriptLine;
/** The groups as the contents of their lines. */
const shown = (groups: ReturnType<typeof groupLines>) => groups.map(({ lines }) => lines.map(({ content }) => content));

test("groupLines divides a long script and keeps the order", () => {
  const { groups } = group(20);
  expect(groups.map(({ lines }) => lines.length)).toEqual([8, 8, 4]);
  expect(shown(groups).flat()).toEqual(Array.from({ length: 20 }, (_, index) => `${index}`));
});

test("groupLines changes only the group of an edited, added or removed line", () => {
  const { lines, groups } = group(20);
  const edited = groupLines(lines.with(10, { ...at(lines, 10), content: "new" }), groups);
  const added = groupLines(lines.toSpliced(10, 0, line("new")), groups);
  const removed = groupLines(lines.toSpliced(8, 1), groups);
  const atEnd = groupLines([...lines, line("new")], groups);
  for (const next of [edited, added, removed]) {
    expect(next.map(({ key }) => key)).toEqual(groups.map(({ key }) => key));
    expect([next[0], next[2]]).toEqual([groups[0], groups[2]]);
    expect(next[0]).toBe(groups[0]);
    expect(next[2]).toBe(groups[2]);
  }
  expect(added[1]?.lines).toHaveLength(9);
  expect(atEnd.slice(0, 2)).toEqual(groups.slice(0, 2));
});

test("a text edit keeps the layout's ids, keys and all groups but one; an added line keeps the keys", () => {
  const { lines } = group(20);
  const store = createScriptStore({ title: "", lines });
  const before = store.layout();
  store.edit({ type: "text", id: at(lines, 10).id, content: "new" });
  const after = store.layout();
  expect([after.ids, after.keys]).toEqual([before.ids, before.keys]);
  expect(after.ids).toBe(before.ids);
  expect(after.keys).toBe(before.keys);
  const [first = 0, second = 0] = after.keys;
  expect(after.linesOf(first)).toEqual(lines.slice(0, 8));
  const kept = after.linesOf(first);
  expect(after.linesOf(second)[2]?.content).toBe("new");
  store.edit({ type: "insert", after: at(lines, 10).id, lines: [line("added")] });
  const { ids, keys, linesOf } = store.layout();
  expect(ids).toEqual(store.get().lines.map(({ id }) => id));
  expect(keys).toBe(before.keys);
  expect(linesOf(first)).toBe(kept);
  expect(linesOf(second)).toHaveLength(9);
});

test("groupLines changes the group of one line at most when a line is moved up or down", () => {
  const { lines, groups } = group(48);
  const keyOf = (all: typeof groups) => new Map(all.flatMap(({ key, lines }) => lines.map(({ id }) => [id, key])));
  for (const [from, to] of [
    [40, 3],
    [3, 40],
    [7, 8],
    [8, 7],
    [47, 0],
    [0, 47],
  ] as const) {
    const moved = groupLines(lines.toSpliced(from, 1).toSpliced(to, 0, at(lines, from)), groups);
    const before = keyOf(groups);
    const changed = [...keyOf(moved)].filter(([id, key]) => before.get(id) !== key);
    expect(changed.length).toBeLessThanOrEqual(1);
  }
});

test("groupLines gives new keys to groups of a replaced script", () => {
  const { groups } = group(20);
  const { lines } = group(20);
  const replaced = groupLines(lines, groups);
  const keys = [...groups, ...replaced].map(({ key }) => key);
  expect(new Set(keys).size).toBe(keys.length);
});
