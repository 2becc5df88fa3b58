import { expect, it } from "vitest";
import { toViseme } from "./source";

it.each([
  ["", "sil"],
  ["p", "PP"],
  ["m", "PP"],
  ["f", "FF"],
  ["th", "DD"],
  ["χ", "kk"],
  ["tɕh", "CH"],
  ["ts.h", "CH"],
  ["tsh", "SS"],
  ["n", "nn"],
  ["z.", "RR"],
  ["ˈɑu", "aa"],
  ["ˈi", "ih"],
  ["ˈo", "oh"],
  ["y", "ou"],
  ["uə", "ou"],
  ["ə", "E"],
  ["ˈiɑ", "aa"],
  ["θ", "TH"],
  ["ər", "RR"],
])("the phoneme %s has the viseme %s", (ipa, viseme) => {
  expect(toViseme(ipa)).toBe(viseme);
});
