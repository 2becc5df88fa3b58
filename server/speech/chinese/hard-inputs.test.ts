import { describe, expect, test } from "vitest";
import type { SpokenUnit } from "../engine";
import cases from "./hard-inputs.cases.json";
import { prepareText } from "./prepare";

/**
 * `expectation` starts with `=` (a spoken form that is read the same), `~` (the whole reading in pinyin after sandhi) or
 * `@` (single characters in order, each with its reading); `|` separates alternatives.
 */
function isReadAsExpected(text: string, expectation: string): boolean {
  const { units } = prepareText(text);
  return expectation
    .slice(1)
    .split(/\|[~@=]?/)
    .some((alternative) => matches(units, expectation[0] ?? "", alternative));
}

function matches(units: readonly SpokenUnit[], kind: string, alternative: string): boolean {
  if (kind === "=") return toReading(units) === toReading(prepareText(alternative).units);
  if (kind === "~") return toReading(units) === alternative.trim();
  const wanted = alternative.trim().split(/\s+/);
  const seen = units.flatMap((unit) => (unit.kind === "syllable" ? [`${firstOf(unit.text)}${unit.pinyin}`] : []));
  let next = 0;
  for (const each of wanted) {
    const at = seen.findIndex((unit, index) => index >= next && firstOf(unit) === firstOf(each));
    if (at < 0 || seen[at] !== each) return false;
    next = at + 1;
  }
  return true;
}

const firstOf = (text: string) => [...text][0] ?? "";

function toReading(units: readonly SpokenUnit[]): string {
  return units
    .flatMap((unit) => {
      if (unit.kind === "pause") return [];
      return unit.kind === "latin" ? [unit.text.toLowerCase()] : [unit.pinyin ?? ""];
    })
    .join(" ");
}

describe.each(Object.entries(cases))("hard inputs, %s", (_kind, inputs) => {
  test.each(Object.entries(inputs))("%s", (text, expectation) => {
    expect(isReadAsExpected(text, expectation)).toBe(true);
  });
});

test.each([
  ["学校举行长跑比赛", "@行xing2 长chang2"],
  ["这种子弹很危险", "@种zhong3 子zi3 弹dan4"],
  ["海关系统升级", "@关guan1 系xi4"],
  ["他为难过的人服务", "@难nan2"],
  ["中间谍被捕", "@间jian4"],
  ["发现在场的人", "@现xian4 在zai4 场chang3"],
])("no word is matched across the words of %s", (text, expectation) => {
  expect(isReadAsExpected(text, expectation)).toBe(true);
});
