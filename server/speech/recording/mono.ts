import type { MonoRecording } from "~server/contract/recording/judge";
import { meanOf, mixWeights, powerOf, recordingLimits, weightedSum } from "~server/contract/recording/quality";
import { concatArrays } from "../dsp/pcm";
import { recordingError } from "./format";

/** Limits of decoding. */
export interface DecodeBounds {
  /** Longer files are rejected. */
  maxSeconds: number;
  /** Higher rates are halved until they fit. */
  maxRate: number;
}

/** For enrolment recordings. */
export const recordingBounds: DecodeBounds = { maxSeconds: recordingLimits.maxSeconds, maxRate: 48_000 };
const minRate = 4_000;
const maxSourceRate = 384_000;

/** Maximum sample count at a rate. Throws 'damaged' for implausible rates. */
export function maxSamples(sampleRate: number, { maxSeconds }: DecodeBounds): number {
  if (!(sampleRate >= minRate && sampleRate <= maxSourceRate)) throw recordingError("damaged");
  return maxSeconds * sampleRate;
}

/**
 * Collects decoded blocks at a bounded rate, and mixes them at the end: which channel carries the voice is known only
 * then. More than two channels are averaged at once, which bounds the memory. `add` throws 'too-long' at the limit.
 */
export class MonoCollector {
  readonly #bounds: DecodeBounds;
  /** By channel: its blocks, and its decimators. */
  readonly #blocks: Float32Array[][] = [];
  readonly #decimators: Decimator[][] = [];
  readonly #powers: number[] = [];
  #meanPower = 0;
  /** Samples at `#rate`. */
  #decoded = 0;
  #rate = 0;

  constructor(bounds: DecodeBounds) {
    this.#bounds = bounds;
  }

  add(given: readonly Float32Array[], sampleRate: number): void {
    const channels = given.length > 2 ? [meanOf(given)] : given;
    const length = channels[0]?.length ?? 0;
    if (length === 0) return;
    if (this.#rate === 0) this.#start(sampleRate, channels.length);
    // Counted before blocks are dropped: what is not kept was decoded too.
    this.#decoded += (length * this.#rate) / sampleRate;
    if (this.#decoded > maxSamples(this.#rate, this.#bounds)) throw recordingError("too-long");
    // A change of rate or channels is damage.
    if (sampleRate !== this.#rate || channels.length !== this.#blocks.length) return;
    const clean = channels.map(clamp);
    this.#meanPower += powerOf(meanOf(clean));
    for (const [channel, block] of clean.entries()) {
      this.#powers[channel] = (this.#powers[channel] ?? 0) + powerOf(block);
      this.#blocks[channel]?.push(this.#decimate(channel, 0, block));
    }
  }

  finish(): MonoRecording {
    if (this.#decoded === 0) throw recordingError("damaged");
    for (const [channel, decimators] of this.#decimators.entries()) {
      for (const [i, decimator] of decimators.entries())
        this.#blocks[channel]?.push(this.#decimate(channel, i + 1, decimator.finish()));
    }
    const weights = mixWeights(this.#powers, this.#meanPower);
    const mixed = (this.#blocks[0] ?? []).map((_, at) =>
      weightedSum(
        this.#blocks.map((blocks) => blocks[at] as Float32Array),
        weights,
      ),
    );
    const sampleRate = Math.round(this.#rate / 2 ** (this.#decimators[0]?.length ?? 0));
    return { samples: clamp(concatArrays(Float32Array, mixed)), sampleRate };
  }

  #start(sampleRate: number, channels: number): void {
    this.#rate = sampleRate;
    const halvings = Math.max(0, Math.ceil(Math.log2(sampleRate / this.#bounds.maxRate)));
    for (let channel = 0; channel < channels; channel++) {
      this.#blocks.push([]);
      this.#decimators.push(Array.from({ length: halvings }, createDecimator));
    }
  }

  #decimate(channel: number, from: number, block: Float32Array): Float32Array {
    return (this.#decimators[channel] ?? []).slice(from).reduce((rest, decimator) => decimator.push(rest), block);
  }
}

/** Clamps to −1…1 and replaces NaN: decoded floats may hold any value, and filters overshoot. */
function clamp(samples: Float32Array): Float32Array {
  const clean = new Float32Array(samples.length);
  for (let i = 0; i < samples.length; i++) {
    const value = samples[i] as number;
    clean[i] = value >= -1 && value <= 1 ? value : value > 1 ? 1 : value < -1 ? -1 : 0;
  }
  return clean;
}

/** Half-band low-pass with 31 taps (Hamming), −50 dB above 0.3 of the input rate; even taps are zero, odd ones symmetric. */
const reach = 15;
const sideTaps = Float64Array.from([1, 3, 5, 7, 9, 11, 13, 15], (distance) => {
  const sinc = Math.sin((Math.PI * distance) / 2) / (Math.PI * distance);
  return sinc * (0.54 + 0.46 * Math.cos((Math.PI * distance) / (reach + 1)));
});

export interface Decimator {
  push(block: Float32Array): Float32Array;
  /** Returns the delayed remainder. */
  finish(): Float32Array;
}

/** Halves the rate of a stream of blocks, so that high-rate audio is never held in memory. */
export function createDecimator(): Decimator {
  // Zero padding before the first sample compensates the filter delay.
  let pending = new Float32Array(reach);
  const push = (block: Float32Array) => {
    const all = new Float32Array(pending.length + block.length);
    all.set(pending);
    all.set(block, pending.length);
    const count = Math.max(0, Math.floor((all.length - 2 * reach + 1) / 2));
    const half = new Float32Array(count);
    for (let i = 0; i < count; i++) {
      const centre = i * 2 + reach;
      let sum = 0.5 * (all[centre] as number);
      for (let tap = 0; tap < sideTaps.length; tap++) {
        const distance = 2 * tap + 1;
        sum += (sideTaps[tap] as number) * ((all[centre - distance] as number) + (all[centre + distance] as number));
      }
      half[i] = sum;
    }
    pending = all.slice(count * 2);
    return half;
  };
  return { push, finish: () => push(new Float32Array(reach)) };
}
