import { describe, expect, it, test } from "vitest";
import { speechLike } from "../../../../tests/support/sounds";
import { prepareText } from "../../chinese/prepare";
import { type PreparedText, SpeechError } from "../../engine";
import { prepareReference } from "./reference";
import { toPlainText, toTextRuns } from "./runs";

const limits = { minSeconds: 3, maxSeconds: 10 };
const transcript = prepareText("春天来了，公园里的花都开了，孩子们在草地上奔跑。");

/** Every unit takes one second; there is a pause of 300 ms after the second and the seventh. */
const alignTo =
  (matchesText: boolean) =>
  async ({ text }: { text: PreparedText }) => {
    const units = text.units.filter(({ kind }) => kind !== "pause");
    const timeline = {
      sampleRate: 16_000,
      durationMs: 1000 * units.length,
      units: units.map((unit, i) => {
        const gap = i === 3 || i === 6 ? 300 : 0;
        return { text: unit.text, offset: unit.offset, start: 1000 * i, end: 1000 * (i + 1) - gap };
      }),
      phonemes: [],
    };
    return { timeline, matchesText };
  };

const secondsOf = ({ wav }: { wav: string }) => {
  const bytes = Buffer.from(wav, "base64");
  return (bytes.length - 44) / 2 / bytes.readUInt32LE(24);
};
const long = speechLike({ seconds: 21, seed: 5 });

describe("the reference recording for a server", () => {
  it("repeats a recording that is shorter than the server takes, and no other", async () => {
    const short = speechLike({ seconds: 6, seed: 3 });
    const repeating = { minSeconds: 3, repeatToSeconds: 10, maxSeconds: 60 };
    const shown = await prepareReference(short, repeating, { align: alignTo(true) });
    expect(secondsOf(shown)).toBeGreaterThanOrEqual(10);
    expect(secondsOf(shown)).toBeLessThan(20);
    expect(secondsOf(await prepareReference(long, repeating, { align: alignTo(true) }))).toBeLessThan(21.5);
  });

  it("contains a short recording and its whole transcript", async () => {
    const short = speechLike({ seconds: 6, seed: 3 });
    const shown = await prepareReference({ ...short, transcript }, limits, { align: alignTo(true) });
    expect(secondsOf(shown)).toBeGreaterThan(5);
    expect(shown.text).toBe("春天来了，公园里的花都开了，孩子们在草地上奔跑。");
  });

  it("has a rate of 16 to 24 kHz", async () => {
    for (const [sampleRate, rate] of [
      [8000, 16_000],
      [48_000, 24_000],
      [22_050, 22_050],
    ] as const) {
      const { samples } = speechLike({ seconds: 24, seed: 3 });
      const { wav } = await prepareReference(
        { samples, sampleRate },
        { minSeconds: 1, maxSeconds: 60 },
        { align: alignTo(true) },
      );
      expect(Buffer.from(wav, "base64").readUInt32LE(24)).toBe(rate);
    }
  });

  it("ends at a pause with the transcript up to it", async () => {
    const shown = await prepareReference({ ...long, transcript }, limits, { align: alignTo(true) });
    expect(shown.text).toBe("春天来了，公园里");
    expect(secondsOf(shown)).toBeCloseTo(6.78, 1);
  });

  it("has no text without a matching transcript", async () => {
    for (const recording of [{ ...long, transcript }, long]) {
      const shown = await prepareReference(recording, limits, { align: alignTo(false) });
      expect(shown.text).toBe("");
      expect(secondsOf(shown)).toBeGreaterThan(4.9);
      expect(secondsOf(shown)).toBeLessThanOrEqual(10);
    }
  });

  it("is refused if too short, silent or without a required transcript", async () => {
    const refused = async (recording: Parameters<typeof prepareReference>[0], needsText = false) => {
      const error = await prepareReference(recording, { ...limits, needsText }, { align: alignTo(true) }).catch(
        (e) => e,
      );
      return error instanceof SpeechError && error.fault === "reference" ? error.message : "none";
    };
    expect(await refused(speechLike({ seconds: 2, seed: 3 }))).toBe("too-short");
    expect(await refused({ samples: new Float32Array(160_000), sampleRate: 16_000 })).toBe("silent");
    expect(await refused(speechLike({ seconds: 6, seed: 3 }), true)).toBe("no-transcript");
    expect(await refused({ ...speechLike({ seconds: 6, seed: 3 }), transcript }, true)).toBe("none");
  });
});

test.each([
  ["银行(hang2)有23.5元。", ["银航有23.5元。"]],
  ["iPhone 15 Pro，A I 级", ["iPhone15Pro，A I级"]],
  ["你好#0.5#再见！", ["你好", "再见！"]],
  ["#1#你好", ["你好"]],
  ["今天3/4的人。\n明天", ["今天3/4的人。明天"]],
])("the spoken form of %s is converted back to plain text", (content, texts) => {
  expect(toTextRuns(prepareText(content).units).map(({ text }) => text)).toEqual(texts);
});

test("exact pauses are left out of the text and do not depend on the pace", () => {
  const runs = toTextRuns(prepareText("#1#你好#0.5##0.25#再见。").units, 2);
  expect(runs).toEqual([
    { text: "你好", pauseBeforeMs: 1000, pauseAfterMs: 750 },
    { text: "再见。", pauseBeforeMs: 0, pauseAfterMs: 200 },
  ]);
  expect(toPlainText(prepareText("你好#0.5#再见").units)).toBe("你好，再见");
});
