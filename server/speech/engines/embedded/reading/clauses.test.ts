import { expect, it } from "vitest";
import type { SpokenUnit } from "../../../engine";
import { splitClauses } from "./clauses";

const syllable = (pinyin: string): SpokenUnit => ({ kind: "syllable", pinyin, text: pinyin, offset: 0, length: 1 });
const rest = (strength: NonNullable<SpokenUnit["strength"]>): SpokenUnit => ({
  kind: "pause",
  strength,
  text: "",
  offset: 0,
  length: 1,
});
const mark = (pauseMs: number): SpokenUnit => ({ kind: "pause", pauseMs, text: "", offset: 0, length: 5 });
const [a, b] = [syllable("ni3"), syllable("hao3")];

it("clauses are split at pauses, with longer pauses for stronger punctuation", () => {
  const [first, second] = splitClauses([a, rest("comma"), b, rest("sentence")], 1);
  expect(first?.units).toEqual([a]);
  expect([first?.ending, second?.ending]).toEqual([",", "."]);
  expect(second?.pauseAfterMs).toBeGreaterThan(first?.pauseAfterMs ?? 0);
});

it("punctuation pauses are shorter at a faster pace, but exact pauses are unchanged", () => {
  const slow = splitClauses([a, rest("sentence"), b, mark(700)], 0.8);
  const fast = splitClauses([a, rest("sentence"), b, mark(700)], 1.6);
  expect(fast[0]?.pauseAfterMs).toBeLessThan(slow[0]?.pauseAfterMs ?? 0);
  expect([slow[1]?.pauseAfterMs, fast[1]?.pauseAfterMs]).toEqual([700, 700]);
});

it("exact pauses replace punctuation pauses, and consecutive ones are added", () => {
  expect(splitClauses([a, rest("comma"), mark(500), b], 1)[0]?.pauseAfterMs).toBe(500);
  expect(splitClauses([a, mark(500), mark(300), b], 1)[0]?.pauseAfterMs).toBe(800);
});

it("an exact pause before the first word is kept", () => {
  expect(splitClauses([mark(400), a], 1)[0]?.pauseBeforeMs).toBe(400);
  expect(splitClauses([rest("comma"), a], 1)[0]?.pauseBeforeMs).toBe(0);
});

it("long clauses without punctuation are split", () => {
  const clauses = splitClauses(
    Array.from({ length: 130 }, () => a),
    1,
  );
  expect(clauses.length).toBe(3);
  expect(clauses.flatMap(({ units }) => units).length).toBe(130);
});

it("question and exclamation endings are kept", () => {
  expect(splitClauses([a, rest("question")], 1)[0]?.ending).toBe("?");
  expect(splitClauses([a, rest("exclamation")], 1)[0]?.ending).toBe("!");
});

it("pauses are shorter after short clauses and between the items of a list", () => {
  const clause = (count: number) => Array.from({ length: count }, () => a);
  const pauseAfter = (count: number, text: string) =>
    splitClauses([...clause(count), { ...rest("comma"), text }, b], 1, "heard")[0]?.pauseAfterMs ?? 0;
  expect(pauseAfter(3, "，")).toBeLessThan(0.7 * pauseAfter(14, "，"));
  expect(pauseAfter(6, "、")).toBeLessThan(0.7 * pauseAfter(6, "，"));
});
