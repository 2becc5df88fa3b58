import { expect, test } from "vitest";
import { moods, toAskedMood, toMood } from "~/features/tone/tone";
import { parseLine } from "./parsed-line";

const toneOf = (line: string) => {
  const mood = parseLine(line).directions?.mood;
  return mood && toAskedMood(mood);
};

test.each([
  ["（轻声）天刚亮。", null, "天刚亮。", toMood("gentle")],
  ["（笑着说）老板在吗？", null, "老板在吗？", toMood("happy")],
  ["(有点生气地)你来了", null, "你来了", toMood("angry", "light")],
  ["[非常着急]快走", null, "快走", toMood("urgent", "strong")],
  ["【哽咽】我没事", null, "我没事", toMood("sad")],
  ["（叹气）算了", null, "算了", { genre: 2, pitch: 0, volume: 0, ext: { melancholic: 0.7 } }],
  ["沈砚：（平静地问）去哪里？", "沈砚", "去哪里？", toMood("calm")],
  ["沈砚（惊讶）：你？", "沈砚", "你？", toMood("surprised")],
  ["（笑着，轻声说）：走吧", null, "走吧", toMood("happy")],
])("the mood of %s sets the tone and is not spoken", (line, name, text, tone) => {
  const parsed = parseLine(line);
  expect(parsed).toMatchObject({ name, text });
  expect(toneOf(line)).toEqual(tone);
  expect(parsed.directions?.written).toContain(text);
});

test.each([
  ["[laughter]你真逗", "你真逗"],
  ["你真逗（笑声）走吧", "你真逗走吧"],
  ["well [breath] then", "well then"],
])("laughter and breath of %s are left out", (line, text) => {
  expect(parseLine(line)).toEqual({ name: null, text, directions: { written: line } });
});

test.each([
  ["（旁白）夜深了", null, "（旁白）夜深了"],
  ["（轻声）", null, "（轻声）"],
  ["高兴：走吧", "高兴", "走吧"],
  ["【温柔】：走吧", "温柔", "走吧"],
  ["（2024 年）春天", null, "（2024 年）春天"],
  ["他（笑着）走了", null, "他（笑着）走了"],
])("%s has no directions", (line, name, text) => {
  expect(parseLine(line)).toEqual({ name, text });
});

test("every mood of the tone panel can be written in words", () => {
  const words = ["平静", "开心", "温柔", "严肃", "着急", "难过", "生气", "惊讶"];
  expect(words.map((word) => toneOf(`（${word}）好`))).toEqual(moods.map((mood) => toMood(mood)));
});
