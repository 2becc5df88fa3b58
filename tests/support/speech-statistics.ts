/**
 * Statistics of the spectra of speech, to compare synthesised with recorded speech: cepstra and their changes, long-term
 * spectrum, modulation. They do not measure perceived naturalness.
 */
import { createFft } from "../../server/speech/dsp/fft";
import { eigen } from "../../server/speech/dsp/symmetric";
import { cholesky, frameFeatures } from "./voice-scores";

const sampleRate = 22_050;
const coefficients = 15;
const activeDb = 35;
/** Frames on either side of a regression delta. */
const deltaReach = 2;

export interface SpeechStatistics {
  /** Cepstral coefficients 1–15 without their mean, and their changes per 10 ms; active frames only. */
  vectors: Float64Array[];
  /** Mean variance of the coefficients. */
  globalVariance: number;
  /** Root mean square length of the change of the coefficients in 10 ms. */
  cepstralChange: number;
  /** dB by third of an octave, without the level. */
  spectrum: number[];
  /** dB of the coefficients' modulation by octave from 1 to 32 Hz, without the level. */
  modulation: number[];
}

export function speechStatistics(samples: Float32Array): SpeechStatistics {
  const frames = frameFeatures(samples);
  const loudest = Math.max(...frames.map(({ energy }) => energy));
  const isActive = frames.map(({ energy }) => energy > loudest * 10 ** (-activeDb / 10));
  const cepstra = frames.map(({ cepstrum }) => cepstrum.slice(1, coefficients + 1));
  const active = cepstra.flatMap((_, f) => (isActive[f] ? [f] : []));
  const mean = new Float64Array(coefficients);
  for (const f of active) addScaled(mean, cepstra[f] as Float64Array, 1 / active.length);
  const centred = cepstra.map((row) => row.map((value, d) => value - (mean[d] as number)));
  const deltas = centred.map((_, f) => deltaAt(centred, f));
  const power = (rows: Float64Array[]) =>
    active.reduce((sum, f) => sum + (rows[f] as Float64Array).reduce((s, v) => s + v * v, 0), 0) / active.length;
  const steps = centred.map((row, f) => row.map((value, d) => value - (centred[Math.max(0, f - 1)]?.[d] ?? 0)));
  return {
    vectors: active.map((f) => Float64Array.of(...(centred[f] as Float64Array), ...(deltas[f] as Float64Array))),
    globalVariance: power(centred) / coefficients,
    cepstralChange: Math.sqrt(power(steps)),
    spectrum: thirdOctaves(samples, isActive),
    modulation: modulationSpectrum(centred.map((row, f) => (isActive[f] ? row : row.map(() => 0)))),
  };
}

function addScaled(into: Float64Array, row: ArrayLike<number>, scale: number) {
  for (let d = 0; d < into.length; d++) into[d] = (into[d] as number) + scale * (row[d] as number);
}

function deltaAt(rows: Float64Array[], f: number): Float64Array {
  const delta = new Float64Array(coefficients);
  let norm = 0;
  for (let r = 1; r <= deltaReach; r++) {
    addScaled(delta, rows[Math.min(rows.length - 1, f + r)] as Float64Array, r);
    addScaled(delta, rows[Math.max(0, f - r)] as Float64Array, -r);
    norm += 2 * r * r;
  }
  return delta.map((value) => value / norm);
}

/** Centres from 200 to 6,350 Hz. */
export const thirdOctaveHz = Array.from({ length: 16 }, (_, i) => 200 * 2 ** (i / 3));

function thirdOctaves(samples: Float32Array, isActive: boolean[]): number[] {
  const size = 2048;
  const fft = createFft(size);
  const [frame, re, im] = [new Float64Array(size), new Float64Array(size / 2 + 1), new Float64Array(size / 2 + 1)];
  const power = new Float64Array(size / 2 + 1);
  const hop = Math.round(0.01 * sampleRate);
  isActive.forEach((active, f) => {
    if (!active) return;
    const start = f * hop + Math.round(0.0125 * sampleRate) - size / 2;
    for (let i = 0; i < size; i++)
      frame[i] = (samples[start + i] ?? 0) * (0.5 - 0.5 * Math.cos((2 * Math.PI * i) / size));
    fft.forward(frame, re, im);
    for (let k = 0; k < power.length; k++)
      power[k] = (power[k] as number) + (re[k] as number) ** 2 + (im[k] as number) ** 2;
  });
  const db = thirdOctaveHz.map((hz) => {
    const [first, end] = [2 ** (-1 / 6), 2 ** (1 / 6)].map((edge) => Math.round((hz * edge * size) / sampleRate));
    return (
      10 * Math.log10(power.subarray(first, end).reduce((sum, value) => sum + value, 0) / ((end ?? 0) - (first ?? 0)))
    );
  });
  return withoutMean(db);
}

const withoutMean = (values: number[]) => {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  return values.map((value) => value - mean);
};

function modulationSpectrum(rows: Float64Array[]): number[] {
  const size = 128;
  const fft = createFft(size);
  const [frame, re, im] = [new Float64Array(size), new Float64Array(size / 2 + 1), new Float64Array(size / 2 + 1)];
  const power = new Float64Array(size / 2 + 1);
  for (let start = 0; start + size <= rows.length; start += size / 2) {
    for (let d = 0; d < coefficients; d++) {
      for (let i = 0; i < size; i++)
        frame[i] = (rows[start + i]?.[d] ?? 0) * (0.5 - 0.5 * Math.cos((2 * Math.PI * i) / size));
      fft.forward(frame, re, im);
      for (let k = 0; k < power.length; k++)
        power[k] = (power[k] as number) + (re[k] as number) ** 2 + (im[k] as number) ** 2;
    }
  }
  const binAt = (hz: number) => Math.round((hz * size) / 100);
  const octaves = [1, 2, 4, 8, 16].map((hz) => {
    const band = power.subarray(binAt(hz), binAt(2 * hz));
    return 10 * Math.log10(band.reduce((sum, value) => sum + value, 0) / band.length + 1e-12);
  });
  return withoutMean(octaves);
}

/** Fréchet distance between Gaussians of two sets of vectors without their means: how different their spreads are. */
export function frechetDistance(a: Float64Array[], b: Float64Array[]): number {
  const [x, y] = [covarianceOf(a), covarianceOf(b)];
  const trace = (matrix: Float64Array[]) => matrix.reduce((sum, row, i) => sum + (row[i] as number), 0);
  // The eigenvalues of x y are those of the symmetric product rootᵀ y root.
  const root = cholesky(x);
  const size = x.length;
  const product = root.map((_, i) =>
    Float64Array.from({ length: size }, (_unused, j) => {
      let sum = 0;
      for (let p = i; p < size; p++)
        for (let q = j; q < size; q++) sum += (root[p]?.[i] ?? 0) * (y[p]?.[q] ?? 0) * (root[q]?.[j] ?? 0);
      return sum;
    }),
  );
  const shared = eigen(product).values.reduce((sum, value) => sum + Math.sqrt(Math.max(0, value)), 0);
  return trace(x) + trace(y) - 2 * shared;
}

function covarianceOf(vectors: Float64Array[]): Float64Array[] {
  const size = vectors[0]?.length ?? 0;
  const covariance = Array.from({ length: size }, () => new Float64Array(size));
  const mean = new Float64Array(size);
  for (const vector of vectors) addScaled(mean, vector, 1 / vectors.length);
  for (const vector of vectors) {
    const centred = vector.map((value, d) => value - (mean[d] as number));
    for (let i = 0; i < size; i++)
      addScaled(covariance[i] as Float64Array, centred, (centred[i] as number) / vectors.length);
  }
  return covariance;
}
