import { binCount } from "../../../dsp/grid";
import { cepstrum, dctRows, logMelAt, melBands } from "../../../dsp/mel";
import { mean } from "../../../dsp/statistics";
import { type Analysis, selectFrames } from "./analysis";

const last = binCount - 1;

/** Piecewise-linear frequency warping for a vocal-tract ratio, with a knee at 80 % of the band. */
export interface Warp {
  tract: number;
  index: Int16Array;
  share: Float32Array;
}

export function createWarp(tract: number): Warp {
  const index = new Int16Array(binCount);
  const share = new Float32Array(binCount);
  const kneeFrom = (0.8 * last) / Math.max(1, tract);
  const kneeTo = kneeFrom * tract;
  for (let k = 0; k <= last; k++) {
    const above = kneeFrom + ((k - kneeTo) * (last - kneeFrom)) / (last - kneeTo);
    const source = k <= kneeTo ? k / tract : above;
    index[k] = Math.min(last - 1, source | 0);
    share[k] = source - (index[k] as number);
  }
  return { tract, index, share };
}

/** Warps the frame at `offset` into the first bins of `into`. */
export function warpFrame(warp: Warp, envelope: Float32Array, offset: number, into: Float32Array): void {
  for (let k = 0; k < binCount; k++) {
    const from = offset + (warp.index[k] as number);
    const left = envelope[from] as number;
    into[k] = left + ((envelope[from + 1] as number) - left) * (warp.share[k] as number);
  }
}

const [lowBand, bandsUsed] = [1, 30];
const rows = dctRows(13, bandsUsed);
const tractRange = { least: 0.82, most: 1.3 } as const;
const tractStep = 0.02;
/** Of the loud voiced frames of a recording, every so manieth is compared. */
const targetStride = 4;

/** Vowels of the source that a recording's are compared with. */
const sourceVowels = 240;

/** Cepstra of vowels of the source voice, from all over its speech. */
export function learnVowels(source: Analysis): Float64Array[] {
  const shapes = vowelCepstra(source, createWarp(1));
  const step = Math.max(1, Math.floor(shapes.length / sourceVowels));
  return shapes.filter((_, i) => i % step === 0);
}

/** Estimates the vocal-tract ratio: with the best one, the vowels of the recording lie nearest to some of the source's. */
export function estimateTract(vowels: readonly Float64Array[], target: Analysis): number {
  let best = { tract: 1, distance: Number.POSITIVE_INFINITY };
  for (let tract = tractRange.least; tract <= tractRange.most; tract += tractStep) {
    const shapes = vowelCepstra(target, createWarp(1 / tract), targetStride);
    const distance = mean(shapes.map((shape) => Math.min(...vowels.map((vowel) => squaredDistance(vowel, shape)))));
    if (distance < best.distance) best = { tract, distance };
  }
  return best.tract;
}

function squaredDistance(a: Float64Array, b: Float64Array): number {
  let sum = 0;
  for (let d = 0; d < a.length; d++) sum += ((a[d] as number) - (b[d] as number)) ** 2;
  return sum;
}

/** Mean-normalised cepstra of every `stride`th loud voiced frame; the mean depends on the channel. */
function vowelCepstra(analysis: Analysis, warp: Warp, stride = 1): Float64Array[] {
  const warped = new Float32Array(binCount);
  const mel = new Float64Array(melBands);
  const chosen = selectFrames(analysis, "voiced", 25).filter((_, i) => i % stride === 0);
  const shapes = chosen.map((f) => {
    const coefficients = new Float64Array(rows.length);
    warpFrame(warp, analysis.envelope, f * binCount, warped);
    logMelAt(warped, 0, mel);
    cepstrum(mel, rows, coefficients, lowBand);
    return coefficients.subarray(1);
  });
  const means = rows.slice(1).map((_, d) => mean(shapes.map((shape) => shape[d] as number)));
  const centred = shapes.map((shape) => shape.map((value, d) => value - (means[d] as number)));
  const spread = Math.sqrt(mean(centred.map((shape) => shape.reduce((sum, value) => sum + value * value, 0)))) || 1;
  return centred.map((shape) => shape.map((value) => value / spread));
}
