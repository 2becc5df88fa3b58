import { describe, expect, test } from "vitest";
import { isReadAsExpected } from "../../../tests/bench/hard-inputs";
import cases from "./hard-inputs.cases.json";

describe.each(Object.entries(cases))("hard inputs, %s", (kind, inputs) => {
  test.each(Object.entries(inputs))("%s", (text, expectation) => {
    expect(isReadAsExpected({ kind, text, expectation })).toBe(true);
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
  expect(isReadAsExpected({ kind: "boundary", text, expectation })).toBe(true);
});
