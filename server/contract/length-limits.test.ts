import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { estimateSoundMs, findLengthFault, findScriptLengthFault, pausesOf } from "./length-limits";
import {
  charactersSvip,
  pauseMaxSeconds,
  scriptPauseMaxMinutes,
  scriptSoundMaxHours,
  soundMaxMinutes,
  speedMin,
} from "./limits";

const pause = fc.integer({ min: 1, max: 100 }).map((tenths) => ({ text: `#${tenths / 10}#`, ms: tenths * 100 }));
const words = fc
  .constantFrom("你好", "，", "行(xing2)", "GPT-4", "¥12.5", "#11#", "#", "##", "(hao3)", "😀", " ", "0.5")
  .map((text) => ({ text, ms: 0 }));
const pieces = fc.array(fc.oneof(pause, words), { maxLength: 60 });
/** Separates marks by words, so that the `#` of one does not begin another. */
const toContent = (parts: Array<{ text: string }>) => parts.map(({ text }) => text).join("字");
const speeds = fc.double({ min: speedMin, max: 2, noNaN: true });

describe("the estimated audio length", () => {
  it("includes exactly the pauses of marks and pauseAfter", () => {
    fc.assert(
      fc.property(pieces, fc.integer({ min: 0, max: 10 }), (parts, pauseAfter) => {
        const ms = parts.reduce((sum, part) => sum + part.ms, 0);
        expect(pausesOf({ content: toContent(parts), pauseAfter })).toBe(ms + pauseAfter * 1000);
      }),
    );
  });

  it("never decreases when text or a pause is added or the speed is reduced", () => {
    fc.assert(
      fc.property(pieces, pieces, speeds, speeds, (parts, more, one, other) => {
        const content = toContent(parts);
        const [slow, fast] = [Math.min(one, other), Math.max(one, other)];
        const longer = toContent([...parts, ...more]);
        expect(estimateSoundMs({ content: longer, speed: one })).toBeGreaterThanOrEqual(
          estimateSoundMs({ content, speed: one }),
        );
        expect(estimateSoundMs({ content, speed: slow })).toBeGreaterThanOrEqual(
          estimateSoundMs({ content, speed: fast }),
        );
        expect(estimateSoundMs({ content, speed: one })).toBeGreaterThanOrEqual(pausesOf({ content }));
      }),
    );
  });

  it("is refused exactly when the pauses or the audio exceed the limit", () => {
    fc.assert(
      fc.property(pieces, fc.integer({ min: 0, max: 10 }), speeds, (parts, pauseAfter, speed) => {
        const timed = { content: toContent(parts), pauseAfter, speed };
        const isTooLong = pausesOf(timed) > pauseMaxSeconds * 1000 || estimateSoundMs(timed) > soundMaxMinutes * 60_000;
        expect(findLengthFault(timed) !== null).toBe(isTooLong);
      }),
    );
  });

  it("is refused for a script if a line or the whole exceeds its limit", () => {
    const line = fc.record({
      content: pieces.map(toContent),
      speed: speeds,
      pauseAfter: fc.integer({ min: 0, max: 10 }),
      startMs: fc.option(fc.integer({ min: 0, max: 40 * 60_000 }), { nil: undefined }),
    });
    fc.assert(
      fc.property(fc.array(line, { minLength: 1, maxLength: 30 }), (lines) => {
        const fault = findScriptLengthFault(lines);
        const silence = lines.reduce((sum, one) => sum + pausesOf(one), 0);
        if (lines.some((one) => findLengthFault(one))) expect(fault).not.toBeNull();
        if (silence > scriptPauseMaxMinutes * 60_000) expect(fault).not.toBeNull();
        if (lines.some(({ startMs = 0 }) => startMs > scriptSoundMaxHours * 3_600_000)) expect(fault).not.toBeNull();
        if (fault?.line != null) expect(findLengthFault(lines[fault.line] as (typeof lines)[number])).not.toBeNull();
      }),
    );
  });

  it("is reported in the refusal of a text of pauses", () => {
    const content = `你好${"#10#".repeat(60)}再见`;
    expect(findLengthFault({ content })).toEqual({ code: "pauses-too-long", need: 600, limit: 60, line: null });
    expect(findScriptLengthFault([{ content: "好。" }, { content }])).toMatchObject({ line: 1 });
  });

  it("is accepted for the longest text of professional members at the slowest speed", () => {
    const content = "今天天气很好，我们去公园。".repeat(200).slice(0, charactersSvip);
    expect(findLengthFault({ content, speed: speedMin, pauseAfter: 10 })).toBeNull();
  });

  it("is limited for the sum of many lines", () => {
    const rests = Array.from({ length: 31 }, () => ({ content: "好", pauseAfter: pauseMaxSeconds }));
    expect(findScriptLengthFault(rests)).toMatchObject({ code: "pauses-too-long", line: null });
    const late = [{ content: "好", startMs: 31 * 60_000 }];
    expect(findScriptLengthFault(late)).toMatchObject({ code: "pauses-too-long", line: null });
    const lasting = [{ content: "好", startMs: 0, endMs: 86_400_000 }];
    expect(findScriptLengthFault(lasting)).toMatchObject({ code: "pauses-too-long", line: null });
    const long = Array.from({ length: 500 }, () => ({ content: "字".repeat(100), speed: speedMin }));
    expect(findScriptLengthFault(long)).toMatchObject({ code: "sound-too-long", line: null });
  });
});
