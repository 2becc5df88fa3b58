import { binCount, fftSize, hopSeconds, speechRate } from "../../../dsp/grid";
import { quantile } from "../../../dsp/statistics";
import type { Analysis } from "./analysis";

/** Longer gaps between voiced frames are pauses; shorter ones are consonants. */
const consonantSeconds = 0.2;
/** Hz; main energy of vowels. */
const vowelBand = [250, 3000] as const;
const smoothReach = 4;
/** Minimum prominence of a syllable peak, and its maximum distance from the loudest. */
const prominenceDb = 1.5;
const depthDb = 22;
/** Share of syllables with a detectable peak; measured on recordings with transcripts. */
const detectedShare = 0.92;

/** Limits of the syllable rate of cloned voices. */
const voicePace = [3.2, 6.2] as const;

/** A syllable rate relative to the engine's normal one, limited to the supported range. */
export function toRate(syllablesPerSecond: number, normal: number): number {
  return Math.min(voicePace[1], Math.max(voicePace[0], syllablesPerSecond)) / normal;
}

/** Seconds of speech without pauses. Based on voicing, because noise fills the pauses of noisy recordings. */
export function speakingSeconds({ pitch }: Pick<Analysis, "pitch">): number {
  const longest = Math.round(consonantSeconds / hopSeconds);
  let frames = 0;
  let last = Number.NEGATIVE_INFINITY;
  pitch.forEach((hz, f) => {
    if (hz <= 0) return;
    frames += f - last <= longest ? f - last : 1;
    last = f;
  });
  return frames * hopSeconds;
}

/** Largest deviation of the transcript's rate from the estimated one: it is not of another recording. */
const transcriptRatio = 1.4;

/** Syllables per second by the length of the transcript; null if the recording says something else. */
export function findSyllableRate(speech: Analysis, syllables: number): number | null {
  const rate = syllables / speakingSeconds(speech);
  const ratio = rate / estimateSyllableRate(speech);
  return ratio > 1 / transcriptRatio && ratio < transcriptRatio ? rate : null;
}

/** Syllables per second, estimated without a transcript. */
export function estimateSyllableRate(speech: Analysis): number {
  return countNuclei(speech) / detectedShare / Math.max(0.1, speakingSeconds(speech));
}

/** Counts syllable nuclei: prominent peaks of vowel loudness (after de Jong & Wempe, 2009). */
function countNuclei(speech: Analysis): number {
  const level = vowelLevel(speech);
  const minLevel = quantile(level, 0.98) - depthDb;
  let count = 0;
  let [dip, peak, peakFrame] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, -1];
  level.forEach((value, f) => {
    if (value > peak) [peak, peakFrame] = [value, f];
    const isOver = value < peak - prominenceDb || f === level.length - 1;
    if (isOver && peak > dip + prominenceDb) {
      if (peak > minLevel && (speech.pitch[peakFrame] as number) > 0) count++;
      [dip, peak] = [value, value];
    } else if (value < dip) [dip, peak] = [value, value];
  });
  return count;
}

/** dB in the vowel band, smoothed over 40 ms. */
function vowelLevel({ envelope, frames }: Analysis): Float32Array {
  const [first, end] = vowelBand.map((hz) => Math.round((hz / speechRate) * fftSize)) as [number, number];
  const level = new Float32Array(frames);
  for (let f = 0; f < frames; f++) {
    let power = 1e-9;
    for (let k = first; k < end; k++) power += Math.exp(envelope[f * binCount + k] as number);
    level[f] = 10 * Math.log10(power);
  }
  return level.map((_, f) => {
    let sum = 0;
    for (let r = -smoothReach; r <= smoothReach; r++) {
      const at = Math.min(frames - 1, Math.max(0, f + r));
      sum += (smoothReach + 1 - Math.abs(r)) * (level[at] as number);
    }
    return sum / (smoothReach + 1) ** 2;
  });
}
