import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { prepareText } from "../../../../speech/chinese/prepare";
import { type SpokenLine, toCues } from "./cues";
import { displayText, splitDisplayText } from "./display-text";
import { subtitleFormats } from "./formats";

const { srt, vtt, lrc } = subtitleFormats;

const content = fc
  .array(
    fc.constantFrom(
      "今天天气很好",
      "，",
      "。",
      "银行(hang2)",
      "#0.5#",
      "hello world",
      "123",
      "？",
      "\n",
      "走",
      "—",
      "--> ",
      "<b>",
      "[重读]就是[/重读]",
      "[重读]银行(hang2)#0.5#门口[/重读]",
    ),
    { minLength: 1, maxLength: 30 },
  )
  .map((parts) => parts.join(""))
  .filter((text) => displayText(text) !== "");

const line = (text: string, more: Partial<SpokenLine> = {}): SpokenLine => ({
  content: text,
  name: "",
  beginsMs: 0,
  durationMs: 1000,
  startMs: null,
  endMs: null,
  overrunMs: 0,
  ...more,
});

/** Syllables of equal length, line after line. */
function speak(texts: string[]) {
  const lines: SpokenLine[] = [];
  const units = [];
  let at = 0;
  for (const [number, text] of texts.entries()) {
    const beginsMs = at;
    for (const { text: heard, offset } of prepareText(text).units) {
      units.push({ text: heard, offset, line: number, start: at, end: at + 180 });
      at += 180;
    }
    lines.push(line(text, { beginsMs, durationMs: at - beginsMs }));
    at += 350;
  }
  return { lines, units, endMs: at };
}

const toMs = (clock: string) => {
  const [hours = 0, minutes = 0, seconds = 0, ms = 0] = clock.split(/[:,.]/).map(Number);
  return ((hours * 60 + minutes) * 60 + seconds) * 1000 + ms;
};
/** Parses subtitles as players do. */
const parseSrt = (srt: string) =>
  srt.split(/\n\n+/).map((block) => {
    const [, times = "", ...text] = block.trim().split("\n");
    const [start = "", end = ""] = times.split(" --> ");
    return { start: toMs(start), end: toMs(end), text: text.join("\n") };
  });

describe("subtitle pieces", () => {
  test("contain all the displayed text in order and stay close to the maximum length", () => {
    fc.assert(
      fc.property(content, (text) => {
        const pieces = splitDisplayText(text);
        const compact = (shown: string) => shown.replace(/\s+/g, "");
        expect(compact(pieces.map((piece) => piece.text).join(""))).toBe(compact(displayText(text)));
        for (const [index, piece] of pieces.entries()) {
          expect(piece.from).toBeGreaterThanOrEqual(pieces[index - 1]?.to ?? 0);
          // Twenty characters, one unbreakable word and closing punctuation.
          expect([...piece.text.replace(/[，。？！—\s]+$/u, "")].length).toBeLessThanOrEqual(26);
        }
      }),
    );
  });

  test("end at sentences, then clauses, and contain neither pauses nor readings", () => {
    const text = "今天的天气真的非常好，我们一起去银行(hang2)吧！#1#明天就要下大雨了，所以什么也做不了。";
    expect(splitDisplayText(text).map((piece) => piece.text)).toEqual([
      "今天的天气真的非常好，我们一起去银行吧！",
      "明天就要下大雨了，所以什么也做不了。",
    ]);
  });
});

describe("subtitle cues", () => {
  test("never overlap, never run backwards, and stay within the dub", () => {
    fc.assert(
      fc.property(fc.array(content, { minLength: 1, maxLength: 8 }), (texts) => {
        const { lines, units, endMs } = speak(texts);
        const cues = toCues(lines, units);
        expect(cues.length).toBeGreaterThanOrEqual(lines.length);
        for (const [index, { start, end }] of cues.entries()) {
          expect(start).toBeGreaterThanOrEqual(cues[index - 1]?.end ?? 0);
          expect(end).toBeGreaterThan(start);
          expect(end).toBeLessThanOrEqual(endMs + 1000);
        }
      }),
    );
  });

  test("begin with the audio of their first syllable", () => {
    const text = `${"今天天气很好".repeat(3)}，${"我们出去走走".repeat(3)}。`;
    const { lines, units } = speak(["你好。", text]);
    const [, , second] = toCues(lines, units);
    expect(second?.text).toMatch(/^我们/);
    expect(second?.start).toBe(units.find((unit) => unit.line === 1 && unit.offset === 19)?.start);
  });

  test("are shown long enough to be read where there is time", () => {
    const { lines, units } = speak(["好。", "走吧。"]);
    const [first, second] = toCues(lines, units);
    expect(first).toMatchObject({ start: 0, end: second?.start });
    expect((second?.end ?? 0) - (second?.start ?? 0)).toBe(1000);
  });

  test("divide a line's time by characters if the engine returns no timeline", () => {
    const text = `${"字".repeat(20)}，${"字".repeat(19)}`;
    const cues = toCues([line(text, { beginsMs: 1000, durationMs: 4000 })], []);
    expect(cues.map(({ start }) => start)).toEqual([1000, 3100]);
  });
});

describe("SRT", () => {
  test("is parsed back to the same text, with times within fifty milliseconds", () => {
    const subtitle = fc.record({ text: content, rest: fc.nat(5000), lasts: fc.integer({ min: 300, max: 8000 }) });
    fc.assert(
      fc.property(fc.array(subtitle, { minLength: 1, maxLength: 20 }), (subtitles) => {
        let at = 0;
        const lines = subtitles.map(({ text, rest, lasts }) => {
          const startMs = at + rest;
          at = startMs + lasts;
          return line(text, { beginsMs: startMs, startMs, endMs: at, durationMs: lasts * 0.8 });
        });
        const read = parseSrt(srt.write(toCues(lines, [])));
        expect(read).toHaveLength(lines.length);
        for (const [index, { start, end, text }] of read.entries()) {
          expect(Math.abs(start - (lines[index]?.startMs ?? 0))).toBeLessThanOrEqual(50);
          expect(Math.abs(end - (lines[index]?.endMs ?? 0))).toBeLessThanOrEqual(50);
          expect(text).toBe(displayText(lines[index]?.content ?? "").replaceAll("-->", "\u2192"));
        }
      }),
    );
  });

  test("is formatted as players expect", () => {
    const cues = [
      { start: 0, end: 1500, text: "你好。", name: "甲" },
      { start: 3_723_004, end: 3_725_000, text: "再见。", name: "" },
    ];
    expect(srt.write(cues)).toBe(
      "1\n00:00:00,000 --> 00:00:01,500\n你好。\n\n2\n01:02:03,004 --> 01:02:05,000\n再见。\n",
    );
  });
});

test.each(["srt", "vtt", "lrc"] as const)(
  "%s contains neither emphasis marks nor what is inside of them twice",
  (format) => {
    const { lines, units } = speak(["是[重读]你[/重读]，不是我。", "[重读]去银行(hang2)#0.5#门口[/重读]等我吧！"]);
    const written = subtitleFormats[format].write(toCues(lines, units), "题");
    expect(written).not.toMatch(/重读|\[\/|hang2|#/);
    expect(written).toContain("是你，不是我。");
    expect(written).toContain("去银行门口等我吧！");
  },
);

test("VTT contains the speakers and escapes markup", () => {
  const cues = [{ start: 1234, end: 2000, text: "a < b & c", name: "甲" }];
  expect(vtt.write(cues)).toBe("WEBVTT\n\n00:00:01.234 --> 00:00:02.000\n<v 甲>a &lt; b &amp; c\n");
});

test("LRC clears the last line and a line before a long pause", () => {
  const cues = [
    { start: 0, end: 1000, text: "一", name: "" },
    { start: 1500, end: 2000, text: "二", name: "" },
    { start: 62_004, end: 63_000, text: "三", name: "" },
  ];
  expect(lrc.write(cues, "题[1]")).toBe(
    "[ti:题[1 ]\n[00:00.00]一\n[00:01.50]二\n[00:02.00]\n[01:02.00]三\n[01:03.00]\n",
  );
});
