import type { MonoRecording } from "~server/contract/recording/judge";
import { recordingLimits } from "~server/contract/recording/quality";
import { recordingError } from "./format";

/** How much of a file is decoded. */
export interface DecodeBounds {
  /** Longer files are refused. */
  maxSeconds: number;
  /** Higher rates are halved until they fit. */
  maxRate: number;
}

/** For recordings to learn a voice from: above this rate nothing of a voice is left to hear. */
export const recordingBounds: DecodeBounds = { maxSeconds: recordingLimits.maxSeconds, maxRate: 48_000 };
const minRate = 4_000;
const maxSourceRate = 384_000;

/** How many samples a decoder may hand over at this rate before the file counts as too long. */
export function maxSamples(sampleRate: number, { maxSeconds }: DecodeBounds): number {
  if (!(sampleRate >= minRate && sampleRate <= maxSourceRate)) throw recordingError("damaged");
  return maxSeconds * sampleRate;
}

/** Collects a decoder's blocks as mono of a bounded rate and stops it with `too-long` at the limit. */
export function createMonoCollector(bounds: DecodeBounds): {
  add(channels: readonly Float32Array[], sampleRate: number): void;
  finish(): MonoRecording;
} {
  const blocks: Float32Array[] = [];
  const halvers: Decimator[] = [];
  let heard = 0;
  let rate = 0;
  const start = (sampleRate: number) => {
    rate = sampleRate;
    while (rate / 2 ** halvers.length > bounds.maxRate) halvers.push(createDecimator());
  };
  return {
    add(channels, sampleRate) {
      const block = mixDown(channels);
      if (block.length === 0) return;
      if (rate === 0) start(sampleRate);
      // A rate that changes on the way is damage or trickery; what came before stays.
      if (sampleRate !== rate) return;
      heard += block.length;
      if (heard > maxSamples(rate, bounds)) throw recordingError("too-long");
      blocks.push(halvers.reduce((rest, halver) => halver.push(rest), block));
    },
    finish() {
      if (heard === 0) throw recordingError("damaged");
      halvers.forEach((halver, i) => {
        blocks.push(halvers.slice(i + 1).reduce((rest, next) => next.push(rest), halver.finish()));
      });
      const sampleRate = Math.round(rate / 2 ** halvers.length);
      return { samples: limited(joined(blocks)), sampleRate };
    },
  };
}

function mixDown(channels: readonly Float32Array[]): Float32Array {
  const mono = new Float32Array(channels[0]?.length ?? 0);
  for (const channel of channels) {
    for (let i = 0; i < mono.length; i++) mono[i] = (mono[i] as number) + (channel[i] ?? 0) / channels.length;
  }
  return limited(mono);
}

/** Floats from a hostile file may be anything, and filters overshoot; what follows relies on −1…1. */
function limited(samples: Float32Array): Float32Array {
  for (let i = 0; i < samples.length; i++) {
    const value = samples[i] as number;
    if (!(value >= -1 && value <= 1)) samples[i] = value > 1 ? 1 : value < -1 ? -1 : 0;
  }
  return samples;
}

function joined(blocks: readonly Float32Array[]): Float32Array {
  const samples = new Float32Array(blocks.reduce((sum, block) => sum + block.length, 0));
  let at = 0;
  for (const block of blocks) {
    samples.set(block, at);
    at += block.length;
  }
  return samples;
}

/** A half-band low-pass of 31 taps (Hamming): −50 dB from 0.3 of the old rate. Its even taps are zero, its odd ones symmetric. */
const reach = 15;
const sideTaps = [1, 3, 5, 7, 9, 11, 13, 15].map((distance) => {
  const sinc = Math.sin((Math.PI * distance) / 2) / (Math.PI * distance);
  return [distance, sinc * (0.54 + 0.46 * Math.cos((Math.PI * distance) / (reach + 1)))] as const;
});

export interface Decimator {
  push(block: Float32Array): Float32Array;
  /** What is still inside at the end. */
  finish(): Float32Array;
}

/** Keeps every second sample of a stream of blocks, so that a high rate never lies in memory whole. */
export function createDecimator(): Decimator {
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
