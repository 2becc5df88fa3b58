import { expect, it } from "vitest";
import { toMnemonic } from "./mnemonics";

it.each([
  ["zhong1", "ts.'ong55"],
  ["ni3", "n'i214"],
  ["hao3", "X'Au214"],
  ["shi4", "s.'i.51"],
  ["zi5", "tsi[11"],
  ["de5", "t@11"],
  ["wo3", "w'o214"],
  ["yu3", "j'y214"],
  ["yuan2", "j'y&35n"],
  ["er2", "'@r35"],
  ["lv4", "l'y51"],
  ["xue2", "S;'yE35"],
  ["qun2", "tS;h'y@35n"],
  ["guan1", "kw'a55n"],
])("%s has the mnemonics %s", (pinyin, mnemonic) => {
  expect(toMnemonic(pinyin)).toBe(mnemonic);
});

it.each([
  ["xiong1", "S;j'ong55"],
  ["qiong2", "tS;hj'ong35"],
  ["jiong3", "tS;j'ong214"],
  ["yong4", "j'ong51"],
])("a rime that eSpeak lacks is spelled: %s", (pinyin, mnemonic) => {
  expect(toMnemonic(pinyin)).toBe(mnemonic);
});

it.each([
  ["huar1", "Xw'A55r"],
  ["wanr2", "w'A35r"],
  ["zher4", "ts.'o-51r"],
  ["yidianr3", null],
  ["dianr3", "t'iA214r"],
  ["shir4", "s.'@51r"],
])("儿化 is applied: %s", (pinyin, mnemonic) => {
  expect(toMnemonic(pinyin)).toBe(mnemonic);
});

it("every syllable of the standard table has mnemonics", () => {
  const initials = [
    "",
    "b",
    "p",
    "m",
    "f",
    "d",
    "t",
    "n",
    "l",
    "g",
    "k",
    "h",
    "j",
    "q",
    "x",
    "zh",
    "ch",
    "sh",
    "r",
    "z",
    "c",
    "s",
  ];
  const syllables = initials.flatMap((initial) =>
    initial === "" ? ["a", "ai", "an", "ang", "ao", "e", "en", "er", "ou"] : [`${initial}u`],
  );
  for (const syllable of [...syllables, "yi", "wu", "yuan", "weng", "wai", "yo", "ei", "o"]) {
    expect(toMnemonic(`${syllable}1`), syllable).not.toBeNull();
  }
});

it("an invalid syllable returns null", () => {
  for (const text of ["", "hello", "ni", "v5", "qwrt2"]) expect(toMnemonic(text)).toBeNull();
});
