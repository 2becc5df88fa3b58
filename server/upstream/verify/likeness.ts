import type { HeardPrint } from "../../speech/index";

const wordBits = 24;
const activeBit = 2 ** 31;
/** Active frames of 32 ms that a comparison needs: two seconds of speech. */
export const enough = 64;
/** Of a stored sound that is shorter: a syllable. */
const shortest = 8;

export interface Likeness {
  /** Share of differing bits in the most similar stretch; 1 where the overlap is too short. */
  errorRate: number;
  /** Active frames compared. */
  frames: number;
}

const unlike: Likeness = { errorRate: 1, frames: 0 };

/**
 * Compares a sound with a stored one, starting `offset` frames (±1) into the stored one. Two seconds of agreement are
 * enough, whatever comes before and after.
 */
export function likenessAt(
  heard: Pick<HeardPrint, "phases">,
  words: Uint32Array,
  { offset, leastFrames = enough }: { offset: number; leastFrames?: number },
): Likeness {
  let best = unlike;
  for (const phase of heard.phases) {
    for (const shift of [-1, 0, 1]) {
      const found = bestStretch(phase, words, { offset: offset + shift, leastFrames });
      if (found.errorRate < best.errorRate) best = found;
    }
  }
  return best;
}

/** Compares a sound with a stored one of any length, where both begin together. */
export function likenessAtStart(heard: Pick<HeardPrint, "phases">, words: Uint32Array): Likeness {
  const leastFrames = Math.min(enough, Math.max(shortest, countActive(words)));
  const found = [-2, 0, 2].map((offset) => likenessAt(heard, words, { offset, leastFrames }));
  return found.reduce((best, one) => (one.errorRate < best.errorRate ? one : best), unlike);
}

function bestStretch(
  heard: Uint32Array,
  words: Uint32Array,
  { offset, leastFrames }: { offset: number; leastFrames: number },
): Likeness {
  const errors: number[] = [];
  let best = unlike;
  let sum = 0;
  const first = Math.max(0, -offset);
  const last = Math.min(heard.length, words.length - offset);
  for (let at = first; at < last; at++) {
    const [one, other] = [heard[at] as number, words[at + offset] as number];
    if (one < activeBit || other < activeBit) continue;
    const wrong = countBits(one ^ other);
    errors.push(wrong);
    sum += wrong;
    if (errors.length > leastFrames) sum -= errors[errors.length - 1 - leastFrames] as number;
    const errorRate = sum / (leastFrames * wordBits);
    if (errors.length >= leastFrames && errorRate < best.errorRate) best = { errorRate, frames: leastFrames };
  }
  return best;
}

/** Counts the ones among a word's 24 bits. */
function countBits(word: number): number {
  let bits = word & 0xffffff;
  bits -= (bits >>> 1) & 0x555555;
  bits = (bits & 0x333333) + ((bits >>> 2) & 0x333333);
  bits = (bits + (bits >>> 4)) & 0x0f0f0f;
  return ((bits * 0x010101) >>> 16) & 0xff;
}

/** Active frames of the phase with the most. */
export const activeFramesOf = ({ phases }: Pick<HeardPrint, "phases">): number =>
  Math.max(0, ...phases.map(countActive));

const countActive = (words: Uint32Array) => words.reduce((sum, word) => sum + (word >= activeBit ? 1 : 0), 0);
