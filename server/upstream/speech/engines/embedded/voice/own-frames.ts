import { binCount } from "../../../dsp/grid";
import { cepstrum, dctRows, logMelAt, melBands } from "../../../dsp/mel";
import type { Analysis } from "./analysis";
import { extrapolate } from "./moments";
import type { OwnTable } from "./voice";

const T = JSON.parse(process.env.TUNE ?? "{}") as Record<string, number>;
/** Uses every second frame: a 10 ms grid. */
const stride = 2;
const maxFrames = 2500;
const depthDb = 35;
/** A byte holds a natural log power from `lowest` in steps of `stepSize`. */
const stepSize = 0.1;
const lowest = -17;
/** Cepstral coefficients of the distance. */
const coefficients = 16;
const rows = dctRows(coefficients, melBands);
/** Weights of the level, of the shape and of the finest shape, relative to the spread of each. */
const levelWeight = T.lw ?? 0.35;
const shapeWeight = 1;
const fineWeight = 0.6;
const fineFrom = 10;
/** The frames 20 ms before and after count as well. */
const contextReach = 2;
const contextWeight = T.cw ?? 0.5;
const featureSize = 3 * coefficients;
const neighbours = T.k ?? 4;
/** Share of the person's own spectrum; consonants keep more of the source, which is clearer. */
const ownShare = { voiced: T.sv ?? 0.5, unvoiced: T.su ?? 0.3 };

export interface OwnFrames {
  voiced: Pool;
  unvoiced: Pool;
  /** Inverse spread of each coefficient, weighted. */
  scale: Float32Array;
}

/** Frames of one kind of voicing: `featureSize` features and `melBands` log powers a frame. */
interface Pool {
  count: number;
  features: Float32Array;
  mel: Float32Array;
}

const isVoicedAt = (pitch: Float32Array, f: number) => (pitch[f] ?? 0) > 0;

/** Packs the spectra of a recording; bands above `lastBand` are extrapolated. */
export function collectOwnFrames(target: Analysis, lastBand: number): OwnTable {
  const { pitch, powerDb, peakDb, envelope } = target;
  const count = Math.min(maxFrames, Math.floor(target.frames / stride));
  const packed = new Uint8Array(count * melBands);
  const mel = new Float64Array(melBands);
  let kinds = "";
  for (let i = 0; i < count; i++) {
    const f = i * stride;
    logMelAt(envelope, f * binCount, mel);
    extrapolate(mel, lastBand);
    mel.forEach((value, b) => {
      packed[i * melBands + b] = Math.max(0, Math.min(255, Math.round((value - lowest) / stepSize)));
    });
    const isVoiced = isVoicedAt(pitch, f);
    // A frame beside a change of voicing mixes both kinds.
    const isSteady = isVoicedAt(pitch, f - stride) === isVoiced && isVoicedAt(pitch, f + stride) === isVoiced;
    const isUsed = (powerDb[f] as number) > peakDb - depthDb && isSteady;
    kinds += isUsed ? (isVoiced ? "v" : "u") : "-";
  }
  return { kinds, mel: Buffer.from(packed).toString("base64") };
}

export function unpackOwnFrames({ kinds, mel }: OwnTable): OwnFrames {
  const levels = Float32Array.from(Buffer.from(mel, "base64"), (byte) => byte * stepSize + lowest);
  const cepstra = cepstraOf(levels);
  const indices = (kind: string) => Array.from(kinds).flatMap((k, i) => (k === kind ? [i] : []));
  const [voiced, unvoiced] = [indices("v"), indices("u")];
  const scale = scaleOf(cepstra, [...voiced, ...unvoiced]);
  const toPool = (frames: number[]): Pool => {
    const pool = {
      count: frames.length,
      features: new Float32Array(frames.length * featureSize),
      mel: new Float32Array(frames.length * melBands),
    };
    frames.forEach((frame, i) => {
      pool.mel.set(levels.subarray(frame * melBands, (frame + 1) * melBands), i * melBands);
      writeFeatures(cepstra, { frame, reach: contextReach }, scale, pool.features.subarray(i * featureSize));
    });
    return pool;
  };
  return { voiced: toPool(voiced), unvoiced: toPool(unvoiced), scale };
}

function cepstraOf(mel: Float32Array): Float32Array {
  const count = mel.length / melBands;
  const cepstra = new Float32Array(count * coefficients);
  const row = new Float64Array(coefficients);
  for (let i = 0; i < count; i++) {
    cepstrum(mel, rows, row, i * melBands);
    cepstra.set(row, i * coefficients);
  }
  return cepstra;
}

function scaleOf(cepstra: Float32Array, frames: number[]): Float32Array {
  const count = Math.max(1, frames.length);
  return Float32Array.from({ length: coefficients }, (_, i) => {
    const values = frames.map((f) => cepstra[f * coefficients + i] as number);
    const mean = values.reduce((sum, value) => sum + value, 0) / count;
    const variance = values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / count;
    const weight = i === 0 ? levelWeight : i < fineFrom ? shapeWeight : fineWeight;
    return weight / Math.sqrt(Math.max(1e-6, variance));
  });
}

function writeFeatures(
  cepstra: Float32Array,
  { frame, reach }: { frame: number; reach: number },
  scale: Float32Array,
  into: Float32Array,
) {
  const last = cepstra.length / coefficients - 1;
  [frame, Math.max(0, frame - reach), Math.min(last, frame + reach)].forEach((place, p) => {
    const weight = p === 0 ? 1 : contextWeight;
    for (let i = 0; i < coefficients; i++) {
      into[p * coefficients + i] = weight * (scale[i] as number) * (cepstra[place * coefficients + i] as number);
    }
  });
}

/**
 * Curves that move converted spectra (`mel`, log power) towards the nearest of the recording, each at the level of its
 * own frame.
 */
export function ownCurves({ pitch, active, frames }: Analysis, mel: Float32Array, own: OwnFrames): Float32Array {
  const cepstra = cepstraOf(mel);
  const curves = new Float32Array(mel.length);
  const query = new Float32Array(featureSize);
  const shape = new Float64Array(melBands);
  for (let f = 0; f < frames; f += stride) {
    if (active[f] === 0) continue;
    const isVoiced = isVoicedAt(pitch, f);
    const pool = isVoiced ? own.voiced : own.unvoiced;
    if (pool.count < neighbours) continue;
    writeFeatures(cepstra, { frame: f, reach: contextReach * stride }, own.scale, query);
    meanShape(pool, nearestFrames(pool, query), shape);
    const share = isVoiced ? ownShare.voiced : ownShare.unvoiced;
    const at = f * melBands;
    let level = 0;
    for (let b = 0; b < melBands; b++) level += (mel[at + b] as number) / melBands;
    for (let b = 0; b < melBands; b++) curves[at + b] = share * ((shape[b] as number) + level - (mel[at + b] as number));
  }
  interpolateSkipped(curves);
  return curves;
}

interface Found {
  index: number;
  gap: number;
}

/** A sum stops as soon as it exceeds that of the last neighbour. */
function nearestFrames({ count, features }: Pool, query: Float32Array): Found[] {
  const found: Found[] = [];
  let limit = Number.POSITIVE_INFINITY;
  for (let index = 0; index < count; index++) {
    const at = index * featureSize;
    let gap = 0;
    for (let d = 0; d < featureSize && gap < limit; d++) {
      const difference = (query[d] as number) - (features[at + d] as number);
      gap += difference * difference;
    }
    if (gap >= limit) continue;
    if (found.length === neighbours) found.pop();
    let slot = found.length;
    while (slot > 0 && (found[slot - 1] as Found).gap > gap) slot--;
    found.splice(slot, 0, { index, gap });
    if (found.length === neighbours) limit = (found[neighbours - 1] as Found).gap;
  }
  return found;
}

/** Weighted mean of spectra, without its level. */
function meanShape({ mel }: Pool, found: Found[], into: Float64Array) {
  into.fill(0);
  const least = (found[0] as Found).gap;
  let total = 0;
  for (const { index, gap } of found) {
    const weight = 1 / (gap + least + 0.5);
    total += weight;
    for (let b = 0; b < melBands; b++) into[b] = (into[b] as number) + weight * (mel[index * melBands + b] as number);
  }
  const level = into.reduce((sum, value) => sum + value, 0) / melBands;
  for (let b = 0; b < melBands; b++) into[b] = ((into[b] as number) - level) / total;
}

/** Frames between two searches lie halfway. */
function interpolateSkipped(curves: Float32Array) {
  const frames = curves.length / melBands;
  for (let f = 1; f + 1 < frames; f += stride) {
    for (let b = 0; b < melBands; b++) {
      const at = f * melBands + b;
      curves[at] = ((curves[at - melBands] as number) + (curves[at + melBands] as number)) / 2;
    }
  }
}
