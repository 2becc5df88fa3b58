import { expect, test } from "vitest";
import { isProfessionalTone, plainTone, toneRequest } from "./tone";

test("what stays as it is goes unsaid", () => {
  expect(toneRequest({ ...plainTone, speed: 1.25 })).toEqual({ speed: 1.25 });
});

test("feelings go with their kind, and only those that are felt", () => {
  const tone = { ...plainTone, genre: 2, ext: { happy: 0.5, sad: 0 } } as const;
  expect(toneRequest(tone)).toEqual({ speed: 1, genre: 2, ext: { happy: 0.5 } });
  expect(toneRequest({ ...tone, ext: { sad: 0 } })).toEqual({ speed: 1 });
  expect(toneRequest({ ...tone, genre: 0 })).toEqual({ speed: 1 });
});

test("a recording's tone needs the recording", () => {
  expect(toneRequest({ ...plainTone, genre: 1 }, "a.wav")).toEqual({ speed: 1, genre: 1, emotionPath: "a.wav" });
  expect(toneRequest({ ...plainTone, genre: 1 })).toEqual({ speed: 1 });
});

test.each([
  [{}, false],
  [{ speed: 2 }, false],
  [{ pitch: 1 }, true],
  [{ volume: -1 }, true],
  [{ genre: 2 as const }, true],
])("%o is for professionals: %s", (change, isProfessional) => {
  expect(isProfessionalTone({ ...plainTone, ...change })).toBe(isProfessional);
});
