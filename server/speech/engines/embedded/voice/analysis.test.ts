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

  it("does not jump to a partial", async () => {
    const far: number[] = [];
    for (const clause of splitClauses(
      prepareText("外面的风越来越大，可能很快就要下雨了，阳台上的衣服也要收进来。").units,
      0.8,
    )) {
      const clip = await readClause(espeak, clause, 0.832);
      if (!clip) throw new Error("No sound");
      const { pitch } = analyseSource(clip.samples, clip.phonemes);
      far.push(...pitch.filter((hz) => hz > 160));
    }
    expect(far).toEqual([]);
  });
});
