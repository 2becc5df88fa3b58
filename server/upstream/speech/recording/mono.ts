import { recordingLimits } from "~server/contract/recording";
import { recordingError } from "./fault";

/** Above this nothing of a voice is left to hear; higher rates are halved until they fit. */
const maxRate = 48_000;
const minRate = 4_000;

export interface MonoRecording {
  samples: Float32Array;
  sampleRate: number;
}

/** How many samples a decoder may hand over at this rate before the file counts as too long. */
export function maxSamples(sampleRate: number): number {
  if (!(sampleRate >= minRate && sampleRate <= 384_000)) throw recordingError("damaged");
  return recordingLimits.maxSeconds * sampleRate;
}

/** Collects a decoder's blocks as mono and stops it with `too-long` at the limit. */
export function createMonoCollector(): {
  add(channels: readonly Float32Array[], sampleRate: number): void;
  finish(): MonoRecording;
} {
  const blocks: Float32Array[] = [];
  let length = 0;
  let rate = 0;
  return {
    add(channels, sampleRate) {
      const block = mixDown(channels);
      if (block.length === 0) return;
      if (rate === 0) rate = sampleRate;
      // A rate that changes on the way is damage or trickery; what came before stays.
      if (sampleRate !== rate) return;
      length += block.length;
      if (length > maxSamples(rate)) throw recordingError("too-long");
      blocks.push(block);
    },
    finish() {
      if (length === 0) throw recordingError("damaged");
      return fittingRate(clean(joined(blocks, length)), rate);
    },
  };
}

function mixDown(channels: readonly Float32Array[]): Float32Array {
  const first = channels[0];
  if (first === undefined) return new Float32Array(0);
  if (channels.length === 1) return first.slice();
  const mono = new Float32Array(first.length);
  for (const channel of channels) {
    for (let i = 0; i < mono.length; i++) mono[i] = (mono[i] as number) + (channel[i] ?? 0) / channels.length;
  }
  return mono;
}

function joined(blocks: readonly Float32Array[], length: number): Float32Array {
  const samples = new Float32Array(length);
  let at = 0;
  for (const block of blocks) {
    samples.set(block, at);
    at += block.length;
  }
  return samples;
}

/** Floats from a hostile file may be anything; what follows relies on −1…1. */
function clean(samples: Float32Array): Float32Array {
  for (let i = 0; i < samples.length; i++) {
    const value = samples[i] as number;
    if (!(value >= -1 && value <= 1)) samples[i] = value > 1 ? 1 : value < -1 ? -1 : 0;
  }
  return samples;
}

function fittingRate(samples: Float32Array, sampleRate: number): MonoRecording {
  let recording = { samples, sampleRate };
  while (recording.sampleRate > maxRate) {
    recording = { samples: halved(recording.samples), sampleRate: recording.sampleRate / 2 };
  }
  return recording;
}

/** Every second sample after a half-band low-pass (31 taps, Hamming): −50 dB from 0.3 of the old rate. */
function halved(samples: Float32Array): Float32Array {
  const half = new Float32Array(samples.length >> 1);
  for (let i = 0; i < half.length; i++) {
    let sum = 0.5 * (samples[i * 2] as number);
    for (const [reach, weight] of sideTaps) {
      sum += weight * ((samples[i * 2 - reach] ?? 0) + (samples[i * 2 + reach] ?? 0));
    }
    half[i] = sum;
  }
  return half;
}

/** A half-band filter's even taps are zero, its odd ones symmetric. */
const sideTaps = [1, 3, 5, 7, 9, 11, 13, 15].map((reach) => {
  const sinc = Math.sin((Math.PI * reach) / 2) / (Math.PI * reach);
  return [reach, sinc * (0.54 + 0.46 * Math.cos((Math.PI * reach) / 16))] as const;
});
