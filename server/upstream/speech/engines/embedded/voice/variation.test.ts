import { expect, it } from "vitest";
import { prepareText } from "../../../chinese/prepare";
import { splitClauses } from "../reading/clauses";
import { varyWords } from "./variation";

const sentence = "昨天晚上我和朋友一起去看了一场精彩的足球比赛。";
const clausesOf = (content: string, repetition = 0) => splitClauses(prepareText(content).units, 1, repetition);
const variationsOf = (content: string, repetition = 0) =>
  clausesOf(content, repetition).map(({ units, place }) => varyWords(units, place));
const spread = (values: number[]) => {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  return Math.sqrt(values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length);
};

it("the same request varies the same way each time", () => {
  expect(variationsOf(sentence)).toEqual(variationsOf(sentence));
  expect(clausesOf(sentence)).toEqual(clausesOf(sentence));
});

it("a sentence that occurs again in a text differs in pitch, length and pause", () => {
  const [first, second] = variationsOf(sentence.repeat(2));
  expect(second?.length).toBe(first?.length);
  expect(second?.map(({ raiseSt }) => raiseSt)).not.toEqual(first?.map(({ raiseSt }) => raiseSt));
  expect(second?.map(({ length }) => length)).not.toEqual(first?.map(({ length }) => length));
  const [before, after] = clausesOf(sentence.repeat(2));
  expect(after?.pauseAfterMs).not.toBe(before?.pauseAfterMs);
  expect(variationsOf(sentence, 1)).not.toEqual(variationsOf(sentence));
});

it("a question varies like its statement, so that only its intonation differs", () => {
  expect(variationsOf("他明天来？")).toEqual(variationsOf("他明天来。"));
  expect(variationsOf("他明天来吗？")[0]?.slice(0, 4)).toEqual(variationsOf("他明天来。")[0]);
});

it("words spread by about a semitone and syllables by a twentieth of their length or more, without outliers", () => {
  const all = [
    "请把窗户关好，外面的风越来越大，可能很快就要下雨了。",
    sentence,
    "他从抽屉里拿出一封旧信，慢慢地读完，然后笑了笑。",
  ]
    .flatMap((content) => variationsOf(content))
    .flat();
  const raises = all.map(({ raiseSt }) => raiseSt);
  expect(spread(raises)).toBeGreaterThan(0.6);
  expect(spread(raises)).toBeLessThan(1.4);
  expect(Math.max(...raises.map(Math.abs))).toBeLessThan(3);
  const lengths = all.map(({ length }) => Math.log(length));
  expect(spread(lengths)).toBeGreaterThan(0.05);
  expect(Math.max(...lengths.map(Math.abs))).toBeLessThan(0.4);
  expect(all.every(({ gainDb }) => Math.abs(gainDb) < 2)).toBe(true);
});
