import { hopSeconds } from "./grid";
import { copyBlock } from "./resample";

/** Pitch search range. */
export const lowestHz = 60;
export const highestHz = 500;

const windowSeconds = 0.0225;
const levelSeconds = 0.02;
/** Frames whose correlations are computed together. */
const blockFrames = 50;

export interface Correlator {
  /** Power of the loudest 20 ms. */
  loudest: number;
  /** Power of the 20 ms around a frame. */
  powerAt(frame: number): number;
  /** Normalised cross-correlation around a frame, by lag in samples; later calls reuse the array. */
  correlate(frame: number): Float64Array;
}

export function createCorrelator(samples: Float32Array, rate: number): Correlator {
  const shortestLag = Math.floor(rate / highestHz) - 1;
  const longestLag = Math.ceil(rate / lowestHz) + 1;
  const lags = longestLag + 1;
  const width = Math.round(windowSeconds * rate);
  const half = Math.round((levelSeconds / 2) * rate);
  const energies = sumSquares(samples);
  const centreOf = (frame: number) => Math.round(frame * hopSeconds * rate);
  const blockSamples = Math.ceil(blockFrames * hopSeconds * rate) + width + longestLag + 2;
  const block = new Float64Array(blockSamples + longestLag + 1);
  const sums = { even: new Float64Array(blockSamples + 1), odd: new Float64Array(blockSamples + 1) };
  const correlations = new Float64Array(blockFrames * lags);
  /** Centres of the block's frames. */
  const centres = new Int32Array(blockFrames);
  let firstFrame = Number.NEGATIVE_INFINITY;
  const powerBetween = (from: number, to: number) =>
    ((energies[to] as number) - (energies[from] as number)) / (2 * half);
  let loudest = 0;
  for (let i = 0; i + 2 * half < samples.length; i += half) loudest = Math.max(loudest, powerBetween(i, i + 2 * half));
  const leastPower = 1e-6 * loudest * width;

  function powerAt(frame: number): number {
    const centre = centreOf(frame);
    const to = Math.min(samples.length, centre + half);
    return powerBetween(Math.min(to, Math.max(0, centre - half)), to);
  }

  /**
   * Windows of adjacent frames overlap by 78 %, so running sums of a lag's products serve all frames of a block:
   * 1.1 instead of 4.1 million products per second of sound. Measured: the tracker takes 55 % less time.
   */
  function fillBlock() {
    for (let f = 0; f < blockFrames; f++) centres[f] = centreOf(firstFrame + f);
    const start = (centres[0] as number) - ((width + longestLag) >> 1);
    copyBlock(samples, start, block);
    for (let lag = shortestLag; lag <= longestLag; lag += 2) {
      sumProducts(block, lag, sums);
      fillLag(lag, start, sums.even);
      if (lag < longestLag) fillLag(lag + 1, start, sums.odd);
    }
  }

  function fillLag(lag: number, start: number, sumsOfLag: Float64Array) {
    for (let f = 0; f < blockFrames; f++) {
      const from = (centres[f] as number) - ((width + lag) >> 1);
      const sum = (sumsOfLag[from - start + width] as number) - (sumsOfLag[from - start] as number);
      correlations[f * lags + lag] = normalise(sum, from, lag);
    }
  }

  /** 0 if more than 40 % of the window is outside the samples. */
  function normalise(sum: number, from: number, lag: number): number {
    const first = from < 0 ? 0 : from;
    const last = from + width < samples.length - lag ? from + width : samples.length - lag;
    if (last - first < width * 0.6) return 0;
    const power = (energies[last] as number) - (energies[first] as number);
    const laggedPower = (energies[last + lag] as number) - (energies[first + lag] as number);
    return sum / Math.sqrt(power * laggedPower + leastPower);
  }

  function correlate(frame: number): Float64Array {
    if (!(frame >= firstFrame && frame < firstFrame + blockFrames)) {
      firstFrame = frame;
      fillBlock();
    }
    const at = (frame - firstFrame) * lags;
    return correlations.subarray(at, at + lags);
  }

  return { loudest, powerAt, correlate };
}

/** Running sums of the products of samples that are `lag` and `lag` + 1 apart; two at once, since an addition waits. */
function sumProducts(samples: Float64Array, lag: number, { even, odd }: { even: Float64Array; odd: Float64Array }) {
  let evenSum = 0;
  let oddSum = 0;
  for (let i = 0; i + 1 < even.length; i++) {
    const sample = samples[i] as number;
    evenSum += sample * (samples[i + lag] as number);
    oddSum += sample * (samples[i + lag + 1] as number);
    even[i + 1] = evenSum;
    odd[i + 1] = oddSum;
  }
}

/** Running sums of squares: the energy of a range is the difference of two. */
function sumSquares(samples: Float32Array): Float64Array {
  const sums = new Float64Array(samples.length + 1);
  for (let i = 0; i < samples.length; i++) sums[i + 1] = (sums[i] as number) + (samples[i] as number) ** 2;
  return sums;
}
