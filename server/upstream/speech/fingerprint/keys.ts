import { bitsOf, isActive, type Words, wordBits } from "./words";

/** Keys are picked by stretches of a quarter second, so that every part of a sound can be found. */
const stretch = 8;
/** A look-up tries its words also with these many of their least clear bits the other way round. */
export const doubtfulBits = 3;

/** The active frames of each stretch whose least clear bit is clearest, in order. */
export function clearFrames({ words, clearness }: Words, perStretch: number): number[] {
  const frames: number[] = [];
  for (let start = 0; start < words.length; start += stretch) {
    const active: Array<{ at: number; clear: number }> = [];
    for (let at = start; at < Math.min(words.length, start + stretch); at++) {
      if (!isActive(words[at] as number)) continue;
      active.push({ at, clear: Math.min(...clearness.subarray(at * wordBits, (at + 1) * wordBits)) });
    }
    const clearest = active.sort((a, b) => b.clear - a.clear).slice(0, perStretch);
    frames.push(...clearest.map(({ at }) => at).sort((a, b) => a - b));
  }
  return frames;
}

/** A word as it may have been: its least clear bits both ways. */
export function variantsOf({ words, clearness }: Words, at: number): number[] {
  const doubtful = Array.from({ length: wordBits }, (_, bit) => bit)
    .sort((a, b) => (clearness[at * wordBits + a] as number) - (clearness[at * wordBits + b] as number))
    .slice(0, doubtfulBits);
  const bits = bitsOf(words[at] as number);
  const keys = [bits];
  for (const bit of doubtful) keys.push(...keys.map((key) => key ^ (1 << bit)));
  return keys;
}
