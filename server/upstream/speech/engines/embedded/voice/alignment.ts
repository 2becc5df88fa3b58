import { binCount } from "../../../dsp/grid";
import { cepstrum, cosineRows, melAt, melBands } from "../../../dsp/mel";
import type { Analysis } from "./analysis";
import type { FramePair } from "./tract";
import { createWarp, warpFrame } from "./warp";

/** Every second frame: a 10 ms grid. */
const step = 2;
const [lowBand, bandsUsed] = [1, 32];
const rows = cosineRows(13, bandsUsed);
const featureSize = rows.length + 2;
/** Slant allowed, as a share of the longer side. */
const bandShare = 0.22;
const detour = { scale: 1.15, extra: 0.25 };
const diagonalScale = 1.4;

export interface Alignment {
  pairs: FramePair[];
  /** Mean distance along the path; a transcript that was not spoken is far. */
  cost: number;
}

interface Side {
  frames: number[];
  features: Float64Array[];
}

/** Dynamic time warping of two readings of the same text; `tract` brings the source's vowels near the target's. */
export function align(source: Analysis, target: Analysis, tract: number): Alignment {
  const a = describeSide(source, tract);
  const b = describeSide(target, 1);
  const [rowsOf, columns] = [a.frames.length, b.frames.length];
  const reach = Math.max(60, Math.round(bandShare * Math.max(rowsOf, columns)));
  const width = 2 * reach;
  const steps = new Uint8Array(rowsOf * width);
  let above = new Float64Array(width).fill(Number.POSITIVE_INFINITY);
  let here = above.slice();
  const startOf = (i: number) => Math.round((i * columns) / rowsOf) - reach;
  for (let i = 0; i < rowsOf; i++) {
    const start = startOf(i);
    const moved = start - startOf(i - 1);
    here.fill(Number.POSITIVE_INFINITY);
    for (let j = Math.max(0, start); j < Math.min(columns, start + width); j++) {
      const slot = j - start;
      const local = distance(a.features[i] as Float64Array, b.features[j] as Float64Array);
      if (i === 0 && j === 0) {
        here[slot] = local;
        continue;
      }
      const up = i > 0 ? (above[slot + moved] ?? Number.POSITIVE_INFINITY) : Number.POSITIVE_INFINITY;
      const back = i > 0 && j > 0 ? (above[slot + moved - 1] ?? Number.POSITIVE_INFINITY) : Number.POSITIVE_INFINITY;
      const left = slot > 0 ? (here[slot - 1] as number) : Number.POSITIVE_INFINITY;
      const side = local * detour.scale + detour.extra;
      const costs = [back + local * diagonalScale, up + side, left + side];
      const cheapest = Math.min(...costs);
      here[slot] = cheapest;
      steps[i * width + slot] = costs.indexOf(cheapest);
    }
    [above, here] = [here, above];
  }
  const cost = (above[columns - 1 - startOf(rowsOf - 1)] as number) / (rowsOf + columns);
  return { pairs: tracePairs(a, b, { steps, width, startOf }), cost };
}

function tracePairs(
  a: Side,
  b: Side,
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

function distance(a: Float64Array, b: Float64Array): number {
  let sum = 0;
  for (let d = 0; d < featureSize; d++) sum += ((a[d] as number) - (b[d] as number)) ** 2;
  return Math.sqrt(sum);
}

/** Cepstra scaled to unit spread, with voicing and activity as two more dimensions; the colour of silence tells nothing. */
function describeSide(analysis: Analysis, tract: number): Side {
  const first = analysis.active.indexOf(1);
  const last = analysis.active.lastIndexOf(1);
  const frames: number[] = [];
  for (let f = Math.max(0, first); f <= last; f += step) frames.push(f);
  const warp = createWarp(tract);
  const warped = new Float32Array(binCount);
  const mel = new Float64Array(melBands);
  const features = frames.map((f) => {
    warpFrame(warp, analysis.envelope, f * binCount, warped);
    melAt(warped, 0, mel);
    const feature = new Float64Array(featureSize);
    cepstrum(mel, rows, feature, lowBand);
    return feature;
  });
  const active = features.filter((_, i) => analysis.active[frames[i] as number] === 1);
  for (let d = 0; d < rows.length; d++) {
    const mean = active.reduce((sum, feature) => sum + (feature[d] as number), 0) / active.length;
    const variance = active.reduce((sum, feature) => sum + ((feature[d] as number) - mean) ** 2, 0) / active.length;
    const weight = (d === 0 ? 0.8 : d < 8 ? 1 : 0.6) / (Math.sqrt(variance) || 1);
    features.forEach((feature, i) => {
      const isActive = analysis.active[frames[i] as number] === 1;
      feature[d] = isActive ? ((feature[d] as number) - mean) * weight : 0;
    });
  }
  features.forEach((feature, i) => {
    const f = frames[i] as number;
    feature[rows.length] = (analysis.pitch[f] as number) > 0 ? 1 : -1;
    feature[rows.length + 1] = analysis.active[f] === 1 ? 1.2 : -1.2;
  });
  return { frames, features };
}
