import fc from "fast-check";
import { expect, test } from "vitest";
import { findMatches, replaceMatches } from "./find-bar";

const lines = (...contents: string[]) => contents.map((content, index) => ({ id: `l${index}`, content }));

test("a text is found in every line, without regard to case, across readings and emphasis but not across pauses", () => {
  const found = findMatches(lines("老板，好老板", "老[重读]板(ban3)[/重读]", "老#0.5#板", "OK ok"), "老板");
  expect(found).toEqual([
    { id: "l0", from: 0, to: 2 },
    { id: "l0", from: 4, to: 6 },
    { id: "l1", from: 0, to: 12 },
  ]);
  expect(findMatches(lines("OK ok"), "Ok")).toHaveLength(2);
  expect(findMatches(lines("好"), "")).toEqual([]);
});

test("replacing leaves the marks outside of the matches as they are", () => {
  const script = lines("银行(hang2)#0.5#的老板", "老板娘");
  expect([...replaceMatches(script, findMatches(script, "老板"), "掌柜")]).toEqual([
    ["l1", "掌柜娘"],
    ["l0", "银行(hang2)#0.5#的掌柜"],
  ]);
});

test("no match is left after all matches are replaced by other characters", () => {
  const word = fc.constantFrom("甲", "乙", "甲乙", "#0.5#", "行(xing2)", "，", "İ", "A");
  const content = fc.array(word, { maxLength: 12 }).map((words) => words.join(""));
  fc.assert(
    fc.property(fc.array(content, { maxLength: 5 }), fc.constantFrom("甲", "甲乙", "行", "a"), (contents, sought) => {
      const script = lines(...contents);
      const changed = replaceMatches(script, findMatches(script, sought), "丙");
      const after = script.map((line) => ({ ...line, content: changed.get(line.id) ?? line.content }));
      expect(findMatches(after, sought)).toEqual([]);
      expect(after.map(({ content: text }) => text.replace(/丙/g, "")).join("").length).toBeLessThanOrEqual(
        contents.join("").length,
      );
    }),
  );
});
