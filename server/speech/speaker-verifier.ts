import type { MonoSound } from "./recogniser";

/** The speaker port: turns a voice into a vector that is near to others of the same person. */
export interface SpeakerVerifier {
  /** Names adapter and model; vectors of different models cannot be compared. */
  readonly id: string;
  /** A vector of the voice in at least 1 s of speech; its length depends on the model. Throws only SpeechError. */
  embed(sound: MonoSound, signal?: AbortSignal): Promise<Float32Array>;
  close(): void;
}

/** Cosine of the angle between two vectors, −1…1; 0 if one of them has no length. Throws for different lengths. */
export function cosineSimilarity(a: Float32Array, b: Float32Array): number {
  if (a.length !== b.length) throw new TypeError(`vectors of ${a.length} and ${b.length} values`);
  let [dot, aa, bb] = [0, 0, 0];
  for (let i = 0; i < a.length; i++) {
    const [x, y] = [a[i] as number, b[i] as number];
    dot += x * y;
    aa += x * x;
    bb += y * y;
  }
  return aa === 0 || bb === 0 ? 0 : dot / Math.sqrt(aa * bb);
}
