import { afterAll, describe, expect, it } from "vitest";
import { prepareText } from "../../../chinese/prepare";
import { hopSeconds } from "../../../dsp/grid";
import { createEspeak } from "../espeak-process";
import { splitClauses } from "../reading/clauses";
import { readClause } from "../reading/source";
import { analyseSource } from "./analysis";

const frameAt = (ms: number) => Math.round(ms / 1000 / hopSeconds);

describe("the source's pitch", { timeout: 120_000 }, () => {
  const espeak = createEspeak();
  afterAll(() => espeak.close());

  it.each([1, 1.25, 1.6])("is found in every vowel at a pace of %d", async (pace) => {
    const whispered: string[] = [];
    for (const clause of splitClauses(prepareText("现在他看到这个，就到这里去。").units, pace)) {
      const clip = await readClause(espeak, clause, pace);
      if (!clip) throw new Error("No sound");
      const { pitch } = analyseSource(clip.samples, clip.phonemes);
      for (const { ph, start, end, viseme } of clip.phonemes) {
        if (!["aa", "E", "ih", "oh", "ou"].includes(viseme)) continue;
        const vowel = pitch.subarray(frameAt(start), frameAt(end));
        if (vowel.filter((hz) => hz > 0).length < 0.5 * vowel.length) whispered.push(`${ph} at ${start} ms`);
      }
    }
    expect(whispered).toEqual([]);
  });
});
