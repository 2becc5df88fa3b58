import { type Bands, bandCount, hopSamples, measureBands, toBandRate } from "./bands";

/** What is kept of a sound to know it again. */
export interface SoundPrint {
  /** One word every 32 ms; see `words.ts`. */
  words: Uint32Array;
  /** The clearest words, to look it up by, and where they stand. */
  keys: Int32Array;
  places: Int32Array;
}

/** A sound that may be a part of a known one, shifted by any time: the same words seen from steps of 8 ms. */
export interface HeardPrint {
  phases: Uint32Array[];
  keys: Int32Array;
  places: Int32Array;
}

const phaseCount = 4;
const keptOfStretch = 2;
const askedOfStretch = 4;
const mostAsked = 16_000;

/** For what was just spoken. Deterministic: the same samples have the same print. */
export function createFingerprint(samples: ArrayLike<number>, sampleRate: number): SoundPrint {
  const { words, clearness } = toWords(measureBands(toBandRate(samples, sampleRate)));
  const frames = clearFrames({ words, clearness }, keptOfStretch);
  return { words, keys: Int32Array.from(frames, (at) => bitsOf(words[at] as number)), places: Int32Array.from(frames) };
}

/** For what may be something spoken earlier, whole or in part, whatever was done to it meanwhile. */
export function createQuery(samples: ArrayLike<number>, sampleRate: number): HeardPrint {
  const reduced = toBandRate(samples, sampleRate);
  const heard = Array.from({ length: phaseCount }, (_, phase) =>
    toWords(measureBands(reduced, (phase * hopSamples) / phaseCount)),
  );
  return buildQuery(heard, mostAsked);
}

/** What to look up of the same sound seen from several steps, `most` words at the most. */
export function buildQuery(heard: readonly Words[], most: number): HeardPrint {
  const asked = heard.map((words) => ({ words, frames: clearFrames(words, askedOfStretch) }));
  const total = asked.reduce((sum, { frames }) => sum + frames.length, 0) * 2 ** doubtfulBits;
  const step = Math.max(1, Math.ceil(total / most));
  const keys: number[] = [];
  const places: number[] = [];
  for (const { words, frames } of asked) {
    for (const at of frames.filter((_, i) => Math.floor(i / askedOfStretch) % step === 0)) {
      for (const key of variantsOf(words, at)) {
        keys.push(key);
        places.push(at);
      }
    }
  }
  return { phases: heard.map(({ words }) => words), keys: Int32Array.from(keys), places: Int32Array.from(places) };
}

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
