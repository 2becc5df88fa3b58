import { spectralEnvelopes } from "../../../dsp/envelope";
import { binCount, hopSeconds } from "../../../dsp/grid";
import { trackPitch } from "../../../dsp/pitch";
import { toHz, toSemitones } from "../../../dsp/pitch-range";
import { quantile } from "../../../dsp/statistics";
import type { TimelinePhoneme } from "../../../engine";
import { sourcePitch } from "./voice";

/** Vocoder parameters of speech, in frames of 5 ms. */
export interface Analysis {
  samples: Float32Array;
  frames: number;
  /** Hz, 0 unvoiced. */
  pitch: Float32Array;
  /** Natural log power, `binCount` per frame. */
  envelope: Float32Array;
  powerDb: Float32Array;
  /** 98th percentile of `powerDb`. */
  peakDb: number;
  /** 1 for speech, 0 for silence. */
  active: Uint8Array;
}

const activeDb = 38;
const [firstBin, endBin] = [2, 380];

export function analyse(samples: Float32Array): Analysis {
  const pitch = trackPitch(samples);
  return withLevels(samples, pitch, spectralEnvelopes(samples, pitch));
}

/** Adds levels and activity to known pitch and envelopes. */
export function withLevels(samples: Float32Array, pitch: Float32Array, envelope: Float32Array): Analysis {
  const frames = pitch.length;
  const powerDb = new Float32Array(frames);
  for (let f = 0; f < frames; f++) {
    let sum = 0;
    for (let k = firstBin; k < endBin; k++) sum += Math.exp(envelope[f * binCount + k] as number);
    powerDb[f] = 10 * Math.log10(sum / (endBin - firstBin) + 1e-12);
  }
  const peakDb = frames > 0 ? quantile(powerDb, 0.98) : -120;
  const active = Uint8Array.from(powerDb, (db) => (db > peakDb - activeDb ? 1 : 0));
  return { samples, frames, pitch, envelope, powerDb, peakDb, active };
}

/** Active voiced or unvoiced frames within `depthDb` of the peak. */
export function selectFrames(analysis: Analysis, kind: "voiced" | "unvoiced", depthDb: number): number[] {
  const { pitch, powerDb, peakDb, active, frames } = analysis;
  const chosen: number[] = [];
  for (let f = 0; f < frames; f++) {
    const isVoiced = (pitch[f] as number) > 0;
    if (active[f] === 1 && isVoiced === (kind === "voiced") && (powerDb[f] as number) > peakDb - depthDb)
      chosen.push(f);
  }
  return chosen;
}

const vowels = new Set(["aa", "E", "ih", "oh", "ou"]);
/** Frames for the slope estimate and for the extrapolation. */
const slopeReach = 6;
const extrapolatedFrames = 12;
const fallPerFrameSt = { least: 0.12, most: 0.35 } as const;
const lowestSt = sourcePitch.medianSt - 5;
/** The source's fourth tone, from its start to its end. */
const fallSt = { from: 80.2, to: 74 } as const;
/** A vowel with a smaller share of voiced frames is one whose pitch fell too fast for the tracker. */
const leastVoiced = 0.7;
/** The source stays within 5 st of its median. */
const farthestSt = 9;

/**
 * Analyses eSpeak speech. Its vowels are always voiced, but the tracker loses a steep fall: at a pace of 1.2 a third of
 * the syllables with the fourth tone had no pitch and were whispered.
 */
export function analyseSource(samples: Float32Array, phonemes: TimelinePhoneme[]): Analysis {
  const pitch = trackPitch(samples);
  dropJumps(pitch);
  for (const { start, end, viseme } of phonemes) {
    if (!vowels.has(viseme)) continue;
    const from = Math.round(start / 1000 / hopSeconds);
    const vowel = pitch.subarray(from, Math.round(end / 1000 / hopSeconds) - 2);
    extendFall(vowel);
    if (vowel.filter((hz) => hz > 0).length < leastVoiced * vowel.length) fillFall(vowel);
  }
  return withLevels(samples, pitch, spectralEnvelopes(samples, pitch));
}

/** Replaces single frames in which the tracker found a partial, up to 30 st above the source's voice. */
function dropJumps(pitch: Float32Array): void {
  for (let f = 0; f < pitch.length; f++) {
    if ((pitch[f] as number) > toHz(sourcePitch.medianSt + farthestSt)) pitch[f] = pitch[f - 1] ?? 0;
  }
}

/** Writes the fourth tone, whose pitch was not found. */
function fillFall(vowel: Float32Array): void {
  const perFrameSt = (fallSt.to - fallSt.from) / vowel.length;
  for (let f = 0; f < vowel.length; f++) vowel[f] = toHz(fallSt.from + perFrameSt * (f + 0.5));
}

/** Extrapolates a steep fall to the end of the vowel. */
function extendFall(vowel: Float32Array): void {
  const last = vowel.findLastIndex((hz) => hz > 0);
  if (last < slopeReach || (vowel[last - slopeReach] as number) <= 0) return;
  const height = toSemitones(vowel[last] as number);
  const slope = (height - toSemitones(vowel[last - slopeReach] as number)) / slopeReach;
  if (slope > -fallPerFrameSt.least) return;
  const slopePerFrame = Math.max(-fallPerFrameSt.most, slope);
  const end = Math.min(vowel.length, last + 1 + extrapolatedFrames);
  for (let f = last + 1; f < end; f++) vowel[f] = toHz(Math.max(lowestSt, height + slopePerFrame * (f - last)));
}
