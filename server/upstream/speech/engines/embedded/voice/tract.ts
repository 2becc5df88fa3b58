import { binCount } from "../../../dsp/grid";
import { cepstrum, cosineRows, melAt, melBands } from "../../../dsp/mel";
import { logLikelihood, type Mixture, trainMixture } from "../../../dsp/mixture";
import { type Analysis, learnable } from "./analysis";
import { createWarp, type Warp, warpFrame } from "./warp";

/** Frames of two recordings that say the same thing: [source, target]. */
export type FramePair = readonly [number, number];

const [lowBand, bandsUsed] = [1, 30];
const rows = cosineRows(13, bandsUsed);
const blindGrid = Array.from({ length: 24 }, (_, i) => 0.84 + 0.02 * i);
const alignedGrid = Array.from({ length: 25 }, (_, i) => 0.82 + 0.02 * i);
const [firstBand, endBand] = [2, 30];

/** How the source voice's vowels lie in cepstral space; what a warped stranger is held against. */
export function learnVowelSpace(source: Analysis): Mixture {
  return trainMixture(vowelShapes(source, createWarp(1), 1), 24);
}

/** The ratio that, undone, makes the target's vowels most like the source's. */
export function tractFromVowels(space: Mixture, target: Analysis): number {
  const shares = new Float64Array(space.size);
  let best = { tract: 1, score: Number.NEGATIVE_INFINITY };
  for (const tract of blindGrid) {
    const shapes = vowelShapes(target, createWarp(1 / tract), 2);
    const score = shapes.reduce((sum, shape) => sum + logLikelihood(space, shape, shares), 0) / shapes.length;
    if (score > best.score) best = { tract, score };
  }
  return best.tract;
}

/** Cepstra of loud voiced frames without their mean, which is the channel's rather than the speaker's. */
function vowelShapes(analysis: Analysis, warp: Warp, everyNth: number): Float64Array[] {
  const frames = learnable(analysis, "voiced", 25).filter((f) => f % everyNth === 0);
  const warped = new Float32Array(binCount);
  const mel = new Float64Array(melBands);
  const all = new Float64Array(rows.length);
  const shapes = frames.map((f) => {
    warpFrame(warp, analysis.envelope, f * binCount, warped);
    melAt(warped, 0, mel);
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
    melAt(target.envelope, t * binCount, mel);
    return mel.slice();
  });
  let best = { tract: 1, error: Number.POSITIVE_INFINITY };
  const warped = new Float32Array(binCount);
  for (const tract of alignedGrid) {
    const warp = createWarp(tract);
    const differences = used.map(([s], i) => {
      warpFrame(warp, source.envelope, s * binCount, warped);
      melAt(warped, 0, mel);
      return (targets[i] as Float64Array).map((value, b) => value - (mel[b] as number));
    });
    const error = spread(differences);
    if (error < best.error) best = { tract, error };
  }
  return best.tract;
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
