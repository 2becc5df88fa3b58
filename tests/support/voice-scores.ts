/**
 * Objective distances between recordings in pitch and timbre, with features (25 ms windows, 26 mel bands) independent of
 * the engine. They do not measure perceived similarity.
 */
import { createFft } from "../../server/speech/dsp/fft";
import { trackPitch } from "../../server/speech/dsp/pitch";
import { findPitchRange, type PitchRange } from "../../server/speech/dsp/pitch-range";

const sampleRate = 22_050;
const windowSize = Math.round(0.025 * sampleRate);
const hop = Math.round(0.01 * sampleRate);
const fftSize = 1024;
const bands = 26;
const coefficients = 20;
const range = [60, 7400] as const;
const activeDb = 35;
/** The compared coefficients: all but the level. */
const [firstCoefficient, endCoefficient] = [1, 16];
const size = endCoefficient - firstCoefficient;

export interface Frame {
  logMel: Float64Array;
  cepstrum: Float64Array;
  energy: number;
}

export interface VoiceFeatures {
  frames: Frame[];
  pitch: PitchRange;
}

export function voiceFeatures(samples: Float32Array): VoiceFeatures {
  const pitch = findPitchRange(trackPitch(samples));
  if (!pitch) throw new Error("No voice in the sound");
  const frames = frameFeatures(samples);
  const loudest = Math.max(...frames.map(({ energy }) => energy));
  return { frames: frames.filter(({ energy }) => energy > loudest * 10 ** (-activeDb / 10)), pitch };
}

const toMel = (hz: number) => 1127 * Math.log(1 + hz / 700);
const fromMel = (mel: number) => 700 * (Math.exp(mel / 1127) - 1);

const bank = Array.from({ length: bands }, (_, band) => {
  const [low, high] = [toMel(range[0]), toMel(range[1])];
  const edge = (i: number) => (fromMel(low + ((high - low) * i) / (bands + 1)) / sampleRate) * fftSize;
  const [left, centre, right] = [edge(band), edge(band + 1), edge(band + 2)];
  const weights: Array<[number, number]> = [];
  for (let k = Math.ceil(left); k <= Math.floor(right); k++) {
    const weight = k < centre ? (k - left) / (centre - left) : (right - k) / (right - centre);
    if (weight > 0) weights.push([k, weight]);
  }
  return weights.length > 0 ? weights : [[Math.round(centre), 1] as [number, number]];
});

/** Features of all frames, 10 ms apart. */
function frameFeatures(samples: Float32Array): Frame[] {
  const fft = createFft(fftSize);
  const padded = new Float64Array(fftSize);
  const [re, im] = [new Float64Array(fftSize / 2 + 1), new Float64Array(fftSize / 2 + 1)];
  const frames: Frame[] = [];
  for (let start = 0; start + windowSize <= samples.length; start += hop) {
    let energy = 0;
    for (let i = 0; i < windowSize; i++) {
      const value = samples[start + i] as number;
      energy += value * value;
      padded[i] = value * (0.5 - 0.5 * Math.cos((2 * Math.PI * (i + 0.5)) / windowSize));
    }
    fft.forward(padded, re, im);
    const logMel = Float64Array.from(bank, (weights) =>
      Math.log(weights.reduce((sum, [k, w]) => sum + w * ((re[k] as number) ** 2 + (im[k] as number) ** 2), 1e-9)),
    );
    frames.push({ logMel, cepstrum: cosines(logMel), energy: energy / windowSize });
  }
  return frames;
}

function cosines(values: Float64Array): Float64Array {
  return Float64Array.from({ length: coefficients }, (_, i) => {
    const sum = values.reduce((total, v, b) => total + v * Math.cos((Math.PI * i * (b + 0.5)) / values.length), 0);
    return sum * Math.sqrt((i === 0 ? 1 : 2) / values.length);
  });
}

/** Semitones between the medians. */
export const pitchError = (a: VoiceFeatures, b: VoiceFeatures) => Math.abs(a.pitch.medianSt - b.pitch.medianSt);

/** Root mean square difference of long-term average spectra over 24 mel bands, level aside, in dB. */
export function spectrumError(a: VoiceFeatures, b: VoiceFeatures): number {
  const [x, y] = [longTermSpectrum(a), longTermSpectrum(b)];
  let sum = 0;
  for (let band = 1; band <= 24; band++) sum += ((x[band] as number) - (y[band] as number)) ** 2;
  return Math.sqrt(sum / 24);
}

function longTermSpectrum({ frames }: VoiceFeatures): Float64Array {
  const power = new Float64Array(bands);
  for (const { logMel } of frames) {
    for (let b = 0; b < bands; b++) power[b] = (power[b] as number) + Math.exp(logMel[b] as number);
  }
  const db = power.map((sum) => 10 * Math.log10(sum / frames.length));
  const level = db.reduce((sum, value) => sum + value, 0) / bands;
  return db.map((value) => value - level);
}

/** Bhattacharyya distance between Gaussians of cepstral coefficients 1–15. */
export function colourDistance(a: VoiceFeatures, b: VoiceFeatures): number {
  const [x, y] = [gaussian(a), gaussian(b)];
  const between = x.covariance.map((row, i) =>
    row.map((v, j) => (v + ((y.covariance[i] as Float64Array)[j] as number)) / 2),
  );
  const root = cholesky(between);
  const solved = new Float64Array(size);
  let apart = 0;
  for (let i = 0; i < size; i++) {
    let rest = (x.mean[i] as number) - (y.mean[i] as number);
    for (let k = 0; k < i; k++) rest -= at(root, i, k) * (solved[k] as number);
    solved[i] = rest / at(root, i, i);
    apart += (solved[i] as number) ** 2;
  }
  const [between2, x2, y2] = [root, cholesky(x.covariance), cholesky(y.covariance)].map(logDeterminant) as [
    number,
    number,
    number,
  ];
  return apart / 8 + 0.5 * (between2 - 0.5 * (x2 + y2));
}

const at = (matrix: Float64Array[], i: number, j: number) => (matrix[i] as Float64Array)[j] as number;
const logDeterminant = (root: Float64Array[]) => root.reduce((sum, row, i) => sum + 2 * Math.log(row[i] as number), 0);

function gaussian({ frames }: VoiceFeatures) {
  const mean = new Float64Array(size);
  const covariance = Array.from({ length: size }, () => new Float64Array(size));
  const value = (frame: Frame, d: number) => frame.cepstrum[firstCoefficient + d] as number;
  for (const frame of frames)
    for (let d = 0; d < size; d++) mean[d] = (mean[d] as number) + value(frame, d) / frames.length;
  for (const frame of frames) {
    for (let i = 0; i < size; i++) {
      for (let j = 0; j < size; j++) {
        const product = (value(frame, i) - (mean[i] as number)) * (value(frame, j) - (mean[j] as number));
        (covariance[i] as Float64Array)[j] = at(covariance, i, j) + product / frames.length;
      }
    }
  }
  for (let i = 0; i < size; i++) (covariance[i] as Float64Array)[i] = at(covariance, i, i) * 1.02 + 1e-3;
  return { mean, covariance };
}

/** Lower triangular root of a symmetric positive matrix. */
function cholesky(matrix: Float64Array[]): Float64Array[] {
  const root = matrix.map(() => new Float64Array(matrix.length));
  for (let i = 0; i < matrix.length; i++) {
    for (let j = 0; j <= i; j++) {
      let rest = at(matrix, i, j);
      for (let k = 0; k < j; k++) rest -= at(root, i, k) * at(root, j, k);
      (root[i] as Float64Array)[j] = i === j ? Math.sqrt(Math.max(rest, 1e-9)) : rest / at(root, j, j);
    }
  }
  return root;
}
