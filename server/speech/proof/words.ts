import { cepstrum, dctRows } from "../dsp/mel";
import { deviation, mean } from "../dsp/statistics";
import { type ProofSound, slopesOf, toFrames } from "./frames";

/** A phrase for comparison: one row every 20 ms, all rows of `width` values in one array. */
export interface ProofPhrase {
  rows: number;
  values: Float32Array;
}

/** Vocal-tract ratios that a template is tried with. */
export const warps = [0.88, 1, 1.13] as const;

const cepstra = 13;
const weights = [0.8, ...Array<number>(8).fill(1), ...Array<number>(4).fill(0.6), ...Array<number>(cepstra).fill(0.5)];
/** Cepstra, their slopes, melody, its slope, voicing and activity. */
const width = 2 * cepstra + 4;
const rows = dctRows(cepstra, 26);
/** Frames that either end may skip, and how far a path may leave the diagonal. */
const [slack, slant] = [5, 0.22];
const detourCost = 1.25;
const bound = (value: number, limit: number) => Math.max(-limit, Math.min(limit, value));

/** Describes the frames `from` to `to` (10 ms each) of a sound, normalised over them. */
export function describePhrase(sound: ProofSound, [from, to]: readonly [number, number], warp = 1): ProofPhrase {
  const part = {
    spectra: sound.spectra.slice(from, to),
    pitch: sound.pitch.slice(from, to),
    active: sound.active.slice(from, to),
  };
  const { mel, pitch, active } = toFrames(part, { bands: 26, lowestHz: 100, highestHz: 6500, warp });
  const still = mel.map((row) => {
    const coefficients = new Float64Array(cepstra);
    cepstrum(row, rows, coefficients);
    return coefficients;
  });
  const slopes = slopesOf(still);
  const measures = still.map((row, f) => [...row, ...(slopes[f] as Float64Array)]);
  const scales = weights.map((_, d) => spreadOf(measures.flatMap((row, f) => (active[f] ? [row[d] as number] : []))));
  const tune = melodyOf(pitch);
  const turns = slopesOf(tune.map((value) => Float64Array.of(value)));
  const count = Math.ceil(measures.length / 2);
  const values = new Float32Array(count * width);
  for (let i = 0; i < count; i++) {
    const f = 2 * i;
    for (const [d, weight] of weights.entries()) {
      const scale = scales[d] as Spread;
      const normal = ((measures[f]?.[d] as number) - scale.mean) / scale.deviation;
      values[i * width + d] = (active[f] ? normal : bound(normal, 1.5)) * weight;
    }
    const turn = bound((turns[f]?.[0] as number) / 0.4, 2 / 0.3) * 0.3;
    const voicing = Number.isNaN(pitch[f]) ? -0.6 : 0.6;
    values.set([((tune[f] as number) / 3) * 0.6, turn, voicing, active[f] ? 0.8 : -0.8], i * width + 2 * cepstra);
  }
  return { rows: count, values };
}

interface Spread {
  mean: number;
  deviation: number;
}

const spreadOf = (values: number[]): Spread => ({ mean: mean(values), deviation: deviation(values) + 1e-6 });

/** Semitones about the median, interpolated where unvoiced. */
function melodyOf(pitch: number[]): number[] {
  const voiced = pitch.filter((value) => !Number.isNaN(value)).sort((a, b) => a - b);
  if (voiced.length < 6) return pitch.map(() => 0);
  const median = voiced[voiced.length >> 1] as number;
  const known = pitch.flatMap((value, f) => (Math.abs(value - median) < 9 ? [f] : []));
  let next = 0;
  return pitch.map((_, f) => {
    while (next < known.length && (known[next] as number) < f) next++;
    const a = known[Math.max(0, next - 1)] as number;
    const b = known[Math.min(known.length - 1, next)] as number;
    const share = b > a ? Math.max(0, Math.min(1, (f - a) / (b - a))) : 0;
    return (pitch[a] as number) * (1 - share) + (pitch[b] as number) * share - median;
  });
}

/** Mean distance along the best path between two phrases; a tenth of a second at either end is free. */
export function phraseDistance(a: ProofPhrase, b: ProofPhrase): number {
  const costs = new Float64Array(a.rows * b.rows).fill(Number.POSITIVE_INFINITY);
  const at = (i: number, j: number) => (i < 0 || j < 0 ? Number.POSITIVE_INFINITY : (costs[i * b.rows + j] as number));
  for (let i = 0; i < a.rows; i++) {
    const middle = (i / a.rows) * b.rows;
    const last = Math.min(b.rows - 1, Math.floor(middle + slant * b.rows));
    for (let j = Math.max(0, Math.ceil(middle - slant * b.rows)); j <= last; j++) {
      const local = rowDistance(a.values, i * width, b.values, j * width);
      const isStart = (i === 0 && j <= slack) || (j === 0 && i <= slack);
      const detour = Math.min(at(i - 1, j), at(i, j - 1)) + detourCost * local;
      const straight = isStart ? 2 * local : at(i - 1, j - 1) + 2 * local;
      costs[i * b.rows + j] = Math.min(straight, detour);
    }
  }
  let best = Number.POSITIVE_INFINITY;
  for (let k = 0; k <= slack; k++) {
    const end = Math.min(at(a.rows - 1, b.rows - 1 - k), at(a.rows - 1 - k, b.rows - 1));
    best = Math.min(best, end / (a.rows + b.rows - k));
  }
  return best;
}

function rowDistance(a: Float32Array, from: number, b: Float32Array, start: number): number {
  let square = 0;
  for (let d = 0; d < width; d++) {
    const difference = (a[from + d] as number) - (b[start + d] as number);
    square += difference * difference;
  }
  return Math.sqrt(square);
}

/** Distance of the asked phrase below the decoys in standard deviations; its own distance comes first. */
export function deviationsBelowDecoys([asked = 0, ...decoys]: readonly number[]): number {
  const spread = spreadOf(decoys);
  return (spread.mean - asked) / spread.deviation;
}
