import { resample } from "./resample";

const windowSeconds = 0.03;
const seekSeconds = 0.012;
/** Subsampling of compared samples and tried offsets. */
const stride = 4;

/**
 * Changes the tempo at constant pitch by WSOLA (Verhelst and Roelands, 1993). `factor` 2 is twice as fast.
 */
export function stretch(samples: Float32Array, sampleRate: number, factor: number): Float32Array {
  const half = Math.round((windowSeconds * sampleRate) / 2);
  if (factor === 1 || samples.length < 4 * half) return samples;
  const seek = Math.round(seekSeconds * sampleRate);
  const windows = Math.max(1, Math.floor((samples.length - 2 * half - seek) / (half * factor)));
  const stretched = new Float32Array((windows + 1) * half);
  let previous = 0;
  for (let i = 0; i < windows; i++) {
    const wanted = Math.round(i * half * factor);
    const from = i === 0 ? 0 : bestMatch(samples, { target: previous + half, around: wanted, seek, length: half });
    for (let j = 0; j < 2 * half; j++) {
      const weight = 0.5 - 0.5 * Math.cos((Math.PI * j) / half);
      // The first half window is not faded in.
      const shape = i === 0 && j < half ? 1 : weight;
      stretched[i * half + j] = (stretched[i * half + j] ?? 0) + shape * (samples[from + j] ?? 0);
    }
    previous = from;
  }
  return stretched;
}

/** Shifts pitch and formants by semitones at constant tempo. */
export function transpose(samples: Float32Array, sampleRate: number, semitones: number): Float32Array {
  if (semitones === 0) return samples;
  const ratio = 2 ** (semitones / 12);
  const slower = stretch(samples, sampleRate, 1 / ratio);
  return resample(slower, Math.round(sampleRate * ratio), sampleRate);
}

interface Search {
  target: number;
  around: number;
  seek: number;
  length: number;
}

function bestMatch(samples: Float32Array, { target, around, seek, length }: Search): number {
  let [best, highest] = [around, Number.NEGATIVE_INFINITY];
  const last = Math.min(around + seek, samples.length - 2 * length);
  for (let at = Math.max(0, around - seek); at <= last; at += stride) {
    let product = 0;
    let power = 1e-9;
    for (let j = 0; j < length; j += stride) {
      const value = samples[at + j] as number;
      product += value * (samples[target + j] ?? 0);
      power += value * value;
    }
    const similarity = product / Math.sqrt(power);
    if (similarity > highest) [best, highest] = [at, similarity];
  }
  return best;
}
