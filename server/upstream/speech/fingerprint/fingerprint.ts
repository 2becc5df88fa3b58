import { hopSamples, measureBands, toBandRate } from "./bands";
import { clearFrames, doubtfulBits, variantsOf } from "./keys";
import { bitsOf, toWords, type Words } from "./words";

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
  return askedPrintOf(heard, mostAsked);
}

/** What to look up of the same sound seen from several steps, `most` words at the most. */
export function askedPrintOf(heard: readonly Words[], most: number): HeardPrint {
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
