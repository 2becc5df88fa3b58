import fc from "fast-check";
import { expect, test } from "vitest";
import { prepareText } from "./prepare";

const piece = fc.oneof(
  fc.string({ unit: "binary" }),
  fc.string({ unit: fc.constantFrom(..."0123456789.,:-/%¥$+年月日点号个万亿第℃A x") }),
  fc.constantFrom(
    "花儿",
    "儿",
    "#0.5#",
    "行(xing2)",
    "一不一",
    "¥1,234.50",
    "13812345678",
    "ＡＢＣ",
    "½",
    "①",
    "1️⃣",
    "👩‍👩‍👧",
    "é",
    "𠮷",
    "\n",
    "10%-20%",
  ),
);
const content = fc.array(piece, { maxLength: 30 }).map((pieces) => pieces.join(""));

test("any text is prepared with increasing offsets within the text", () => {
  fc.assert(
    fc.property(content, (text) => {
      let offset = 0;
      for (const unit of prepareText(text).units) {
        expect(unit.offset).toBeGreaterThanOrEqual(offset);
        expect(unit.length).toBeGreaterThan(0);
        expect(unit.offset + unit.length).toBeLessThanOrEqual(text.length);
        if (unit.kind === "syllable") {
          expect(unit.pinyin).toMatch(/^[a-zê]+[1-5]$/);
          expect(unit.tone).toBe(Number(unit.pinyin?.at(-1)));
        }
        if (unit.kind !== "latin") expect(unit.text).toBe(text.slice(unit.offset, unit.offset + unit.length));
        offset = unit.offset;
      }
    }),
    { numRuns: 500 },
  );
});

test("any dictionary is accepted without an exception", () => {
  const entry = fc.record({ word: fc.string(), pinyin: fc.oneof(fc.string(), fc.constant("hang2 zhang3")) });
  fc.assert(
    fc.property(content, fc.array(entry), (text, dictionary) => {
      expect(prepareText(text, { dictionary }).units).toBeInstanceOf(Array);
    }),
  );
});

test("a mark's reading takes precedence, and its pause keeps its length and the punctuation's strength", () => {
  const { units } = prepareText("行(xing2)长#0.5#，你好");
  expect(units.map(({ pinyin, pauseMs, strength }) => pinyin ?? [pauseMs, strength])).toEqual([
    "xing2",
    "zhang3",
    [500, "comma"],
    "ni2",
    "hao3",
  ]);
  expect(units[0]).toMatchObject({ text: "行(xing2)", offset: 0, length: 8 });
});

test("the dictionary replaces whole words, including Latin ones", () => {
  const dictionary = [
    { word: "重楼", pinyin: "zhong4 lou2" },
    { word: "Nginx", pinyin: "en1 jin4 ai2 ke4 si5" },
  ];
  const { units } = prepareText("重楼用Nginx。", { dictionary });
  expect(units.map(({ pinyin }) => pinyin).join(" ")).toBe("zhong4 lou2 yong4 en1 jin4 ai2 ke4 si5 ");
  expect(units[4]).toMatchObject({ text: "Nginx", offset: 3, length: 5 });
});

test("the syllables of a number share its offset", () => {
  const units = prepareText("共12.5%。").units.filter(({ kind }) => kind === "syllable");
  expect(units.slice(1).map(({ text, offset, length }) => [text, offset, length])).toEqual(
    new Array(7).fill(["12.5%", 1, 5]),
  );
});

test("syllables inside an emphasis are marked and keep their offsets and readings", () => {
  const { units } = prepareText("他[重读]银行(hang2)[/重读]上班");
  expect(units.map(({ text, offset, isEmphasised }) => [text[0], offset, isEmphasised ?? false])).toEqual([
    ["他", 0, false],
    ["银", 5, true],
    ["行", 6, true],
    ["上", 19, false],
    ["班", 20, false],
  ]);
});

test("a long run of signs is read to its end", () => {
  const content = "=ab".repeat(6000);
  const last = prepareText(content).units.at(-1);
  expect((last?.offset ?? 0) + (last?.length ?? 0)).toBe(content.length);
});
