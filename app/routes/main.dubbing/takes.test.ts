import { expect, test } from "vitest";
import { createLine, lineKeyOf, type ScriptLine } from "./editor/script";
import { parseTakes, takesMax } from "./stored-draft";
import { withTakes } from "./takes";

const lineOf = (content: string) => createLine({ id: "a", roleId: "r", content });
const every = { has: () => true };
const record = (lines: ScriptLine[]) =>
  lines.reduce(
    (takes, line, index) => withTakes(takes, [line], every, index),
    new Map() as ReturnType<typeof withTakes>,
  );

test("each rendering of a line is kept once, newest first, and only the last five", () => {
  const lines = ["一", "二", "一", "三", "四", "五", "六"].map(lineOf);
  const kept = record(lines).get("a") ?? [];
  expect(kept.map(({ line }) => line.content)).toEqual(["六", "五", "四", "三", "二"]);
  expect(kept).toHaveLength(takesMax);
  expect(kept[0]?.key).toBe(lineKeyOf(lineOf("六")));
});

test("a line without audio adds no take, and an unchanged line leaves the takes the same object", () => {
  const takes = record([lineOf("一")]);
  expect(withTakes(takes, [lineOf("二")], { has: () => false }, 1)).toBe(takes);
  expect(withTakes(takes, [lineOf("一")], every, 1)).toBe(takes);
});

test("a take whose audio was deleted makes room for a new one", () => {
  const takes = record(["一", "二", "三", "四", "五"].map(lineOf));
  const deleted = lineKeyOf(lineOf("四"));
  const next = withTakes(takes, [lineOf("六")], { has: (key) => key !== deleted }, 9).get("a");
  expect(next?.map(({ line }) => line.content)).toEqual(["六", "五", "三", "二", "一"]);
});

test("stored takes are read without invalid ones", () => {
  const stored = [...record([lineOf("一")])];
  expect(parseTakes(structuredClone(stored))).toEqual(stored);
  expect(parseTakes([["a", [{ key: 1 }, null]], ["b"], 3])).toEqual([["a", []]]);
  expect(parseTakes(undefined)).toEqual([]);
});
