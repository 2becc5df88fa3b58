import { lowPowers } from "./beat";
import { cepstrumSize, createSpectrum } from "./spectrum";

/** Level, periodicity, pitch and spectrum every 16 ms. */
export interface SoundFrames {
  hopSeconds: number;
  /** RMS, dB below full scale, at least −100. */
  levelDb: Float32Array;
  /** Normalised autocorrelation at the pitch period, 0–1. */
  periodicity: Float32Array;
  /** Semitones above 55 Hz; meaningful where periodicity is high. */
  pitchSt: Float32Array;
  /** Cepstra without the level, `cepstrumSize` per frame. */
  cepstra: Float32Array;
  /** Number of partials that have kept their frequency for 0.25 s or more. */
  steadyPartials: Uint8Array;
  /** Power below the voice, where drums are. */
  lowPower: Float32Array;
}

const hopSeconds = 0.016;
/** Hz; a low rate keeps the pitch search fast. */
const searchRate = 8000;
const floorDb = -100;

export function analyseFrames(samples: Float32Array, sampleRate: number): SoundFrames {
  const hop = Math.round(hopSeconds * sampleRate);
  const count = Math.floor(samples.length / hop);
  const factor = Math.max(1, Math.floor(sampleRate / searchRate));
  const reduced = averaged(samples, factor);
  const frames: SoundFrames = {
    hopSeconds: hop / sampleRate,
    levelDb: new Float32Array(count),
    periodicity: new Float32Array(count),
    pitchSt: new Float32Array(count),
    cepstra: new Float32Array(count * cepstrumSize),
    steadyPartials: new Uint8Array(count),
    lowPower: lowPowers(reduced, sampleRate / factor, hop / factor).subarray(0, count),
  };
  const search = createPitchSearch(reduced, sampleRate / factor);
  const spectrum = createSpectrum(reduced, sampleRate / factor);
  for (let frame = 0; frame < count; frame++) {
    const centre = Math.round(((frame + 0.5) * hop) / factor);
    const found = search(centre);
    const cepstrum = frames.cepstra.subarray(frame * cepstrumSize, (frame + 1) * cepstrumSize);
    frames.levelDb[frame] = levelOf(samples.subarray(frame * hop, (frame + 1) * hop));
    frames.periodicity[frame] = found.strength;
    frames.pitchSt[frame] = 12 * Math.log2(found.hz / 55);
    spectrum.writeCepstrum(centre, cepstrum);
    // Every other frame is enough to follow partials.
    frames.steadyPartials[frame] =
      frame % 2 === 0 ? spectrum.countSteadyPartials(centre) : (frames.steadyPartials[frame - 1] as number);
  }
  return frames;
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

const windowSeconds = 0.04;
/** A child's voice reaches 500 Hz. */
const pitchRange = { lowestHz: 65, highestHz: 500 };

interface FoundPitch {
  /** Normalised autocorrelation at the period, 0–1. */
  strength: number;
  hz: number;
}

const nothing: FoundPitch = { strength: 0, hz: 55 };

/** Finds the period around a sample by normalised autocorrelation. */
function createPitchSearch(samples: Float32Array, rate: number): (centre: number) => FoundPitch {
  const size = Math.round(windowSeconds * rate);
  const shortest = Math.floor(rate / pitchRange.highestHz);
  const longest = Math.ceil(rate / pitchRange.lowestHz);
  const correlations = new Float32Array(longest + 2);
  const energies = new Float64Array(samples.length + 1);
  for (let i = 0; i < samples.length; i++) energies[i + 1] = (energies[i] as number) + (samples[i] as number) ** 2;
  const energyAt = (start: number) => (energies[start + size] as number) - (energies[start] as number) + 1e-9;

  return (centre) => {
    const start = centre - ((size + longest) >> 1);
    if (start < 0 || start + size + longest + 1 >= samples.length) return nothing;
    const energy = energyAt(start);
    let best = 0;
    for (let lag = shortest - 1; lag <= longest + 1; lag++) {
      const value = correlation(samples, { start, size, lag }) / Math.sqrt(energy * energyAt(start + lag));
      correlations[lag] = value;
      if (lag >= shortest && lag <= longest) best = Math.max(best, value);
    }
    // The first peak near the maximum; later ones are multiples of the period.
    for (let lag = shortest; lag <= longest; lag++) {
      const before = correlations[lag - 1] as number;
      const here = correlations[lag] as number;
      const after = correlations[lag + 1] as number;
      if (here < 0.87 * best || here < before || here < after) continue;
      const bend = before - 2 * here + after;
      const shift = bend === 0 ? 0 : (before - after) / (2 * bend);
      return { strength: Math.max(0, Math.min(1, here)), hz: rate / (lag + shift) };
    }
    return nothing;
  };
}

/** Every other product is enough and takes half the time. */
function correlation(
  samples: Float32Array,
  { start, size, lag }: { start: number; size: number; lag: number },
): number {
  let dot = 0;
  for (let i = start; i < start + size; i += 2) dot += (samples[i] as number) * (samples[i + lag] as number);
  return 2 * dot;
}
