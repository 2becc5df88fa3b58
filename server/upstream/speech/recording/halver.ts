/** A half-band low-pass of 31 taps (Hamming): −50 dB from 0.3 of the old rate. Its even taps are zero, its odd ones symmetric. */
const reach = 15;
const sideTaps = [1, 3, 5, 7, 9, 11, 13, 15].map((distance) => {
  const sinc = Math.sin((Math.PI * distance) / 2) / (Math.PI * distance);
  return [distance, sinc * (0.54 + 0.46 * Math.cos((Math.PI * distance) / (reach + 1)))] as const;
});

export interface Halver {
  push(block: Float32Array): Float32Array;
  /** What is still inside at the end. */
  finish(): Float32Array;
}

/** Keeps every second sample of a stream of blocks, so that a high rate never lies in memory whole. */
export function createHalver(): Halver {
  // Starts with the silence before the first sample, so that nothing is delayed.
  let waiting = new Float32Array(reach);
  const push = (block: Float32Array) => {
    const all = new Float32Array(waiting.length + block.length);
    all.set(waiting);
    all.set(block, waiting.length);
    const count = Math.max(0, Math.floor((all.length - 2 * reach + 1) / 2));
    const half = new Float32Array(count);
    for (let i = 0; i < count; i++) {
      const centre = i * 2 + reach;
      let sum = 0.5 * (all[centre] as number);
      for (const [distance, weight] of sideTaps) {
        sum += weight * ((all[centre - distance] as number) + (all[centre + distance] as number));
      }
      half[i] = sum;
    }
    waiting = all.slice(count * 2);
    return half;
  };
  return { push, finish: () => push(new Float32Array(reach)) };
}
