/** Findings about a recording, most serious first. */
export const recordingTips = [
  "silent",
  "no-speech",
  "whisper",
  "music",
  "singing",
  "too-short",
  "clipped",
  "noisy",
  "room",
  "phone-band",
  "short",
  "quiet",
  "truncated",
  "too-long",
] as const;
export type RecordingTip = (typeof recordingTips)[number];

/** `usable`: works, but a better take would clone more closely. `refused`: cannot be used. */
export type RecordingVerdict = "good" | "usable" | "refused";

/** Reasons why a file cannot be decoded. `aac`: the browser can decode it and send WAV. */
export type RecordingFault = "not-audio" | "unsupported" | "aac" | "damaged" | "too-long";

export interface RecordingQuality {
  durationMs: number;
  /** Seconds of speech without pauses. */
  speechSeconds: number;
  /** Speech level above the level of its pauses, 0–60 dB. */
  snrDb: number;
  /** Peak in dBFS, at least −120. */
  peakDb: number;
  /** Share of clipped samples, 0–1. */
  clipping: number;
  /** Median of the voiced frames; absent where hardly anything is voiced. */
  pitchHz?: number;
  verdict: RecordingVerdict;
  tips: RecordingTip[];
}

export const recordingLimits = {
  /** Less speech is refused as too short. */
  minSpeechSeconds: 2,
  /** Less speech gives the tip `short`. */
  fullSpeechSeconds: 3,
  /** Only the first minute is used; the tip `too-long` reports the rest. */
  usedSeconds: 60,
  /** Longer files are rejected before or during decoding. */
  maxSeconds: 130,
  /** Lower peaks are silence. */
  silentPeakDb: -50,
  /** Lower peaks are too quiet. */
  quietPeakDb: -26,
  /** Shares of clipped samples that give a tip, and that are refused: 6 dB beyond full scale are 0.2 to 4 %. */
  clipping: { warned: 0.0005, refused: 0.04 },
  /** Signal-to-noise ratios below which a tip is given, and below which a recording is refused. */
  snrDb: { warned: 18, refused: 6 },
} as const;

/** Share of the loudest channel's power below which the mean of the channels has lost the voice. */
const lostShare = 0.4;

/**
 * Weights of a mono mix: the mean, or the loudest channel alone where the others cancel it or hold hardly anything.
 * `meanPower` is the power of the mean of all channels.
 */
export function mixWeights(powers: readonly number[], meanPower: number): number[] {
  const loudest = Math.max(...powers);
  const isLost = powers.length > 1 && meanPower < lostShare * loudest;
  const carrier = powers.indexOf(loudest);
  return powers.map((_, channel) => (isLost ? Number(channel === carrier) : 1 / powers.length));
}

export function powerOf(samples: Float32Array): number {
  let power = 0;
  for (const value of samples) power += value * value;
  return power;
}

export function weightedSum(channels: readonly Float32Array[], weights: readonly number[]): Float32Array {
  const mono = new Float32Array(channels[0]?.length ?? 0);
  for (const [channel, samples] of channels.entries()) {
    const weight = weights[channel] ?? 0;
    if (weight === 0) continue;
    for (let i = 0; i < mono.length; i++) mono[i] = (mono[i] as number) + weight * (samples[i] ?? 0);
  }
  return mono;
}

export const meanOf = (channels: readonly Float32Array[]): Float32Array =>
  weightedSum(
    channels,
    channels.map(() => 1 / channels.length),
  );

/** A mono mix that keeps the voice. */
export const mixDown = (channels: readonly Float32Array[]): Float32Array =>
  weightedSum(channels, mixWeights(channels.map(powerOf), powerOf(meanOf(channels))));
