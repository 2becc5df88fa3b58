import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import { prepareText } from "../../chinese/prepare";
import { commonReadings, readCharacters } from "../../chinese/readings/read";
import homophones from "./homophones.json";
import { toPlainText, toTextRuns } from "./runs";

const written = (content: string, dictionary: Array<{ word: string; pinyin: string }> = []) =>
  toTextRuns(prepareText(content, { dictionary }).units)
    .map(({ text }) => text)
    .join("|");

test.each(Object.entries(homophones))("%s is listed as the only reading of %s", (reading, character) => {
  const usual = commonReadings(character);
  expect(readCharacters([character])).toEqual([reading]);
  expect(usual.length === 0 || (usual.length === 1 && usual[0] === reading)).toBe(true);
});

describe("the text for servers", () => {
  it("equals the original except for explicit readings", () => {
    expect(written("银行的行长走了。")).toBe("银行的行长走了。");
    expect(written("银行(hang2)的行长(zhang3)走了。")).toBe("银航的行掌走了。");
    expect(written("重(chong2)庆#0.5#重庆")).toBe("虫庆|重庆");
  });

  it("applies the dictionary to characters and keeps other words", () => {
    expect(written("去朝阳。", [{ word: "朝阳", pinyin: "zhao1 yang2" }])).toBe("去昭阳。");
    expect(written("用 API 吧", [{ word: "API", pinyin: "ei1 pi1 ai4" }])).toBe("用API吧");
    expect(written("银山", [{ word: "银山", pinyin: "yin2 shan1" }])).toBe("银山");
    expect(written("一只干儿", [{ word: "干", pinyin: "gan4" }])).not.toContain("干");
    expect(written("一朵花儿", [{ word: "花", pinyin: "hua1" }])).toBe("一朵花儿");
  });

  it("keeps a character without an unambiguous homophone", () => {
    expect(homophones).not.toHaveProperty("zhe5");
    expect(written("看着(zhe5)")).toBe("看着");
  });

  it("keeps the number of characters and the explicit readings", () => {
    const characters = "行重长乐朝还都差教数便藏曾量" as const;
    const marked = fc
      .constantFrom(...characters)
      .chain((char) => fc.constantFrom(...commonReadings(char)).map((reading) => ({ char, reading })));
    fc.assert(
      fc.property(fc.array(fc.oneof(marked, fc.constantFrom("我", "们", "山", "水")), { minLength: 1 }), (parts) => {
        const content = parts.map((part) => (typeof part === "string" ? part : `${part.char}(${part.reading})`));
        const { units } = prepareText(content.join(""));
        const text = [...toPlainText(units)];
        expect(text).toHaveLength(parts.length);
        for (const [index, part] of parts.entries()) {
          const given = text[index] ?? "";
          if (typeof part === "string") expect(given).toBe(part);
          else if (given !== part.char) expect(readCharacters([given])).toEqual([part.reading]);
          else expect(homophones).not.toHaveProperty(part.reading);
        }
        expect(units.map(({ text }) => text).join("")).toBe(content.join(""));
      }),
    );
  });
});
