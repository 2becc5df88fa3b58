import { binCount, speechRate } from "../../../dsp/grid";
import { bandHz, cepstrum, cepstrumRows, cepstrumSize, logMelAt, melBands, melEnergyAt } from "../../../dsp/mel";
import { type Analysis, selectFrames } from "./analysis";
import type { MomentShift } from "./voice";

/** Limits of variance scaling, for cepstral coefficients and for the level. */
const gainRange = [0.6, 1.7] as const;
const levelRange = [0.7, 1.05] as const;
const minUnvoiced = { target: 25, converted: 10 };
const unvoicedPriorCount = 80;
const maxTrim = 1.8;
/** Assumed spectral fall per band above the bandwidth of the recording (natural log power). */
const fallPerBand = 0.35;

/** The last mel band within a bandwidth. */
export function lastBandBelow(bandwidthHz: number): number {
  let last = 0;
  for (let b = 0; b < melBands; b++) if (bandHz(b) <= bandwidthHz - 300) last = b;
  return last;
}

/** Continues a spectrum above the band that a recording holds. */
export function extrapolate(mel: Float64Array, last: number) {
  for (let b = last + 1; b < melBands; b++) mel[b] = (mel[last] as number) - fallPerBand * (b - last);
}

interface Statistics {
  count: number;
  mean: Float64Array;
  deviation: Float64Array;
}

function cepstralStatistics(speech: Analysis, kind: "voiced" | "unvoiced", lastBand: number): Statistics {
  const frames = selectFrames(speech, kind, kind === "voiced" ? 30 : 32);
  const mel = new Float64Array(melBands);
  const coefficients = new Float64Array(cepstrumSize);
  const mean = new Float64Array(cepstrumSize);
  const square = new Float64Array(cepstrumSize);
  for (const f of frames) {
    logMelAt(speech.envelope, f * binCount, mel);
    extrapolate(mel, lastBand);
    cepstrum(mel, cepstrumRows, coefficients);
    for (let i = 0; i < cepstrumSize; i++) {
      mean[i] = (mean[i] as number) + (coefficients[i] as number) / frames.length;
      square[i] = (square[i] as number) + (coefficients[i] as number) ** 2 / frames.length;
    }
  }
  const deviation = square.map((value, i) => Math.sqrt(Math.max(0, value - (mean[i] as number) ** 2)));
  return { count: frames.length, mean, deviation };
}

/** Mean and variance differences of mel-cepstra between converted calibration speech and the recording. */
export function learnMoments(target: Analysis, converted: Analysis, bandwidthHz: number) {
  const last = lastBandBelow(bandwidthHz);
  const whole = melBands - 1;
  const voiced = toShift(cepstralStatistics(target, "voiced", last), cepstralStatistics(converted, "voiced", whole), 1);
  const targetStatistics = cepstralStatistics(target, "unvoiced", last);
  const sourceStatistics = cepstralStatistics(converted, "unvoiced", whole);
  if (targetStatistics.count <= minUnvoiced.target || sourceStatistics.count <= minUnvoiced.converted)
    return { voiced, unvoiced: null };
  const unvoiced = toShift(
    targetStatistics,
    sourceStatistics,
    targetStatistics.count / (targetStatistics.count + unvoicedPriorCount),
  );
  // Spectral shape only: consonants keep their level relative to vowels.
  unvoiced.gain[0] = 1;
  unvoiced.shift[0] = voiced.shift[0] as number;
  return { voiced, unvoiced };
}

function toShift(targetStatistics: Statistics, sourceStatistics: Statistics, weight: number): MomentShift {
  const gain = Array.from(targetStatistics.deviation, (deviation, i) => {
    const [least, most] = i === 0 ? levelRange : gainRange;
    const ratio = Math.min(most, Math.max(least, deviation / ((sourceStatistics.deviation[i] as number) + 1e-6)));
    return 1 + (ratio - 1) * weight;
  });
  const shift = Array.from(targetStatistics.mean, (mean, i) => (mean - (sourceStatistics.mean[i] as number)) * weight);
  return { mean: Array.from(sourceStatistics.mean), gain, shift };
}

/** Remaining difference of long-term spectra, without the level. */
export function learnTrim(target: Analysis, converted: Analysis, bandwidthHz: number): number[] {
  const last = lastBandBelow(bandwidthHz);
  const targetStatistics = longTermPower(target);
  extrapolate(targetStatistics, last);
  const sourceStatistics = longTermPower(converted);
  const rest = targetStatistics.map((value, b) => value - (sourceStatistics[b] as number));
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
export function findBandwidth(speech: Analysis): number {
  const power = longTermPower(speech);
  const peak = power.reduce((most, value) => Math.max(most, value), Number.NEGATIVE_INFINITY);
  for (let b = 1; b < melBands; b++) {
    if (bandHz(b) < searchFromHz) continue;
    const drop = (power[b - 1] as number) - (power[b] as number);
    const above = power.subarray(b).reduce((most, value) => Math.max(most, value), Number.NEGATIVE_INFINITY);
    if (drop > edgeDrop && above < peak - floorBelowPeak) return bandHz(b - 1);
  }
  return speechRate / 2;
}
