import { speedMax, speedMin } from "~server/contract/limits";

export const feelings = ["happy", "angry", "sad", "afraid", "disgusted", "melancholic", "surprised", "calm"] as const;
export type Feeling = (typeof feelings)[number];

/** How a text is spoken; without the recording of `genre` 1, which its owner keeps. */
export interface Tone {
  speed: number;
  /** Semitones. */
  pitch: number;
  /** Decibels. */
  volume: number;
  /** 0 as the voice speaks · 1 like a recording · 2 by feelings. */
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

/** Whether anything but the speed is asked for: that is for professionals. */
export const isProfessionalTone = ({ pitch, volume, genre }: Tone) => pitch !== 0 || volume !== 0 || genre !== 0;

/** A tone as a call takes it: what stays as it is goes unsaid. `emotionPath` is where the recording of genre 1 lies. */
export function toneRequest({ speed, pitch, volume, genre, ext }: Tone, emotionPath?: string) {
  const weights = Object.fromEntries(Object.entries(ext).filter(([, weight]) => weight));
  return {
    speed,
    ...(pitch !== 0 && { pitch }),
    ...(volume !== 0 && { volume }),
    ...(genre === 2 && Object.keys(weights).length > 0 && { genre, ext: weights }),
    ...(genre === 1 && emotionPath && { genre, emotionPath }),
  };
}
