import { hopSeconds } from "./grid";

/** Pitch search range. */
export const lowestHz = 60;
export const highestHz = 500;

const windowSeconds = 0.0225;
const levelSeconds = 0.02;

export interface Correlator {
  /** Power of the loudest 20 ms. */
  loudest: number;
  /** Power of the 20 ms around a frame. */
  powerAt(frame: number): number;
  /** Normalised cross-correlation around a frame, by lag in samples. */
  correlate(frame: number): Float64Array;
}

export function createCorrelator(samples: Float32Array, rate: number): Correlator {
  const shortestLag = Math.floor(rate / highestHz) - 1;
  const longestLag = Math.ceil(rate / lowestHz) + 1;
  const width = Math.round(windowSeconds * rate);
  const half = Math.round((levelSeconds / 2) * rate);
  const energies = sumSquares(samples);
  const centreOf = (frame: number) => Math.round(frame * hopSeconds * rate);
  const energyOf = (from: number, to: number) => (energies[to] as number) - (energies[from] as number);
  let loudest = 0;
  for (let i = 0; i + 2 * half < samples.length; i += half)
    loudest = Math.max(loudest, energyOf(i, i + 2 * half) / (2 * half));

  function powerAt(frame: number): number {
    const centre = centreOf(frame);
    const to = Math.min(samples.length, centre + half);
    return energyOf(Math.min(to, Math.max(0, centre - half)), to) / (2 * half);
  }

  /** 0 if more than 40 % of the window is outside the samples. */
  function correlationAt(centre: number, lag: number): number {
    const from = centre - ((width + lag) >> 1);
    const first = Math.max(0, from);
    const last = Math.min(from + width, samples.length - lag);
    if (last - first < width * 0.6) return 0;
    let product = 0;
    for (let i = first; i < last; i++) product += (samples[i] as number) * (samples[i + lag] as number);
    const power = energyOf(first, last) * energyOf(first + lag, last + lag);
    return product / Math.sqrt(power + 1e-6 * loudest * width);
  }

  function correlate(frame: number): Float64Array {
    const correlations = new Float64Array(longestLag + 1);
    for (let lag = shortestLag; lag <= longestLag; lag++) correlations[lag] = correlationAt(centreOf(frame), lag);
    return correlations;
  }

  return { loudest, powerAt, correlate };
}

/** Running sums of squares: the energy of a range is the difference of two. */
function sumSquares(samples: Float32Array): Float64Array {
  const sums = new Float64Array(samples.length + 1);
  for (let i = 0; i < samples.length; i++) sums[i + 1] = (sums[i] as number) + (samples[i] as number) ** 2;
  return sums;
}
