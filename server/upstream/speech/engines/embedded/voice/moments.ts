import { binCount, speechRate } from "../../../dsp/grid";
import { bandHz, cepstrum, cepstrumRows, cepstrumSize, logMelAt, melBands, melEnergyAt } from "../../../dsp/mel";
import { type Analysis, selectFrames } from "./analysis";
import type { MomentShift } from "./voice";

/** Spread may be stretched only so far before it sounds wrong; the level's least of all. */
const gainRange = [0.6, 1.7] as const;
const levelRange = [0.7, 1.05] as const;
const leastUnvoiced = { target: 25, converted: 10 };
const unvoicedDoubt = 80;
const trimLimit = 1.8;
/** Above what a recording holds, its spectrum is taken to fall by this much a band (natural log power). */
const fallPerBand = 0.35;

/** The last mel band that a recording with this bandwidth really holds. */
export function lastBandBelow(bandwidthHz: number): number {
  let last = 0;
  for (let b = 0; b < melBands; b++) if (bandHz(b) <= bandwidthHz - 300) last = b;
  return last;
}

function extend(mel: Float64Array, last: number) {
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
    extend(mel, lastBand);
    cepstrum(mel, cepstrumRows, coefficients);
    for (let i = 0; i < cepstrumSize; i++) {
      mean[i] = (mean[i] as number) + (coefficients[i] as number) / frames.length;
      square[i] = (square[i] as number) + (coefficients[i] as number) ** 2 / frames.length;
    }
  }
  const deviation = square.map((value, i) => Math.sqrt(Math.max(0, value - (mean[i] as number) ** 2)));
  return { count: frames.length, mean, deviation };
}

/** What separates converted calibration speech from the person's own, as mean and spread of mel-cepstra. */
export function learnMoments(target: Analysis, converted: Analysis, bandwidthHz: number) {
  const last = lastBandBelow(bandwidthHz);
  const whole = melBands - 1;
  const voiced = toShift(cepstralStatistics(target, "voiced", last), cepstralStatistics(converted, "voiced", whole), 1);
  const theirs = cepstralStatistics(target, "unvoiced", last);
  const ours = cepstralStatistics(converted, "unvoiced", whole);
  if (theirs.count <= leastUnvoiced.target || ours.count <= leastUnvoiced.converted) return { voiced, unvoiced: null };
  const unvoiced = toShift(theirs, ours, theirs.count / (theirs.count + unvoicedDoubt));
  // Shape only: consonants keep the source's loudness beside its vowels.
  unvoiced.gain[0] = 1;
  unvoiced.shift[0] = voiced.shift[0] as number;
  return { voiced, unvoiced };
}

function toShift(theirs: Statistics, ours: Statistics, weight: number): MomentShift {
  const gain = Array.from(theirs.deviation, (deviation, i) => {
    const [least, most] = i === 0 ? levelRange : gainRange;
    const ratio = Math.min(most, Math.max(least, deviation / ((ours.deviation[i] as number) + 1e-6)));
    return 1 + (ratio - 1) * weight;
  });
  const shift = Array.from(theirs.mean, (mean, i) => (mean - (ours.mean[i] as number)) * weight);
  return { mean: Array.from(ours.mean), gain, shift };
}

/** What is left between the long-term power spectra, level aside. */
export function learnTrim(target: Analysis, converted: Analysis, bandwidthHz: number): number[] {
  const last = lastBandBelow(bandwidthHz);
  const theirs = longTermPower(target);
  extend(theirs, last);
  const ours = longTermPower(converted);
  const rest = theirs.map((value, b) => value - (ours[b] as number));
  const level = rest.reduce((sum, value) => sum + value, 0) / melBands;
  return Array.from(rest, (value) => Math.min(trimLimit, Math.max(-trimLimit, value - level)));
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

/** A drop this steep between two neighbouring bands, onto the floor, is a filter's edge, not a voice (natural log power). */
const edgeDrop = 2.2;
const floorBelowPeak = 9;
const searchFromHz = 3000;

/** Hz up to which a recording really holds sound: telephone and 16 kHz recordings end early. */
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
