/** Level, periodicity and pitch every 16 ms. */
export interface SoundFrames {
  hopSeconds: number;
  /** RMS, dB below full scale, at least −100. */
  levelDb: Float32Array;
  /** Normalised autocorrelation at the pitch period, 0–1. */
  periodicity: Float32Array;
  /** Semitones above 55 Hz; meaningful where periodicity is high. */
  pitchSt: Float32Array;
}

const hopSeconds = 0.016;
const windowSeconds = 0.04;
/** Hz; a low rate keeps the pitch search fast. */
const searchRate = 8000;
const pitchRange = { lowestHz: 65, highestHz: 420 };
const floorDb = -100;

export function analyseFrames(samples: Float32Array, sampleRate: number): SoundFrames {
  const hop = Math.round(hopSeconds * sampleRate);
  const count = Math.floor(samples.length / hop);
  const levelDb = new Float32Array(count);
  for (let frame = 0; frame < count; frame++)
    levelDb[frame] = levelOf(samples.subarray(frame * hop, (frame + 1) * hop));
  const factor = Math.max(1, Math.floor(sampleRate / searchRate));
  const reduced = averaged(samples, factor);
  const rate = sampleRate / factor;
  const periodicity = new Float32Array(count);
  const pitchSt = new Float32Array(count);
  const search = createPitchSearch(rate);
  for (let frame = 0; frame < count; frame++) {
    const centre = Math.round(((frame + 0.5) * hop) / factor);
    const found = search(reduced, centre);
    periodicity[frame] = found.strength;
    pitchSt[frame] = 12 * Math.log2(found.hz / 55);
  }
  return { hopSeconds: hop / sampleRate, levelDb, periodicity, pitchSt };
}

/** RMS without DC offset. */
function levelOf(samples: Float32Array): number {
  let sum = 0;
  let squares = 0;
  for (const value of samples) {
    sum += value;
    squares += value * value;
  }
  const mean = sum / samples.length;
  return Math.max(floorDb, 10 * Math.log10(Math.max(1e-12, squares / samples.length - mean * mean)));
}

function averaged(samples: Float32Array, factor: number): Float32Array {
  if (factor === 1) return samples;
  const reduced = new Float32Array(Math.floor(samples.length / factor));
  for (let i = 0; i < reduced.length; i++) {
    let sum = 0;
    for (let k = 0; k < factor; k++) sum += samples[i * factor + k] as number;
    reduced[i] = sum / factor;
  }
  return reduced;
}

function createPitchSearch(rate: number) {
  const size = Math.round(windowSeconds * rate);
  const shortest = Math.floor(rate / pitchRange.highestHz);
  const longest = Math.ceil(rate / pitchRange.lowestHz);
  const correlations = new Float32Array(longest + 2);
  return (samples: Float32Array, centre: number): { strength: number; hz: number } => {
    const start = centre - ((size + longest) >> 1);
    if (start < 0 || start + size + longest + 1 >= samples.length) return { strength: 0, hz: 55 };
    let best = 0;
    for (let lag = shortest - 1; lag <= longest + 1; lag++) {
      const value = correlation(samples, { start, size, lag });
      correlations[lag] = value;
      if (lag >= shortest && lag <= longest) best = Math.max(best, value);
    }
    // The first peak near the maximum; later ones are multiples of the period.
    for (let lag = shortest; lag <= longest; lag++) {
      const [before, here, after] = correlations.subarray(lag - 1, lag + 2) as unknown as [number, number, number];
      if (here < 0.87 * best || here < before || here < after) continue;
      const bend = before - 2 * here + after;
      const shift = bend === 0 ? 0 : (before - after) / (2 * bend);
      return { strength: Math.max(0, Math.min(1, here)), hz: rate / (lag + shift) };
    }
    return { strength: 0, hz: 55 };
  };
}

function correlation(
  samples: Float32Array,
  { start, size, lag }: { start: number; size: number; lag: number },
): number {
  let dot = 0;
  let one = 1e-9;
  let other = 1e-9;
  for (let i = start; i < start + size; i++) {
    const a = samples[i] as number;
    const b = samples[i + lag] as number;
    dot += a * b;
    one += a * a;
    other += b * b;
  }
  return dot / Math.sqrt(one * other);
}
