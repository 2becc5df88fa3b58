import { binCount, speechRate } from "../../../dsp/grid";
import { bandHz, cepstrum, cepstrumRows, cepstrumSize, logMelAt, melBands, melEnergyAt } from "../../../dsp/mel";
import { type Matrix, transportMatrix } from "../../../dsp/symmetric";
import { type Analysis, selectFrames } from "./analysis";
import type { MomentShift } from "./voice";

/** Limits of variance scaling, for cepstral coefficients and for the level. */
const gainRange = [0.6, 1.7] as const;
const levelRange = [0.7, 1.05] as const;
const minUnvoiced = { target: 25, converted: 10 };
const unvoicedPriorCount = 80;
/**
 * Coefficients whose correlations are learned, and how far. Measured on four held-out people, Fréchet distance of
 * cepstra (the same person: 2.7): 7.9 with variances only, 4.1 with a trust of 0.3, 3.6 with 0.5, 3.3 with 0.8, where one
 * of four clones came nearest to another person. Linear, so that phones stay apart.
 */
const correlated = 16;
const correlationTrust = 0.5;
const maxTrim = 1.8;
/** Assumed spectral fall per band above the bandwidth of the recording (natural log power). */
const fallPerBand = 0.35;

/** The last mel band within a bandwidth. */
function lastBandBelow(bandwidthHz: number): number {
  let last = 0;
  for (let b = 0; b < melBands; b++) if (bandHz(b) <= bandwidthHz - 300) last = b;
  return last;
}

function extrapolate(mel: Float64Array, last: number) {
  for (let b = last + 1; b < melBands; b++) mel[b] = (mel[last] as number) - fallPerBand * (b - last);
}

interface Statistics {
  count: number;
  mean: Float64Array;
  covariance: Matrix;
}

function cepstralStatistics(speech: Analysis, kind: "voiced" | "unvoiced", lastBand: number): Statistics {
  const frames = selectFrames(speech, kind, kind === "voiced" ? 30 : 32);
  const mel = new Float64Array(melBands);
  const cepstra = frames.map((f) => {
    logMelAt(speech.envelope, f * binCount, mel);
    extrapolate(mel, lastBand);
    const row = new Float64Array(cepstrumSize);
    cepstrum(mel, cepstrumRows, row);
    return row;
  });
  const mean = new Float64Array(cepstrumSize);
  for (const row of cepstra)
    for (let i = 0; i < cepstrumSize; i++) mean[i] = (mean[i] as number) + (row[i] as number) / frames.length;
  const covariance = cepstrumRows.map(() => new Float64Array(cepstrumSize));
  for (const row of cepstra) {
    for (let i = 0; i < cepstrumSize; i++) row[i] = (row[i] as number) - (mean[i] as number);
    for (let i = 0; i < cepstrumSize; i++) {
      const share = (row[i] as number) / frames.length;
      const into = covariance[i] as Float64Array;
      for (let j = i; j < cepstrumSize; j++) into[j] = (into[j] as number) + share * (row[j] as number);
    }
  }
  for (let i = 0; i < cepstrumSize; i++)
    for (let j = 0; j < i; j++) (covariance[i] as Float64Array)[j] = at(covariance, j, i);
  return { count: frames.length, mean, covariance };
}

/** Target statistics of converted speech. */
export interface Goal {
  /** The last mel band within the recording's bandwidth. */
  lastBand: number;
  voiced: Statistics;
  unvoiced: Statistics;
  /** Long-term log power by mel band. */
  power: Float64Array;
}

/** Statistics of a recording. */
export function describeGoal(target: Analysis): Goal {
  const power = longTermPower(target);
  const lastBand = lastBandBelow(findBandwidth(power));
  extrapolate(power, lastBand);
  const statisticsOf = (kind: "voiced" | "unvoiced") => cepstralStatistics(target, kind, lastBand);
  return { lastBand, voiced: statisticsOf("voiced"), unvoiced: statisticsOf("unvoiced"), power };
}

/** Differences of mean and covariance of mel-cepstra between converted calibration speech and the recording. */
export function learnMoments({ voiced: targetVoiced, unvoiced: targetStatistics }: Goal, converted: Analysis) {
  const whole = melBands - 1;
  const voiced = toShift(targetVoiced, cepstralStatistics(converted, "voiced", whole), 1);
  const sourceStatistics = cepstralStatistics(converted, "unvoiced", whole);
  if (targetStatistics.count <= minUnvoiced.target || sourceStatistics.count <= minUnvoiced.converted)
    return { voiced, unvoiced: null };
  const unvoiced = toShift(
    targetStatistics,
    sourceStatistics,
    targetStatistics.count / (targetStatistics.count + unvoicedPriorCount),
  );
  // Spectral shape only: consonants keep their level relative to vowels.
  unvoiced.matrix[0] = cepstrumRows.map((_, j) => (j === 0 ? 1 : 0));
  unvoiced.shift[0] = voiced.shift[0] as number;
  return { voiced, unvoiced };
}

const at = (matrix: Matrix, i: number, j: number) => (matrix[i] as Float64Array)[j] as number;

function toShift(target: Statistics, source: Statistics, weight: number): MomentShift {
  const matrix = transportMatrix(source.covariance, goalCovariance(target.covariance, source.covariance));
  return {
    mean: Array.from(source.mean),
    matrix: matrix.map((row, i) =>
      Array.from(row, (value, j) => (i === j ? 1 + (value - 1) * weight : value * weight)),
    ),
    shift: Array.from(target.mean, (mean, i) => (mean - (source.mean[i] as number)) * weight),
  };
}

/** Variances of the recording within limits; its correlations mixed with those of the source. */
function goalCovariance(target: Matrix, source: Matrix): Matrix {
  const deviation = (matrix: Matrix, i: number) => Math.sqrt(Math.max(1e-9, at(matrix, i, i)));
  const correlation = (matrix: Matrix, i: number, j: number) =>
    at(matrix, i, j) / (deviation(matrix, i) * deviation(matrix, j));
  const goal = source.map((_, i) => {
    const [least, most] = i === 0 ? levelRange : gainRange;
    const ratio = deviation(target, i) / deviation(source, i);
    return deviation(source, i) * Math.min(most, Math.max(least, ratio));
  });
  return source.map((row, i) =>
    row.map((_, j) => {
      const trust = Math.max(i, j) < correlated ? correlationTrust : 0;
      const mixed = i === j ? 1 : trust * correlation(target, i, j) + (1 - trust) * correlation(source, i, j);
      return (goal[i] as number) * (goal[j] as number) * mixed;
    }),
  );
}

/** Remaining difference of long-term spectra, without the level. */
export function learnTrim({ power }: Goal, converted: Analysis): number[] {
  const sourceStatistics = longTermPower(converted);
  const rest = power.map((value, b) => value - (sourceStatistics[b] as number));
  const level = rest.reduce((sum, value) => sum + value, 0) / melBands;
  return Array.from(rest, (value) => Math.min(maxTrim, Math.max(-maxTrim, value - level)));
}

/** Log of mean power by mel band over active frames. */
export function longTermPower({ envelope, active, frames }: Analysis): Float64Array {
  const sums = new Float64Array(melBands);
  const power = new Float64Array(melBands);
  let count = 0;
  for (let f = 0; f < frames; f++) {
    if (active[f] === 0) continue;
    count++;
    melEnergyAt(envelope, f * binCount, power);
    for (let b = 0; b < melBands; b++) sums[b] = (sums[b] as number) + (power[b] as number);
  }
  return sums.map((sum) => Math.log(sum / Math.max(1, count) + 1e-12));
}

/** Drop between adjacent bands that marks a band limit (natural log power). */
const edgeDrop = 2.2;
const floorBelowPeak = 9;
const searchFromHz = 3000;

/** Bandwidth in Hz; lower for telephone and 16 kHz recordings. */
function findBandwidth(power: Float64Array): number {
  const peak = power.reduce((most, value) => Math.max(most, value), Number.NEGATIVE_INFINITY);
  for (let b = 1; b < melBands; b++) {
    if (bandHz(b) < searchFromHz) continue;
    const drop = (power[b - 1] as number) - (power[b] as number);
    const above = power.subarray(b).reduce((most, value) => Math.max(most, value), Number.NEGATIVE_INFINITY);
    if (drop > edgeDrop && above < peak - floorBelowPeak) return bandHz(b - 1);
  }
  return speechRate / 2;
}
