import { describe, expect, test } from "vitest";
import type { SpokenUnit } from "../engine";
import { prepareText } from "./prepare";
import cases from "./prepare.cases.json";

const signs = { comma: ",", sentence: ".", question: "?", exclamation: "!", paragraph: "¶" };

function write({ kind, pinyin, pauseMs, strength, text }: SpokenUnit): string {
  if (kind === "pause") return pauseMs ? `<${pauseMs}>` : signs[strength ?? "comma"];
  return pinyin ?? text;
}

describe.each(Object.entries(cases))("%s", (_, sentences) => {
  test.each(Object.entries(sentences))("%s", (sentence, expected) => {
    expect(prepareText(sentence).units.map(write).join(" ")).toBe(expected);
  });
});
