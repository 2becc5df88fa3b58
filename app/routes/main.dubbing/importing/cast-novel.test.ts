import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { castNovel, isNovel } from "./cast-novel";

const toLines = (text: string) => text.split("\n").map((row) => ({ name: null, text: row }));
/** `name: text`, with `?` behind an unsure name; narration without a name. */
const cast = (text: string) =>
  castNovel(toLines(text)).map(({ name, isUnsure, text: words }) =>
    name === null ? `${isUnsure ? "?: " : ""}${words}` : `${name}${isUnsure ? "?" : ""}: ${words}`,
  );

describe("the cast of a novel", () => {
  it("is read from the narration before and behind a quotation", () => {
    expect(cast("老张把茶碗放下，慢慢地说：“这条路，我走了三十年。”")).toEqual([
      "老张把茶碗放下，慢慢地说：",
      "老张: 这条路，我走了三十年。",
    ]);
    expect(cast("“见过。”老张笑道，“有来的，也有走的。”")).toEqual([
      "老张: 见过。",
      "老张笑道，",
      "老张: 有来的，也有走的。",
    ]);
    expect(cast("王掌柜点点头说：“有。”\n王掌柜摆摆手。“不用谢。”")).toContain("王掌柜: 不用谢。");
    expect(cast("我说：“谢谢。”")).toContain("我: 谢谢。");
    expect(cast("亚历山大·彼得大声喊道：“快看外面！”")).toContain("亚历山大·彼得: 快看外面！");
  });

  it("goes on in turns, which is unsure", () => {
    const talk = "林小雨问老张：“您记得我爸爸吗？”\n老张反问：“你爸爸是谁？”\n“他叫林远。”\n“我记得。”\n“真的？”她说。";
    expect(cast(talk).slice(4)).toEqual(["林小雨?: 他叫林远。", "老张?: 我记得。", "林小雨?: 真的？", "她说。"]);
  });

  it("keeps the speaker of a speech that goes on in the next paragraph", () => {
    expect(cast("王老师说：“第一件事。\n“第二件事。”")).toEqual([
      "王老师说：",
      "王老师: 第一件事。",
      "王老师: 第二件事。",
    ]);
  });

  it("leaves terms in quotation marks to the narration, and marks a talk of strangers", () => {
    expect(cast("大家都叫他“老大”，可他并不喜欢。")).toEqual(["大家都叫他“老大”，可他并不喜欢。"]);
    expect(cast("“谁在外面？”")).toEqual(["?: 谁在外面？"]);
  });

  it("tells a surname with a given name from a surname with an adverb", () => {
    expect(cast("沈砚慢慢说：“来了。”\n沈砚又问：“谁？”")).toContain("沈砚: 来了。");
    expect(cast("「走吧。」李明月说。\n李明月关上门。李明月道：「快。」")).toContain("李明月: 走吧。");
  });

  it("gives no part of a paragraph the stage direction of the whole", () => {
    const line = { name: null, text: "老张说：“走吧。”", directions: { written: "（笑）老张说：“走吧。”" } };
    expect(castNovel([line]).map(({ directions }) => directions)).toEqual([undefined, undefined]);
  });

  it("loses no character", () => {
    const part = fc.constantFrom("“", "”", "「", "」", '"', "老张", "说：", "走吧", "。", "，", "她", "x");
    const withoutMarks = (text: string) => text.replace(/[“”「」『』"\s]/gu, "");
    fc.assert(
      fc.property(fc.array(fc.array(part).map((parts) => parts.join(""))), (rows) => {
        const spoken = castNovel(rows.map((text) => ({ name: null, text })));
        expect(withoutMarks(spoken.map(({ text }) => text).join(""))).toBe(withoutMarks(rows.join("")));
      }),
    );
  });
});

describe("a novel", () => {
  const talk = "“走吧。”老张说。\n“好。”\n“再见。”";
  it("has talk in quotation marks", () => {
    expect(isNovel(toLines(talk))).toBe(true);
    expect(isNovel(toLines("今天下雨。\n他的“计划”失败了。"))).toBe(false);
  });
  it("has neither names nor times of its own", () => {
    expect(isNovel([...toLines(talk), { name: "老张", text: "走吧" }])).toBe(false);
    expect(isNovel([...toLines(talk), { name: null, text: "走吧", startMs: 0, endMs: 1 }])).toBe(false);
  });
});
