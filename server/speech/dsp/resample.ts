const lobes = 24;
const maxPhases = 1000;

/** Polyphase filter: weights of the surrounding samples for each phase. */
interface ResampleFilter {
  up: number;
  down: number;
  reach: number;
  phases: Float64Array[];
}

/** Windowed-sinc resampling of mono samples; band-limited to 95 % of the lower Nyquist frequency. */
export function resample(samples: ArrayLike<number>, fromRate: number, toRate: number): Float32Array {
  if (fromRate === toRate) return Float32Array.from(samples);
  const { up, down, reach, phases } = createFilter(fromRate, toRate);
  const resampled = new Float32Array(Math.floor((samples.length * up) / down));
  for (let i = 0; i < resampled.length; i++) {
    const centre = Math.floor((i * down) / up);
    const weights = phases[i * down - centre * up] as Float64Array;
    const first = centre - reach + 1;
    const end = Math.min(weights.length, samples.length - first);
    let sum = 0;
    for (let j = Math.max(0, -first); j < end; j++) sum += (samples[first + j] as number) * (weights[j] as number);
    resampled[i] = sum;
  }
  return resampled;
}

function createFilter(fromRate: number, toRate: number): ResampleFilter {
  const [up, down] = smallRatio(toRate, fromRate);
  const narrowing = Math.min(1, up / down);
  const cutoff = narrowing * 0.95;
  const reach = Math.ceil(lobes / narrowing);
  const phases = Array.from({ length: up }, (_, phase) =>
    Float64Array.from({ length: 2 * reach }, (_unused, j) => weight(j - reach + 1 - phase / up, cutoff, reach)),
  );
  return { up, down, reach, phases };
}

function weight(t: number, cutoff: number, reach: number): number {
  if (Math.abs(t) >= reach) return 0;
  const sinc = t === 0 ? cutoff : Math.sin(Math.PI * cutoff * t) / (Math.PI * t);
  return sinc * (0.42 + 0.5 * Math.cos((Math.PI * t) / reach) + 0.08 * Math.cos((2 * Math.PI * t) / reach));
}

/** Reduces the ratio; approximates it where the filter would be too large. */
function smallRatio(toRate: number, fromRate: number): [number, number] {
  const divisor = greatestDivisor(toRate, fromRate);
  if (Number.isInteger(divisor) && toRate / divisor <= maxPhases) return [toRate / divisor, fromRate / divisor];
  return [maxPhases, Math.max(1, Math.round((maxPhases * fromRate) / toRate))];
}

function greatestDivisor(a: number, b: number): number {
  return b === 0 ? a : greatestDivisor(b, a % b);
}
