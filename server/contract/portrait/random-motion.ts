/** Numbers from 0 to below 1 that follow from a text: FNV-1a, then mulberry32. */
export function createRandom(seed: string): () => number {
  let state = 2166136261;
  for (const character of seed) state = Math.imul(state ^ (character.codePointAt(0) ?? 0), 16777619);
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

export const clamp = (value: number, low = 0, high = 1) => Math.min(high, Math.max(low, value));

/** 0 up to 0, 1 from 1 on, without corners between. */
export function easeInOut(value: number): number {
  const x = clamp(value);
  return x * x * (3 - 2 * x);
}

/** Rises to 1 within `attack` seconds before 0, falls within `release` seconds after it. */
export const bump = (seconds: number, attack: number, release: number) =>
  seconds < 0 ? easeInOut((seconds + attack) / attack) : easeInOut((release - seconds) / release);
