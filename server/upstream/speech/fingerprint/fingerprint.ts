import { hopSamples, measureBands, toBandRate } from "./bands";
import { bitsOf, isActive, toWords, type Words, wordBits } from "./words";

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
/** Keys are picked by stretches of a quarter second, so that every part of a sound can be found. */
const stretch = 8;
const keptOfStretch = 2;
const askedOfStretch = 4;
/** A look-up tries its words also with these many of their least clear bits the other way round. */
const doubtfulBits = 3;
const mostAsked = 16_000;

/** For what was just spoken. Deterministic: the same samples have the same print. */
export function printOf(samples: ArrayLike<number>, sampleRate: number): SoundPrint {
  const { words, clearness } = toWords(measureBands(toBandRate(samples, sampleRate)));
  const frames = clearFrames({ words, clearness }, keptOfStretch);
  return { words, keys: Int32Array.from(frames, (at) => bitsOf(words[at] as number)), places: Int32Array.from(frames) };
}

/** For what may be something spoken earlier, whole or in part, whatever was done to it meanwhile. */
export function heardPrintOf(samples: ArrayLike<number>, sampleRate: number): HeardPrint {
  const reduced = toBandRate(samples, sampleRate);
  const heard = Array.from({ length: phaseCount }, (_, phase) =>
    toWords(measureBands(reduced, (phase * hopSamples) / phaseCount)),
  );
  const asked = heard.map((words) => ({ words, frames: clearFrames(words, askedOfStretch) }));
  const total = asked.reduce((sum, { frames }) => sum + frames.length, 0) * 2 ** doubtfulBits;
  const step = Math.max(1, Math.ceil(total / mostAsked));
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

/** The active frames of each stretch whose least clear bit is clearest, in order. */
function clearFrames({ words, clearness }: Words, perStretch: number): number[] {
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

function variantsOf({ words, clearness }: Words, at: number): number[] {
  const doubtful = Array.from({ length: wordBits }, (_, bit) => bit)
    .sort((a, b) => (clearness[at * wordBits + a] as number) - (clearness[at * wordBits + b] as number))
    .slice(0, doubtfulBits);
  const bits = bitsOf(words[at] as number);
  const keys = [bits];
  for (const bit of doubtful) keys.push(...keys.map((key) => key ^ (1 << bit)));
  return keys;
}
