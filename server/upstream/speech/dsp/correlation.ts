/** Pitch search range. */
export const lowestHz = 60;
export const highestHz = 500;

const windowSeconds = 0.0225;
const levelSeconds = 0.02;

export interface Correlator {
  /** Power of the loudest 20 ms. */
  loudest: number;
  /** Power of the 20 ms around a time. */
  powerAt(seconds: number): number;
  /** Normalised cross-correlation around a time, by lag in samples; the next call reuses the array. */
  correlate(seconds: number): Float64Array;
}

export function createCorrelator(samples: Float32Array, rate: number): Correlator {
  const shortestLag = Math.floor(rate / highestHz);
  const longestLag = Math.ceil(rate / lowestHz);
  const width = Math.round(windowSeconds * rate);
  const half = Math.round((levelSeconds / 2) * rate);
  const correlation = new Float64Array(longestLag + 2);
  const energy = createEnergyLookup(samples);
  let loudest = 0;
  for (let i = 0; i + 2 * half < samples.length; i += half) loudest = Math.max(loudest, energy(i, i + 2 * half));
  loudest /= 2 * half;

  function powerAt(seconds: number): number {
    const centre = Math.round(seconds * rate);
    return energy(centre - half, centre + half) / (2 * half);
  }

  function correlate(seconds: number): Float64Array {
    const centre = Math.round(seconds * rate);
    for (let lag = shortestLag - 1; lag <= longestLag + 1; lag++) {
      const from = centre - ((width + lag) >> 1);
      const first = from + Math.max(0, -from);
      const last = from + Math.min(width, samples.length - lag - from);
      correlation[lag] = 0;
      if (last - first < width * 0.6) continue;
      const sum = dotProduct(samples, { first, last, lag });
      const scale = energy(first, last) * energy(first + lag, last + lag) + 1e-6 * loudest * width;
      correlation[lag] = sum / Math.sqrt(scale);
    }
    return correlation;
  }

  return { loudest, powerAt, correlate };
}

/** Dot dotProduct with a lag, unrolled by four: the hottest loop of the engine. */
function dotProduct(samples: Float32Array, { first, last, lag }: { first: number; last: number; lag: number }): number {
  let [a, b, c, d] = [0, 0, 0, 0];
  let j = first;
  for (; j + 3 < last; j += 4) {
    a += (samples[j] as number) * (samples[j + lag] as number);
    b += (samples[j + 1] as number) * (samples[j + 1 + lag] as number);
    c += (samples[j + 2] as number) * (samples[j + 2 + lag] as number);
    d += (samples[j + 3] as number) * (samples[j + 3 + lag] as number);
  }
  for (; j < last; j++) a += (samples[j] as number) * (samples[j + lag] as number);
  return a + b + c + d;
}

/** Energy of any range in constant time, by prefix sums. */
function createEnergyLookup(samples: Float32Array): (from: number, to: number) => number {
  const sums = new Float64Array(samples.length + 1);
  for (let i = 0; i < samples.length; i++) sums[i + 1] = (sums[i] as number) + (samples[i] as number) ** 2;
  return (from, to) => {
    const first = Math.max(0, from);
    const last = Math.min(samples.length, to);
    return last > first ? (sums[last] as number) - (sums[first] as number) : 0;
  };
}
