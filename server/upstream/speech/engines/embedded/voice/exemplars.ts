import { binCount } from "../../../dsp/grid";
import { cepstrum, dctRows, logMelAt, melBands } from "../../../dsp/mel";
import type { Analysis } from "./analysis";
import { createWarp, type FramePair, warpFrame } from "./vocal-tract";
import type { ExemplarTable } from "./voice";

/** Cepstral coefficients for the frame distance. */
export const featureSize = 13;
const rows = dctRows(featureSize, melBands);
const maxExemplars = 2500;
/** Maximum deviation from the mean offset (natural log power), of the shape and of the level. */
const maxShapeDeviation = 3.2;
const maxLevelDeviation = 0.6;
const packing = 512;
const unvoicedMark = "¯";

export interface Exemplars {
  count: number;
  phones: string[];
  cepstra: Float32Array;
  offsets: Float32Array;
}

export const phoneKey = (phone: string, isVoiced: boolean) => `${phone || "_"}${isVoiced ? "" : unvoicedMark}`;

/** Writes the features of a source frame for nearest-neighbour search. */
export function cepstralFeatures(envelope: Float32Array, offset: number, into: Float64Array): void {
  logMelAt(envelope, offset, scratch);
  cepstrum(scratch, rows, into);
}
const scratch = new Float64Array(melBands);

interface AlignResult {
  source: Analysis;
  labels: string[];
  target: Analysis;
  pairs: FramePair[];
}

interface Means {
  tract: number;
  voiced: number[];
  unvoiced: number[];
}

/** Spectral offsets of the recording from the warped source, for aligned frames. */
export function collectExemplars({ source, labels, target, pairs }: AlignResult, means: Means): ExemplarTable {
  const warp = createWarp(means.tract);
  const warped = new Float32Array(binCount);
  const [sourceMel, targetMel] = [new Float64Array(melBands), new Float64Array(melBands)];
  const usable = subsample(uniqueSourceFrames(pairs.filter(([s, t]) => isUsable(source, target, [s, t]))));
  const phones: string[] = [];
  const cepstra = new Float32Array(usable.length * featureSize);
  const offsets = new Float32Array(usable.length * melBands);
  const features = new Float64Array(featureSize);
  usable.forEach(([s, t], i) => {
    const isVoiced = (source.pitch[s] as number) > 0;
    warpFrame(warp, source.envelope, s * binCount, warped);
    logMelAt(warped, 0, sourceMel);
    logMelAt(target.envelope, t * binCount, targetMel);
    const offset = targetMel.map((value, b) => value - (sourceMel[b] as number));
    offsets.set(limitOffset(offset, isVoiced ? means.voiced : means.unvoiced, isVoiced), i * melBands);
    cepstralFeatures(source.envelope, s * binCount, features);
    cepstra.set(features, i * featureSize);
    phones.push(phoneKey(labels[s] ?? "", isVoiced));
  });
  return { count: usable.length, phones: phones.join(" "), cepstra: pack(cepstra), offsets: pack(offsets) };
}

function isUsable(source: Analysis, target: Analysis, [s, t]: FramePair): boolean {
  const sameVoicing = (source.pitch[s] as number) > 0 === (target.pitch[t] as number) > 0;
  return sameVoicing && source.active[s] === 1 && target.active[t] === 1;
}

function uniqueSourceFrames(pairs: FramePair[]): FramePair[] {
  const seen = new Set<number>();
  return pairs.filter(([s]) => !seen.has(s) && seen.add(s));
}

function subsample(pairs: FramePair[]): FramePair[] {
  if (pairs.length <= maxExemplars) return pairs;
  return Array.from(
    { length: maxExemplars },
    (_, i) => pairs[Math.floor((i * pairs.length) / maxExemplars)] as FramePair,
  );
}

/** Limits outliers from misaligned frames. */
function limitOffset(offset: Float64Array, mean: number[], isVoiced: boolean): Float64Array {
  const level = offset.reduce((sum, value, b) => sum + value - (mean[b] as number), 0) / melBands;
  const allowed = isVoiced ? clamp(level * 0.4, maxLevelDeviation) : 0;
  return offset.map(
    (value, b) => (mean[b] as number) + clamp(value - (mean[b] as number) - level, maxShapeDeviation) + allowed,
  );
}

const clamp = (value: number, limit: number) => Math.max(-limit, Math.min(limit, value));

function pack(values: Float32Array): string {
  const packed = Int16Array.from(values, (value) => Math.round(clamp(value * packing, 32767)));
  return Buffer.from(packed.buffer).toString("base64");
}

function unpack(text: string): Float32Array {
  const bytes = new Uint8Array(Buffer.from(text, "base64"));
  const values = new Float32Array(new Int16Array(bytes.buffer, 0, bytes.length >> 1));
  for (let i = 0; i < values.length; i++) values[i] = (values[i] as number) / packing;
  return values;
}

export function unpackExemplars({ count, phones, cepstra, offsets }: ExemplarTable): Exemplars {
  return { count, phones: phones.split(" "), cepstra: unpack(cepstra), offsets: unpack(offsets) };
}

const neighbours = 10;
const minPerPhone = 6;
/** Weight of frames of other phones. */
const otherPhoneTrust = 0.7;

export interface OffsetFinder {
  /** Writes the offset curve of a source frame, averaged over its nearest exemplars; false if there are none. */
  find(source: Analysis, place: { frame: number; phone: string; mean: number[] }, into: Float64Array): boolean;
}

export function createOffsetFinder(exemplars: Exemplars): OffsetFinder {
  const byPhone = new Map<string, number[]>();
  const allVoiced: number[] = [];
  const allUnvoiced: number[] = [];
  exemplars.phones.forEach((key, i) => {
    const known = byPhone.get(key);
    if (known) known.push(i);
    else byPhone.set(key, [i]);
    (key.endsWith(phoneKey("", false).slice(-1)) ? allUnvoiced : allVoiced).push(i);
  });
  const features = new Float64Array(featureSize);
  const nearest = new Int32Array(neighbours);
  const distances = new Float64Array(neighbours);

  function search(pool: number[]): number {
    let found = 0;
    for (const index of pool) {
      const limit = found < neighbours ? Number.POSITIVE_INFINITY : (distances[found - 1] as number);
      const gap = distanceTo(index, limit);
      if (gap >= limit) continue;
      let slot = found < neighbours ? found++ : found - 1;
      while (slot > 0 && (distances[slot - 1] as number) > gap) {
        distances[slot] = distances[slot - 1] as number;
        nearest[slot] = nearest[slot - 1] as number;
        slot--;
      }
      distances[slot] = gap;
      nearest[slot] = index;
    }
    return found;
  }

  function distanceTo(index: number, limit: number): number {
    const at = index * featureSize;
    let sum = 0.3 * ((features[0] as number) - (exemplars.cepstra[at] as number)) ** 2;
    for (let d = 1; d < featureSize && sum < limit; d++) {
      sum += ((features[d] as number) - (exemplars.cepstra[at + d] as number)) ** 2;
    }
    return sum;
  }

  function find(
    source: Analysis,
    { frame, phone, mean }: { frame: number; phone: string; mean: number[] },
    into: Float64Array,
  ): boolean {
    const isVoiced = (source.pitch[frame] as number) > 0;
    const ofPhone = byPhone.get(phoneKey(phone, isVoiced)) ?? [];
    const hasOwnPhone = ofPhone.length >= minPerPhone;
    const pool = hasOwnPhone ? ofPhone : isVoiced ? allVoiced : allUnvoiced;
    if (pool.length === 0) return false;
    cepstralFeatures(source.envelope, frame * binCount, features);
    const found = search(pool);
    const trust = ((hasOwnPhone ? 1 : otherPhoneTrust) * found) / (found + 2);
    into.fill(0);
    let total = 0;
    for (let n = 0; n < found; n++) {
      const weight = 1 / ((distances[n] as number) + (distances[0] as number) + 1);
      const at = (nearest[n] as number) * melBands;
      total += weight;
      for (let b = 0; b < melBands; b++) into[b] = (into[b] as number) + weight * (exemplars.offsets[at + b] as number);
    }
    for (let b = 0; b < melBands; b++) {
      into[b] = (mean[b] as number) * (1 - trust) + (trust * (into[b] as number)) / total;
    }
    return true;
  }

  return { find };
}
