import { createPitchSearch } from "./pitch-search";
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
