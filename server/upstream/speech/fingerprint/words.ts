import { type Bands, bandCount } from "./bands";

/** One bit for every two neighbouring bands. */
export const wordBits = bandCount - 1;
/** Set in words of frames in which something sounds and changes; the others tell nothing and are never compared. */
export const activeBit = 2 ** 31;
/** Frames a change is measured over: 128 ms. */
const reach = 4;
/** Below the sound's own loud frames, as a power ratio: −30 dB. */
const quietest = 1e-3;
/** Mean change in natural logarithms; a steady tone's is next to nothing, and its bits are noise. */
const leastChange = 0.3;

export interface Words {
  /** One a frame: which bands grew against their upper neighbour. */
  words: Uint32Array;
  /** `frames × wordBits`: how clearly each bit was decided. */
  clearness: Float32Array;
}

/**
 * Signs of band energy differences over time and frequency (Haitsma and Kalker, ISMIR 2002): they outlive codecs, levels
 * and equalisers. A word's first frame is `reach` frames before its own, so the first words are never active.
 */
export function toWords({ log, power, frames }: Bands): Words {
  const words = new Uint32Array(frames);
  const clearness = new Float32Array(frames * wordBits);
  const threshold = loudPower(power) * quietest;
  for (let frame = reach; frame < frames; frame++) {
    const now = frame * bandCount;
    const then = (frame - reach) * bandCount;
    let word = 0;
    let change = 0;
    for (let bit = 0; bit < wordBits; bit++) {
      const step = (at: number) => (log[at + bit] as number) - (log[at + bit + 1] as number);
      const difference = step(now) - step(then);
      if (difference > 0) word |= 1 << bit;
      clearness[frame * wordBits + bit] = Math.abs(difference);
      change += Math.abs(difference);
    }
    const isLoud = (power[frame] as number) > threshold && (power[frame - reach] as number) > threshold;
    words[frame] = isLoud && change > leastChange * wordBits ? word + activeBit : word;
  }
  return { words, clearness };
}

/** What a tenth of the frames exceed. */
function loudPower(power: Float32Array): number {
  const sorted = power.slice().sort();
  return sorted[Math.floor(sorted.length * 0.9)] ?? 0;
}

/** The bits alone. */
export const bitsOf = (word: number) => word & (2 ** wordBits - 1);
export const isActive = (word: number) => word >= activeBit;
