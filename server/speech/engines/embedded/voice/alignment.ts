import { binCount } from "../../../dsp/grid";
import { cepstrum, dctRows, logMelAt, melBands } from "../../../dsp/mel";
import { deviation, mean } from "../../../dsp/statistics";
import type { Analysis } from "./analysis";

/** Uses every second frame: a 10 ms grid. */
const step = 2;
const [lowBand, bandsUsed] = [1, 32];
const rows = dctRows(13, bandsUsed);
const featureSize = rows.length + 2;
/** Width of the search band as a share of the longer sequence. */
const bandShare = 0.22;
const sideStep = { scale: 1.15, extra: 0.25 };
const diagonalScale = 1.4;

/** Aligned frame indices: [source, target]. */
export type FramePair = readonly [number, number];

export interface Alignment {
  pairs: FramePair[];
  /** Mean distance along the path. */
  cost: number;
}

/** Features of one recording. */
export interface FeatureSequence {
  frames: number[];
  /** `featureSize` values per frame. */
  features: Float64Array;
}

/** Dynamic time warping. */
export function alignSequences(a: FeatureSequence, b: FeatureSequence): Alignment {
  const [rowsOf, columns] = [a.frames.length, b.frames.length];
  const reach = Math.max(60, Math.round(bandShare * Math.max(rowsOf, columns)));
  const width = 2 * reach;
  const steps = new Uint8Array(rowsOf * width);
  // With room for the furthest shift, so that no read is out of bounds.
  let above = new Float64Array(width + 3 + Math.ceil(columns / rowsOf)).fill(Number.POSITIVE_INFINITY);
  let here = above.slice();
  const startOf = (i: number) => Math.round((i * columns) / rowsOf) - reach;
  // Slot s is stored at s + 1, so that its neighbours exist.
  for (let i = 0; i < rowsOf; i++) {
    const start = startOf(i);
    const shift = start - startOf(i - 1);
    here.fill(Number.POSITIVE_INFINITY);
    for (let j = Math.max(0, start); j < Math.min(columns, start + width); j++) {
      const slot = j - start;
      const local = distance(a, i, b, j);
      const sideCost = local * sideStep.scale + sideStep.extra;
      let cheapest = (above[slot + shift] as number) + local * diagonalScale;
      let step = 0;
      const up = (above[slot + shift + 1] as number) + sideCost;
      if (up < cheapest) {
        cheapest = up;
        step = 1;
      }
      const left = (here[slot] as number) + sideCost;
      if (left < cheapest) {
        cheapest = left;
        step = 2;
      }
      here[slot + 1] = i === 0 && j === 0 ? local : cheapest;
      steps[i * width + slot] = step;
    }
    [above, here] = [here, above];
  }
  const cost = (above[columns - startOf(rowsOf - 1)] as number) / (rowsOf + columns);
  return { pairs: tracePairs(a, b, { steps, width, startOf }), cost };
}

/** Rotates a sequence, so that its later part comes first. */
export function rotateSequence({ frames, features }: FeatureSequence, share: number): FeatureSequence {
  const offset = Math.round(frames.length * share) * featureSize;
  const rotated = new Float64Array(features.length);
  rotated.set(features.subarray(offset));
  rotated.set(features.subarray(0, offset), features.length - offset);
  return { frames, features: rotated };
}

function tracePairs(
  a: FeatureSequence,
  b: FeatureSequence,
  { steps, width, startOf }: { steps: Uint8Array; width: number; startOf(i: number): number },
): FramePair[] {
  const pairs: FramePair[] = [];
  let [i, j] = [a.frames.length - 1, b.frames.length - 1];
  while (i >= 0 && j >= 0) {
    pairs.push([a.frames[i] as number, b.frames[j] as number]);
    const taken = steps[i * width + j - startOf(i)];
    if (taken !== 2) i--;
    if (taken !== 1) j--;
  }
  return pairs.reverse();
}

function distance(a: FeatureSequence, i: number, b: FeatureSequence, j: number): number {
  let sum = 0;
  for (let d = 0; d < featureSize; d++)
    sum += ((a.features[i * featureSize + d] as number) - (b.features[j * featureSize + d] as number)) ** 2;
  return Math.sqrt(sum);
}

/** Variance-normalised cepstra plus voicing and activity; cepstra of silence are zero. */
export function alignmentFeatures(analysis: Analysis): FeatureSequence {
  const first = analysis.active.indexOf(1);
  const last = analysis.active.lastIndexOf(1);
  const frames: number[] = [];
  for (let f = Math.max(0, first); f <= last; f += step) frames.push(f);
  const mel = new Float64Array(melBands);
  const features = new Float64Array(frames.length * featureSize);
  const rowAt = (i: number) => features.subarray(i * featureSize, (i + 1) * featureSize);
  frames.forEach((f, i) => {
    logMelAt(analysis.envelope, f * binCount, mel);
    const row = rowAt(i);
    cepstrum(mel, rows, row, lowBand);
    row[rows.length] = (analysis.pitch[f] as number) > 0 ? 1 : -1;
    row[rows.length + 1] = analysis.active[f] === 1 ? 1.2 : -1.2;
  });
  const isActive = (i: number) => analysis.active[frames[i] as number] === 1;
  const active = frames.flatMap((_, i) => (isActive(i) ? [i] : []));
  for (let d = 0; d < rows.length; d++) {
    const values = active.map((i) => features[i * featureSize + d] as number);
    const middle = mean(values);
    const weight = (d === 0 ? 0.8 : d < 8 ? 1 : 0.6) / (deviation(values) || 1);
    for (let i = 0; i < frames.length; i++) {
      features[i * featureSize + d] = isActive(i) ? ((features[i * featureSize + d] as number) - middle) * weight : 0;
    }
  }
  return { frames, features };
}
