import { expect, test } from "vitest";
import { toneCopy } from "~/copy/generation";
import {
  findMood,
  isProfessionalTone,
  moods,
  plainTone,
  ranges,
  type Strength,
  strengths,
  toMood,
  toneName,
  toSampleText,
  toToneRequest,
} from "./tone";

test("toToneRequest omits defaults", () => {
  expect(toToneRequest({ ...plainTone, speed: 1.25 })).toEqual({ speed: 1.25 });
});

test("toToneRequest sends only emotions with a weight, and only for genre 2", () => {
  const tone = { ...plainTone, genre: 2, ext: { happy: 0.5, sad: 0 } } as const;
  expect(toToneRequest(tone)).toEqual({ speed: 1, genre: 2, ext: { happy: 0.5 } });
  expect(toToneRequest({ ...tone, ext: { sad: 0 } })).toEqual({ speed: 1 });
  expect(toToneRequest({ ...tone, genre: 0 })).toEqual({ speed: 1 });
});

test("toToneRequest sends genre 1 only with a recording", () => {
  expect(toToneRequest({ ...plainTone, genre: 1 }, "a.wav")).toEqual({ speed: 1, genre: 1, emotionPath: "a.wav" });
  expect(toToneRequest({ ...plainTone, genre: 1 })).toEqual({ speed: 1 });
});

test.each([
  [{}, false],
  [{ speed: 2 }, false],
  [{ pitch: 1 }, true],
  [{ volume: -1 }, true],
  [{ genre: 2 as const }, true],
])("isProfessionalTone of %o is %s", (change, isProfessional) => {
  expect(isProfessionalTone({ ...plainTone, ...change })).toBe(isProfessional);
});

test("findMood recognises every mood at every strength, and no two sound alike", () => {
  const requests = new Set<string>();
  for (const mood of moods) {
    for (const strength of Object.keys(strengths) as Strength[]) {
      const tone = { ...plainTone, speed: 1.5, ...toMood(mood, strength) };
      expect(findMood(tone)).toEqual({ mood, strength });
      requests.add(JSON.stringify(toToneRequest(tone)));
    }
  }
  expect(requests.size).toBe(3 * moods.length);
});

test("toMood gives weights as the sliders have them", () => {
  expect(toMood("happy")).toMatchObject({ genre: 2, ext: { happy: 0.7 } });
  expect(toMood("serious", "light")).toMatchObject({ pitch: -1, ext: { calm: 0.25, angry: 0.15 } });
});

test("findMood returns null for the voice's own tone and for a mood whose sliders were moved", () => {
  const happy = { ...plainTone, ...toMood("happy") };
  expect(findMood({ ...happy, ...toMood(null) })).toBeNull();
  expect(findMood({ ...happy, pitch: 3 })).toBeNull();
  expect(findMood({ ...happy, ext: { ...happy.ext, sad: 0.2 } })).toBeNull();
});

test("toMood leaves the speed and removes an earlier mood", () => {
  const tone = { ...plainTone, speed: 0.8, ...toMood("gentle"), ...toMood(null) };
  expect(toToneRequest(tone)).toEqual({ speed: 0.8 });
});

test.each([
  [plainTone, toneCopy.plain],
  [{ ...plainTone, ...toMood("urgent", "strong") }, toneCopy.moods.urgent],
  [{ ...plainTone, genre: 1 as const }, toneCopy.recorded],
  [{ ...plainTone, pitch: 2 }, toneCopy.mixed],
])("toneName of %o is %s", (tone, name) => {
  expect(toneName(tone)).toBe(name);
});

test.each([
  ["大家好！今天逛菜市场。", "大家好！"],
  ["#0.5#银行(hang2)在[重读]左边[/重读]", "银行在左边"],
  ["字".repeat(50), "字".repeat(30)],
  ["#0.5#", ""],
])("toSampleText of %s is %s", (content, text) => {
  expect(toSampleText(content)).toBe(text);
});

test("the control of a feeling shows every weight that a mood sets, and its end is the strongest", () => {
  const { min, max } = ranges.feeling;
  const weights = moods.flatMap((mood) => Object.values(toMood(mood, "strong").ext ?? {}));
  expect(weights.filter((weight) => weight < min || weight > max)).toEqual([]);
  expect(Math.max(...weights)).toBe(max);
});
