/** What makes a recording fit to learn a voice from; `recording/judge.ts` judges by it. Numbers and names only. */

/** What is worth telling a person about a recording, most serious first. */
export const recordingTips = [
  "silent",
  "no-speech",
  "music",
  "too-short",
  "clipped",
  "noisy",
  "quiet",
  "truncated",
  "too-long",
] as const;
export type RecordingTip = (typeof recordingTips)[number];

/** `usable` works but a better take would sound closer; `refused` cannot be learned from. */
export type RecordingVerdict = "good" | "usable" | "refused";

/** Why bytes cannot become a recording at all. `aac`: the browser can decode it and send WAV instead. */
export type RecordingFault = "not-audio" | "unsupported" | "aac" | "damaged" | "too-long";

export interface RecordingQuality {
  durationMs: number;
  /** Seconds in which somebody speaks, pauses left out. */
  speechSeconds: number;
  /** How far speech stands above what sounds in its pauses, 0–60. */
  snrDb: number;
  /** Highest sample, dB below full scale, at least −120. */
  peakDb: number;
  /** Share of samples cut off at the limit, 0–1. */
  clipping: number;
  verdict: RecordingVerdict;
  tips: RecordingTip[];
}

export const recordingLimits = {
  /** Less speech than this is refused as too short. */
  minSpeechSeconds: 3,
  /** A recording is learned from its first minute; the rest is cut off and the tip `too-long` says so. */
  usedSeconds: 60,
  /** Longer files are refused before or while they are decoded. */
  maxSeconds: 130,
  /** Peaks below are silence. */
  silentPeakDb: -50,
  /** Peaks below are worth another take closer to the microphone. */
  quietPeakDb: -26,
  /** Shares of cut-off samples: worth a word, and beyond use. */
  clipping: { told: 0.0005, refused: 0.01 },
  /** Signal-to-noise ratios below which the noise is worth a word, and beyond use. */
  snrDb: { told: 18, refused: 6 },
} as const;
