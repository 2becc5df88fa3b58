import type { MonoRecording } from "~server/contract/recording/judge";
import { recordingLimits } from "~server/contract/recording/quality";
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

/** Collects decoded blocks as mono at a bounded rate; `add` throws 'too-long' at the limit. */
export function createMonoCollector(bounds: DecodeBounds): {
  add(channels: readonly Float32Array[], sampleRate: number): void;
  finish(): MonoRecording;
} {
  const blocks: Float32Array[] = [];
  const decimators: Decimator[] = [];
  let sampleCount = 0;
  let rate = 0;
  const start = (sampleRate: number) => {
    rate = sampleRate;
    while (rate / 2 ** decimators.length > bounds.maxRate) decimators.push(createDecimator());
  };
  return {
    add(channels, sampleRate) {
      const block = mixDown(channels);
      if (block.length === 0) return;
      if (rate === 0) start(sampleRate);
      // A rate change is damage: later blocks are dropped.
      if (sampleRate !== rate) return;
      sampleCount += block.length;
      if (sampleCount > maxSamples(rate, bounds)) throw recordingError("too-long");
      blocks.push(decimators.reduce((rest, decimator) => decimator.push(rest), block));
    },
    finish() {
      if (sampleCount === 0) throw recordingError("damaged");
      decimators.forEach((decimator, i) => {
        blocks.push(decimators.slice(i + 1).reduce((rest, next) => next.push(rest), decimator.finish()));
      });
      const sampleRate = Math.round(rate / 2 ** decimators.length);
      return { samples: clamp(concatArrays(Float32Array, blocks)), sampleRate };
    },
  };
}

function mixDown(channels: readonly Float32Array[]): Float32Array {
  const mono = new Float32Array(channels[0]?.length ?? 0);
  for (const channel of channels) {
    for (let i = 0; i < mono.length; i++) mono[i] = (mono[i] as number) + (channel[i] ?? 0) / channels.length;
  }
  return clamp(mono);
}

/** Clamps to −1…1 and replaces NaN: decoded floats may hold any value, and filters overshoot. */
function clamp(samples: Float32Array): Float32Array {
  for (let i = 0; i < samples.length; i++) {
    const value = samples[i] as number;
    if (!(value >= -1 && value <= 1)) samples[i] = value > 1 ? 1 : value < -1 ? -1 : 0;
  }
  return samples;
}

/** Half-band low-pass with 31 taps (Hamming), −50 dB above 0.3 of the input rate; even taps are zero, odd ones symmetric. */
const reach = 15;
const sideTaps = [1, 3, 5, 7, 9, 11, 13, 15].map((distance) => {
  const sinc = Math.sin((Math.PI * distance) / 2) / (Math.PI * distance);
  return [distance, sinc * (0.54 + 0.46 * Math.cos((Math.PI * distance) / (reach + 1)))] as const;
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
      for (const [distance, weight] of sideTaps) {
        sum += weight * ((all[centre - distance] as number) + (all[centre + distance] as number));
      }
      half[i] = sum;
    }
    pending = all.slice(count * 2);
    return half;
  };
  return { push, finish: () => push(new Float32Array(reach)) };
}
