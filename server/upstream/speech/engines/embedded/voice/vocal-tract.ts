import { type GaussianMixture, logLikelihood, trainGaussianMixture } from "../../../dsp/gaussian-mixture";
import { binCount } from "../../../dsp/grid";
import { cepstrum, dctRows, logMelAt, melBands } from "../../../dsp/mel";
import { type Analysis, selectFrames } from "./analysis";

const last = binCount - 1;

/** A vocal tract's ratio as a map of bins: straight up to a knee at 80 % of the band, then to the edge. */
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

/** The frame at `offset`, warped, into the first bins of `into`. */
export function warpFrame(warp: Warp, envelope: Float32Array, offset: number, into: Float32Array): void {
  for (let k = 0; k < binCount; k++) {
    const from = offset + (warp.index[k] as number);
    const left = envelope[from] as number;
    into[k] = left + ((envelope[from + 1] as number) - left) * (warp.share[k] as number);
  }
}

/** Frames of two recordings that say the same thing: [source, target]. */
export type FramePair = readonly [number, number];

const [lowBand, bandsUsed] = [1, 30];
const rows = dctRows(13, bandsUsed);
const tractRange = { least: 0.82, most: 1.3 } as const;
const strides = [0.08, 0.02] as const;
const [firstBand, endBand] = [2, 30];

/** How the source voice's vowels lie in cepstral space; what a warped stranger is held against. */
export function learnVowelSpace(source: Analysis): GaussianMixture {
  return trainGaussianMixture(vowelShapes(source, createWarp(1), 1), 24);
}

/** The ratio that, undone, makes the target's vowels most like the source's. */
export function tractFromVowels(space: GaussianMixture, target: Analysis): number {
  const shares = new Float64Array(space.size);
  return findTract((tract) => {
    const shapes = vowelShapes(target, createWarp(1 / tract), 2);
    return shapes.reduce((sum, shape) => sum + logLikelihood(space, shape, shares), 0) / shapes.length;
  });
}

/** Where the score is highest: first in wide strides, then in short ones around the best. */
function findTract(scoreOf: (tract: number) => number): number {
  let best = { tract: 1, score: Number.NEGATIVE_INFINITY };
  const look = (from: number, to: number, stride: number) => {
    for (let tract = from; tract <= to + 1e-9; tract += stride) {
      const score = scoreOf(tract);
      if (score > best.score) best = { tract, score };
    }
  };
  look(tractRange.least, tractRange.most, strides[0]);
  const { tract } = best;
  const [least, most] = [Math.max(tractRange.least, tract - 0.06), Math.min(tractRange.most, tract + 0.06)];
  look(least, most, strides[1]);
  return best.tract;
}

/** Cepstra of loud voiced frames without their mean, which is the channel's rather than the speaker's. */
function vowelShapes(analysis: Analysis, warp: Warp, everyNth: number): Float64Array[] {
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

/** The ratio that leaves the least difference between voiced frames that say the same thing. */
export function tractFromPairs(source: Analysis, target: Analysis, pairs: FramePair[]): number {
  const voiced = pairs.filter(([s, t]) => (source.pitch[s] as number) > 0 && (target.pitch[t] as number) > 0);
  const used = voiced.filter(([s, t]) => source.active[s] === 1 && target.active[t] === 1);
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
    return -spread(differences);
  });
}

/** Mean square of what remains when each band's mean and each frame's level are taken off. */
function spread(differences: Float64Array[]): number {
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
