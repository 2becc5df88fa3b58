import { compareSpeakers } from "./proof/speaker";
import type { MonoSound } from "./recogniser";

/**
 * Log-likelihood ratio from which two recordings count as one voice on the list of blocked voices. Stricter than a proof
 * (−10.7): a false match refuses a person who did nothing, and every blocked voice is another chance of one. The bench
 * section `blocklist` measures it.
 */
export const sameVoiceAbove = -4;

/** Compares voices by the embedded measures, which need no installed model. */
export function createVoiceprints(describe: (sound: MonoSound, signal?: AbortSignal) => Promise<number[] | null>) {
  return {
    model: "cepstra-1",
    describe,
    isSameVoice: (one: readonly number[], other: readonly number[]) =>
      compareSpeakers(Float64Array.from(one), Float64Array.from(other)) >= sameVoiceAbove,
  };
}
