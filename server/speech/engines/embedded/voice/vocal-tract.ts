import { type GaussianMixture, logLikelihood, trainGaussianMixture } from "../../../dsp/gaussian-mixture";
import { binCount } from "../../../dsp/grid";
import { cepstrum, dctRows, logMelAt, melBands } from "../../../dsp/mel";
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

/** Aligned frame indices: [source, target]. */
export type FramePair = readonly [number, number];

const [lowBand, bandsUsed] = [1, 30];
const rows = dctRows(13, bandsUsed);
const tractRange = { least: 0.82, most: 1.3 } as const;
const stepSizes = [0.08, 0.02] as const;
const [firstBand, endBand] = [2, 30];

/** Models the vowels of the source voice in cepstral space. */
export function learnVowelSpace(source: Analysis): GaussianMixture {
  return trainGaussianMixture(vowelCepstra(source, createWarp(1), 1), 24);
}

/** Estimates the vocal-tract ratio without a transcript, by the likelihood of the unwarped vowels. */
export function tractFromVowels(space: GaussianMixture, target: Analysis): number {
  const shares = new Float64Array(space.size);
  return findTract((tract) => {
    const shapes = vowelCepstra(target, createWarp(1 / tract), 2);
    return shapes.reduce((sum, shape) => sum + logLikelihood(space, shape, shares), 0) / shapes.length;
  });
}

/** Coarse-to-fine search for the highest score. */
function findTract(scoreOf: (tract: number) => number): number {
  let best = { tract: 1, score: Number.NEGATIVE_INFINITY };
  const searchRange = (from: number, to: number, stepSize: number) => {
    for (let tract = from; tract <= to + 1e-9; tract += stepSize) {
      const score = scoreOf(tract);
      if (score > best.score) best = { tract, score };
    }
  };
  searchRange(tractRange.least, tractRange.most, stepSizes[0]);
  const { tract } = best;
  const [least, most] = [Math.max(tractRange.least, tract - 0.06), Math.min(tractRange.most, tract + 0.06)];
  searchRange(least, most, stepSizes[1]);
  return best.tract;
}

/** Mean-normalised cepstra of loud voiced frames; the mean depends on the channel. */
function vowelCepstra(analysis: Analysis, warp: Warp, everyNth: number): Float64Array[] {
  const frames = selectFrames(analysis, "voiced", 25).filter((f) => f % everyNth === 0);
  const warped = new Float32Array(binCount);
  const mel = new Float64Array(melBands);
  const all = new Float64Array(rows.length);
  const shapes = frames.map((f) => {
    warpFrame(warp, analysis.envelope, f * binCount, warped);
    logMelAt(warped, 0, mel);
    cepstrum(mel, rows, all, lowBand);
    return all.slice(1);
  });
  const mean = new Float64Array(rows.length - 1);
  for (const shape of shapes)
    for (let d = 0; d < mean.length; d++) mean[d] = (mean[d] as number) + (shape[d] as number);
  for (const shape of shapes) {
    for (let d = 0; d < mean.length; d++) shape[d] = (shape[d] as number) - (mean[d] as number) / shapes.length;
  }
  return shapes;
}

/** Estimates the vocal-tract ratio from aligned voiced frames. */
export function tractFromPairs(source: Analysis, target: Analysis, pairs: FramePair[]): number {
  const voiced = pairs.filter(([s, t]) => (source.pitch[s] as number) > 0 && (target.pitch[t] as number) > 0);
  const used = voiced.filter(([s, t], i) => i % 2 === 0 && source.active[s] === 1 && target.active[t] === 1);
  const mel = new Float64Array(melBands);
  const targets = used.map(([, t]) => {
    logMelAt(target.envelope, t * binCount, mel);
    return mel.slice();
  });
  const warped = new Float32Array(binCount);
  return findTract((tract) => {
    const warp = createWarp(tract);
    const differences = used.map(([s], i) => {
      warpFrame(warp, source.envelope, s * binCount, warped);
      logMelAt(warped, 0, mel);
      return (targets[i] as Float64Array).map((value, b) => value - (mel[b] as number));
    });
    return -residualVariance(differences);
  });
}

/** Mean square after removing the mean of each band and the level of each frame. */
function residualVariance(differences: Float64Array[]): number {
  const mean = new Float64Array(melBands);
  for (const row of differences) {
    for (let b = 0; b < melBands; b++) mean[b] = (mean[b] as number) + (row[b] as number) / differences.length;
  }
  let sum = 0;
  for (const row of differences) {
    let level = 0;
    for (let b = firstBand; b < endBand; b++) level += (row[b] as number) - (mean[b] as number);
    level /= endBand - firstBand;
    for (let b = firstBand; b < endBand; b++) sum += ((row[b] as number) - (mean[b] as number) - level) ** 2;
  }
  return sum / Math.max(1, differences.length);
}
