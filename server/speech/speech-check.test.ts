import { describe, expect, it } from "vitest";
import { prepareText } from "./chinese/prepare";
import cases from "./chinese/prepare.cases.json";
import type { SpokenUnit } from "./engine";
import { compareReadings } from "./speech-check";

const compare = (text: string, heard: string) => compareReadings(prepareText(text), prepareText(heard));
const kindsOf = (text: string, heard: string) => compare(text, heard).map(({ kind, text: word }) => [kind, word]);

describe("compareReadings", () => {
  it.each([
    ["equal texts", "今天天气真好。", "今天天气真好"],
    ["homophones", "他在公园里散步。", "她再公圆里伞步。"],
    ["other tones", "买东西。", "卖东西。"],
    ["numbers in words", "今天是3月5日，一共120元。", "今天是三月五日，一共一百二十元。"],
    ["the suffix 儿 apart and together", "花儿开了，我们去玩儿。", "花开了，我们去玩。"],
    ["another character of the text's reading", "银行(xing2)", "银行"],
    ["a Latin word in another spelling", "我用ChatGPT写邮件。", "我用Chat GBT写邮件。"],
    ["a Latin name in Chinese characters", "Tom来了。", "汤姆来了。"],
  ])("has no doubt about %s", (_, text, heard) => {
    const missing = compare(text as string, heard as string).filter(({ kind }) => kind !== "added");
    expect(missing).toEqual([]);
  });

  it("reports missing, wrong and added words with their place in the text", () => {
    expect(compare("今天天气真好。", "今天气真好。")).toEqual([
      { kind: "missing", text: "天", offset: expect.any(Number) },
    ]);
    expect(compare("他明天来。", "他后天来。")).toEqual([{ kind: "wrong", text: "明", offset: 1, heard: "后" }]);
    expect(compare("他明天来。", "他明天再来。")).toEqual([{ kind: "added", text: "来", offset: 3, heard: "再" }]);
  });

  it("doubts every syllable where nothing was heard", () => {
    expect(kindsOf("你好", "")).toEqual([
      ["missing", "你"],
      ["missing", "好"],
    ]);
  });

  it("finds at least 95 % of injected faults, and none in homophones, in all reading cases", () => {
    const others = ["ba1", "guo4", "shen2", "li3", "pang2"];
    let [injected, found, false_] = [0, 0, 0];
    const texts = Object.values(cases).flatMap((group) => Object.keys(group));
    for (const [i, text] of texts.entries()) {
      const expected = prepareText(text);
      const places = expected.units.flatMap((unit, at) =>
        unit.kind === "syllable" && !unit.pinyin?.startsWith("er") ? [at] : [],
      );
      const at = places[i % Math.max(1, places.length)];
      if (at === undefined) continue;
      // Other characters: only the sound can be compared.
      const spoken = expected.units.map(
        (unit): SpokenUnit => ({ ...unit, text: unit.kind === "latin" ? unit.text : "〇" }),
      );
      false_ += compareReadings(expected, { units: spoken }).length;
      const target = spoken[at] as SpokenUnit;
      const base = target.pinyin?.replace(/r?[1-5]$/, "");
      const pinyin = others.find((other) => other.replace(/\d/, "") !== base) ?? "ba1";
      const faulty = [
        spoken.toSpliced(at, 1),
        spoken.with(at, { ...target, pinyin }),
        spoken.toSpliced(at, 0, { ...target, pinyin }),
      ];
      for (const units of faulty) {
        injected++;
        if (compareReadings(expected, { units }).length > 0) found++;
      }
    }
    expect(injected).toBeGreaterThan(300);
    expect(false_).toBe(0);
    expect(found / injected).toBeGreaterThanOrEqual(0.95);
  });
});
