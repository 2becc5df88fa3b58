import { expect, test } from "vitest";
import { isProfessionalTone, plainTone, toToneRequest } from "./tone";

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
