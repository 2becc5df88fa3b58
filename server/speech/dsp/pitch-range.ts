import { deviation } from "./statistics";

/** Pitch statistics in semitones (12 × log2 Hz). */
export interface PitchRange {
  medianSt: number;
  spreadSt: number;
  lowSt: number;
  highSt: number;
  voicedFrames: number;
}

export const toSemitones = (hz: number) => 12 * Math.log2(hz);
export const toHz = (semitones: number) => 2 ** (semitones / 12);

/** Median, standard deviation without the outer 2 %, and 5th to 95th percentile; null when nothing is voiced. */
export function findPitchRange(pitch: Float32Array): PitchRange | null {
  const pitches = Array.from(pitch)
    .filter((hz) => hz > 0)
    .map(toSemitones)
    .sort((a, b) => a - b);
  if (pitches.length === 0) return null;
  const at = (share: number) => pitches[Math.min(pitches.length - 1, Math.floor(share * pitches.length))] as number;
  const [lowest, highest] = [at(0.02), at(0.98)];
  const inner = pitches.filter((st) => st >= lowest && st <= highest);
  return {
    medianSt: at(0.5),
    spreadSt: deviation(inner),
    lowSt: at(0.05),
    highSt: at(0.95),
    voicedFrames: pitches.length,
  };
}
