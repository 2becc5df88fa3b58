import { spectralEnvelopes } from "../../../dsp/envelope";
import { binCount, hopSeconds } from "../../../dsp/grid";
import { trackPitch } from "../../../dsp/pitch";
import { toHz, toSemitones } from "../../../dsp/pitch-range";
import type { TimelinePhoneme } from "../../../engine";
import { sourcePitch } from "./voice";

/** Speech taken apart, frame by frame (5 ms). */
export interface Analysis {
  samples: Float32Array;
  frames: number;
  /** Hz, 0 unvoiced. */
  pitch: Float32Array;
  /** Natural log power, `binCount` a frame. */
  envelope: Float32Array;
  powerDb: Float32Array;
  /** Level that only 2 % of the frames pass. */
  peakDb: number;
  /** 1 where somebody speaks. */
  active: Uint8Array;
}

const activeDb = 38;
const [firstBin, endBin] = [2, 380];

export function analyse(samples: Float32Array): Analysis {
  const pitch = trackPitch(samples);
  return describe(samples, pitch, spectralEnvelopes(samples, pitch));
}

/** Levels and activity of frames whose pitch and envelope are known. */
export function describe(samples: Float32Array, pitch: Float32Array, envelope: Float32Array): Analysis {
  const frames = pitch.length;
  const powerDb = new Float32Array(frames);
  for (let f = 0; f < frames; f++) {
    let sum = 0;
    for (let k = firstBin; k < endBin; k++) sum += Math.exp(envelope[f * binCount + k] as number);
    powerDb[f] = 10 * Math.log10(sum / (endBin - firstBin) + 1e-12);
  }
  const peakDb = Float32Array.from(powerDb).sort()[Math.max(0, frames - 1 - Math.floor(frames * 0.02))] ?? -120;
  const active = Uint8Array.from(powerDb, (db) => (db > peakDb - activeDb ? 1 : 0));
  return { samples, frames, pitch, envelope, powerDb, peakDb, active };
}

/** Frames fit to learn from: voiced or unvoiced, no more than `depthDb` below the peak. */
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
/** Frames by which a contour's slope is read and for which it goes on, and its semitones a frame. */
const slopeReach = 6;
const carriedFrames = 12;
const steepFall = { least: 0.12, most: 0.35 } as const;
const lowestSt = sourcePitch.medianSt - 5;

/** Takes the source voice's reading apart. Its vowels are voiced, whatever the pitch tracker makes of a steep fall. */
export function analyseSource(samples: Float32Array, phonemes: TimelinePhoneme[]): Analysis {
  const pitch = trackPitch(samples);
  for (const { start, end, viseme } of phonemes) {
    if (!vowels.has(viseme)) continue;
    const from = Math.round(start / 1000 / hopSeconds);
    carryOn(pitch.subarray(from, Math.round(end / 1000 / hopSeconds) - 2));
  }
  return describe(samples, pitch, spectralEnvelopes(samples, pitch));
}

/** Lets a steep fall at a vowel's end go on where the tracker lost it. */
function carryOn(vowel: Float32Array): void {
  const last = vowel.findLastIndex((hz) => hz > 0);
  if (last < slopeReach || (vowel[last - slopeReach] as number) <= 0) return;
  const height = toSemitones(vowel[last] as number);
  const slope = (height - toSemitones(vowel[last - slopeReach] as number)) / slopeReach;
  if (slope > -steepFall.least) return;
  const held = Math.max(-steepFall.most, slope);
  const end = Math.min(vowel.length, last + 1 + carriedFrames);
  for (let f = last + 1; f < end; f++) vowel[f] = toHz(Math.max(lowestSt, height + held * (f - last)));
}
