import { describe, expect, it } from "vitest";
import type { RecordingQuality } from "~server/contract/recording/quality";
import type { ProofMeasures } from "../../../speech/analysis";
import { findQualityFault, judgeMeasures } from "./verdict";

const compared = { isOwnSpeech: false, isOneReading: false };

const clear: RecordingQuality = {
  durationMs: 14_000,
  speechSeconds: 11,
  snrDb: 40,
  peakDb: -6,
  clipping: 0,
  verdict: "good",
  tips: [],
};

describe("the quality of a proof", () => {
  it.each([
    ["too-short", { speechSeconds: 4.9 }],
    ["noisy", { snrDb: 14.9 }],
    // Noise hides most of the speech, and is what should be mended.
    ["noisy", { snrDb: 8, speechSeconds: 3 }],
    ["too-short", { snrDb: 8, speechSeconds: 3, durationMs: 4000 }],
    ["clipped", { clipping: 0.0011 }],
    ["music", { verdict: "refused" as const, tips: ["music" as const] }],
    ["music", { verdict: "refused" as const, tips: ["singing" as const] }],
    [null, { verdict: "usable" as const, tips: ["music" as const] }],
  ])("is %s", (fault, change) => {
    expect(findQualityFault({ ...clear, ...change })).toBe(fault);
  });

  it("is that of a telephone below its band, and good above it", () => {
    expect(findQualityFault(clear, -45)).toBe("phone-band");
    expect(findQualityFault(clear, -38)).toBeNull();
    expect(findQualityFault(clear)).toBeNull();
  });
});

const measures: ProofMeasures = {
  words: { all: 5, lines: [4, 4] },
  speaker: 6,
  copied: { identical: 0, alike: 0 },
  highBandDb: -20,
  versions: {},
};

describe("the verdict with installed models", () => {
  it("follows the recogniser instead of the words' distance", () => {
    const heard = { all: 0.95, lines: [0.9, 1] };
    expect(judgeMeasures({ ...measures, words: { all: 0, lines: [0, 0] }, heard }, compared).outcome).toBe("yes");
    const other = { heard: { all: 0.2, lines: [0.1, 0.3] } };
    expect(judgeMeasures({ ...measures, ...other }, compared)).toEqual({ outcome: "no", reason: "words" });
    const unclear = { heard: { all: 0.85, lines: [1, 0.6] } };
    expect(judgeMeasures({ ...measures, ...unclear }, compared)).toEqual({ outcome: "unclear", reason: "words" });
  });

  it("follows the speaker model instead of the cepstra", () => {
    expect(judgeMeasures({ ...measures, speaker: -40, likeness: 0.7 }, compared).outcome).toBe("yes");
    expect(judgeMeasures({ ...measures, likeness: 0.1 }, compared)).toEqual({ outcome: "no", reason: "speaker" });
    expect(judgeMeasures({ ...measures, likeness: 0.4 }, compared)).toEqual({ outcome: "unclear", reason: "speaker" });
  });

  it("is unclear where pauses are digital silence, as in speech that was made", () => {
    expect(judgeMeasures({ ...measures, silence: 0.033 }, compared).outcome).toBe("yes");
    for (const isOneReading of [false, true]) {
      const judged = judgeMeasures({ ...measures, silence: 0.088 }, { ...compared, isOneReading });
      expect(judged).toEqual({ outcome: "unclear", reason: "synthetic" });
    }
    expect(judgeMeasures({ ...measures, silence: 0.5, speaker: -40 }, compared).reason).toBe("speaker");
  });

  it("refuses a copy and our own speech all the same", () => {
    const sure = { ...measures, heard: { all: 1, lines: [1, 1] }, likeness: 0.9 };
    expect(judgeMeasures(sure, { ...compared, isOwnSpeech: true }).reason).toBe("synthetic");
    expect(judgeMeasures({ ...sure, copied: { identical: 0.1, alike: 0.2 } }, compared).reason).toBe("copied");
  });
});
