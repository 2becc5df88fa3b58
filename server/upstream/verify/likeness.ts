import type { HeardPrint } from "../voices/ports";

const wordBits = 24;
const activeBit = 2 ** 31;
/** Active frames a sound must agree over to count, of 32 ms: two seconds of speech. */
export const leastFrames = 64;

export interface Likeness {
  /** Share of bits that differ over the stretch that agrees best; 1 where too little lies over each other. */
  errorRate: number;
  /** Active frames compared there. */
  frames: number;
}

const unlike: Likeness = { errorRate: 1, frames: 0 };

/**
 * How alike a heard sound and a kept one are, the heard one starting `offset` frames into the kept one, give or take one.
 * A stretch of two seconds is enough: what stands before and behind it may be anything.
 */
export function likenessAt(heard: Pick<HeardPrint, "phases">, words: Uint32Array, offset: number): Likeness {
  let best = unlike;
  for (const phase of heard.phases) {
    for (const shift of [-1, 0, 1]) {
      const found = bestStretch(phase, words, offset + shift);
      if (found.errorRate < best.errorRate) best = found;
    }
  }
  return best;
}

function bestStretch(heard: Uint32Array, words: Uint32Array, offset: number): Likeness {
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

/** Of a word's 24 bits. */
function countBits(word: number): number {
  let bits = word & 0xffffff;
  bits -= (bits >>> 1) & 0x555555;
  bits = (bits & 0x333333) + ((bits >>> 2) & 0x333333);
  bits = (bits + (bits >>> 4)) & 0x0f0f0f;
  return ((bits * 0x010101) >>> 16) & 0xff;
}

/** Active frames of the phase that has most. */
export const activeFramesOf = ({ phases }: Pick<HeardPrint, "phases">): number =>
  Math.max(0, ...phases.map((words) => words.reduce((sum, word) => sum + (word >= activeBit ? 1 : 0), 0)));
