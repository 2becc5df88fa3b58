import { cepstrum, dctRows } from "../dsp/mel";
import { deviation, mean, quantile } from "../dsp/statistics";
import type { MonoSound } from "../recogniser";
import { type ProofSound, slopesOf, toFrames } from "./frames";
import packed from "./speaker-model.json" with { type: "json" };

/** Each list is stored as 16-bit integers in base64, with the value of one step. */
const unpack = ({ step, values }: { step: number; values: string }): Float64Array => {
  const bytes = Buffer.from(values, "base64");
  return Float64Array.from({ length: bytes.length / 2 }, (_, i) => bytes.readInt16LE(2 * i) * step);
};

/** Parameters learned from recordings of 67 people; NOTICE names their source. Matrices by rows. */
const model = {
  clip: packed.clip,
  mean: unpack(packed.mean),
  scale: unpack(packed.scale),
  centre: unpack(packed.centre),
  projection: unpack(packed.projection),
  origin: unpack(packed.origin),
  q: unpack(packed.q),
  p: unpack(packed.p),
};

/** A voice as a point in the model's space. */
export type Voiceprint = Float64Array;

const bands = 24;
const rows = dctRows(20, bands);
/** Two seconds. */
const leastFrames = 200;

/** Describes a voice by the statistics of its cepstra and pitch. Null for less than two seconds of speech. */
export function describeSpeaker(sound: ProofSound): Voiceprint | null {
  const { mel, pitch, active } = toFrames(sound, { bands, lowestHz: 120, highestHz: 6800 });
  const cepstra = mel.map((row) => {
    const coefficients = new Float64Array(rows.length);
    cepstrum(row, rows, coefficients);
    return coefficients;
  });
  const slopes = slopesOf(cepstra);
  const spoken = active.flatMap((isActive, f) => (isActive ? [f] : []));
  if (spoken.length < leastFrames) return null;
  const columns = [
    ...Array.from({ length: 19 }, (_, d) => spoken.map((f) => cepstra[f]?.[d + 1] as number)),
    ...Array.from({ length: 20 }, (_, d) => spoken.map((f) => slopes[f]?.[d] as number)),
  ];
  const measures = [
    ...columns.map(mean),
    ...columns.map(deviation),
    ...pitchMeasures(spoken.map((f) => pitch[f] as number)),
  ];
  return project(measures);
}

/** Log-likelihood ratio: one person over two. */
export function compareSpeakers(a: Voiceprint, b: Voiceprint): number {
  return 0.5 * (form(a, model.q, a) + form(b, model.q, b)) + form(a, model.p, b);
}

/** Scales the measures, cuts unusual ones (acted voices lie far out) and projects them. */
function project(measures: number[]): Voiceprint {
  const { clip, mean: means, scale, centre, projection, origin } = model;
  const scaled = measures.map((value, i) => {
    const normal = (value - (means[i] as number)) / (scale[i] as number);
    return Math.max(-clip, Math.min(clip, normal)) - (centre[i] as number);
  });
  return origin.map((start, k) => {
    let sum = -start;
    for (const [i, value] of scaled.entries()) sum += value * (projection[i * origin.length + k] as number);
    return sum;
  });
}

const farSt = 9;
const leastVoiced = 15;

function pitchMeasures(semitones: number[]): number[] {
  const voiced = semitones.filter((value) => !Number.isNaN(value));
  if (voiced.length < leastVoiced) return [0, 0, 0, 0];
  const median = quantile(voiced, 0.5);
  const near = voiced.filter((value) => Math.abs(value - median) < farSt);
  return [quantile(near, 0.5), quantile(near, 0.15), quantile(near, 0.85), deviation(near)];
}

function form(a: Float64Array, matrix: Float64Array, b: Float64Array): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) {
    for (let j = 0; j < b.length; j++) {
      sum += (a[i] as number) * (matrix[i * b.length + j] as number) * (b[j] as number);
    }
  }
  return sum;
}

/**
 * Log-likelihood ratio from which two recordings count as one voice on the list of blocked voices. Stricter than a proof
 * (−10.7): a false match refuses a person who did nothing, and every blocked voice is another chance of one. The bench
 * section `blocklist` measures it.
 */
export const sameVoiceAbove = -4;

/** Compares voices by the embedded measures, which need no installed model. */
export function createVoiceprints(describe: (sound: MonoSound, signal?: AbortSignal) => Promise<number[] | null>) {
  return {
    model: "cepstra-1",
    describe,
    isSameVoice: (one: readonly number[], other: readonly number[]) =>
      compareSpeakers(Float64Array.from(one), Float64Array.from(other)) >= sameVoiceAbove,
  };
}
