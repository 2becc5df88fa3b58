import { spectralEnvelopes } from "../../../dsp/envelope";
import { hopSeconds } from "../../../dsp/grid";
import { trackPitch } from "../../../dsp/pitch";
import { toHz, toSemitones } from "../../../dsp/pitch-range";
import type { TimelinePhoneme } from "../../../engine";
import { type Analysis, describe } from "./analysis";
import { sourcePitch } from "./voice";

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
