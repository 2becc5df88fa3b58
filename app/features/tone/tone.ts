import { speedMax, speedMin } from "~server/contract/limits";

export const feelings = ["happy", "angry", "sad", "afraid", "disgusted", "melancholic", "surprised", "calm"] as const;
export type Feeling = (typeof feelings)[number];

/** How a text is spoken. The recording of `genre` 1 is stored apart. */
export interface Tone {
  speed: number;
  /** Semitones. */
  pitch: number;
  /** Decibels. */
  volume: number;
  /** 0 the voice's own · 1 like a recording · 2 by feelings. */
  genre: 0 | 1 | 2;
  /** Weights, 0–1. */
  ext: Partial<Record<Feeling, number>>;
}

export const plainTone: Tone = { speed: 1, pitch: 0, volume: 0, genre: 0, ext: {} };

export const ranges = {
  speed: { min: speedMin, max: speedMax, step: 0.05 },
  pitch: { min: -12, max: 12, step: 1 },
  volume: { min: -12, max: 12, step: 1 },
  feeling: { min: 0, max: 1, step: 0.05 },
} as const;

/** True if anything but the speed is set; this needs the professional tier. */
export const isProfessionalTone = ({ pitch, volume, genre }: Tone) => pitch !== 0 || volume !== 0 || genre !== 0;

/** A tone as the contract takes it, without defaults. `emotionPath` is the recording of genre 1. */
export function toToneRequest({ speed, pitch, volume, genre, ext }: Tone, emotionPath?: string) {
  const weights = Object.fromEntries(Object.entries(ext).filter(([, weight]) => weight));
  return {
    speed,
    ...(pitch !== 0 && { pitch }),
    ...(volume !== 0 && { volume }),
    ...(genre === 2 && Object.keys(weights).length > 0 && { genre, ext: weights }),
    ...(genre === 1 && emotionPath && { genre, emotionPath }),
  };
}
