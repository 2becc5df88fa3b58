import fc from "fast-check";
import { expect, test } from "vitest";
import { createLine } from "../editor/script";
import { parseMusic } from "./open-script-file";
import { parseScript, writeScript } from "./script-text";

const name = fc
  .array(fc.constantFrom("沈", "砚", "A", "b", "1", " ", "·", "林", "-"), { minLength: 1, maxLength: 20 })
  .map((letters) => letters.join("").replace(/\s+/g, " ").trim())
  .filter((text) => /[\p{L}\p{N}]/u.test(text));
const word = fc.constantFrom(
  "好",
  "行(xing2)",
  "#0.5#",
  "[重读]很[/重读]",
  "a",
  "，",
  " ",
  "：",
  "<b>",
  "&amp;",
  "12",
  "-->",
  "【",
  "（",
);
const content = fc
  .array(word, { minLength: 1, maxLength: 12 })
  .map((words) => words.join("").replace(/\s+/g, " ").trim())
  .filter((text) => text !== "");
const times = fc
  .tuple(fc.nat(80_000_000), fc.nat(60_000))
  .map(([startMs, length]) => ({ startMs, endMs: startMs + length }));
const line = fc.record({ name, content });
const music = fc.constantFrom(
  undefined,
  { track: "tense", level: -3, duck: 9, fadeIn: 0, fadeOut: 10 } as const,
  {
    track: "own",
    level: -8,
    duck: 12,
    fadeIn: 2,
    fadeOut: 4,
    musicPath: "/api/v1/files/a.mp3",
    name: "夜曲.mp3",
  } as const,
);

test("an exported script is imported with the same roles, texts, marks, times and music", () => {
  fc.assert(
    fc.property(
      fc.array(fc.tuple(line, times), { minLength: 1, maxLength: 8 }),
      fc.boolean(),
      music,
      (rows, isTimed, bed) => {
        const sorted = isTimed ? [...rows].sort((a, b) => a[1].startMs - b[1].startMs) : rows;
        const lines = sorted.map(([{ name: roleId, content: text }, place]) =>
          createLine({ roleId, content: text, ...(isTimed && place) }),
        );
        const { text } = writeScript({ lines, music: bed }, (roleId) => roleId);
        expect(parseMusic(text)).toEqual(bed);
        expect(parseScript(text)).toEqual(
          sorted.map(([{ name: speaker, content: spoken }, place]) => ({
            ...{ name: speaker, text: spoken },
            ...(isTimed && place),
          })),
        );
      },
    ),
    { numRuns: 500 },
  );
});

test.each([
  ["no music", "沈砚：天亮了。"],
  ["an unknown track", '[music] {"track":"jazz"}'],
  ["an own file without its address", '[music] {"track":"own"}'],
  ["damaged", '[music] {"track":'],
])("%s reads as no music", (_name, text) => {
  expect(parseMusic(text)).toBeUndefined();
});

test("settings of music beyond their ranges are limited", () => {
  const text = '[music] {"track":"calm","level":9,"duck":"x","fadeIn":-1}';
  expect(parseMusic(text)).toEqual({ track: "calm", level: 0, duck: 9, fadeIn: 0, fadeOut: 4 });
});
