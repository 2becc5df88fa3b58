import type { HeardPrint, SoundPrint } from "../../analysis";
import { createFft } from "../../dsp/fft";
import { resample } from "../../dsp/resample";
import { quantile } from "../../dsp/statistics";

/** Hz; the bandwidth of telephone audio. */
const bandRate = 8000;
const windowSize = 2048;
const hopSamples = 256;
export const bandCount = 25;
const range = [260, 3300] as const;
/** Added to the power, so that codec noise in silence has no effect. */
const floorPower = 1e-9;

/** Log power by band every 32 ms. */
export interface Bands {
  /** `frames × bandCount`, natural logarithms. */
  log: Float32Array;
  /** Power of each frame. */
  power: Float32Array;
  frames: number;
}

const window = Float64Array.from(
  { length: windowSize },
  (_, i) => 0.5 - 0.5 * Math.cos((2 * Math.PI * (i + 0.5)) / windowSize),
);

/** First bin of each band and the end of the last; bands have equal width in octaves. */
const edgesAt = (pitch: number) =>
  Array.from({ length: bandCount + 1 }, (_, i) =>
    Math.round((range[0] * pitch * (range[1] / range[0]) ** (i / bandCount) * windowSize) / bandRate),
  );

export const toBandRate = (samples: ArrayLike<number>, sampleRate: number) => resample(samples, sampleRate, bandRate);

/** `from`: start of the first window, in samples. */
function measureBands(samples: Float32Array, from = 0): Bands {
  const [bands] = measureShiftedBands(samples, { from, hop: hopSamples, pitches: [1] });
  return bands as Bands;
}

interface Shifted {
  from: number;
  hop: number;
  /** Factors by which the band frequencies are multiplied. */
  pitches: readonly number[];
}

/** Band powers with another hop size, once per pitch factor. */
export function measureShiftedBands(samples: Float32Array, { from, hop, pitches }: Shifted): Bands[] {
  const frames = Math.max(0, Math.floor((samples.length - from - windowSize) / hop) + 1);
  const fft = createFft(windowSize);
  const windowed = new Float64Array(windowSize);
  const [re, im] = [new Float64Array(windowSize / 2 + 1), new Float64Array(windowSize / 2 + 1)];
  const measured = pitches.map((pitch) => ({ edges: edgesAt(pitch), bands: emptyBands(frames) }));
  for (let frame = 0; frame < frames; frame++) {
    const start = from + frame * hop;
    for (let i = 0; i < windowSize; i++) windowed[i] = (samples[start + i] as number) * (window[i] as number);
    fft.forward(windowed, re, im);
    for (let k = 0; k < re.length; k++) re[k] = (re[k] as number) ** 2 + (im[k] as number) ** 2;
    for (const { edges, bands } of measured) fill(bands, frame, { edges, powers: re });
  }
  return measured.map(({ bands }) => bands);
}

const emptyBands = (frames: number): Bands => ({
  log: new Float32Array(frames * bandCount),
  power: new Float32Array(frames),
  frames,
});

function fill(bands: Bands, frame: number, { edges, powers }: { edges: readonly number[]; powers: Float64Array }) {
  for (let band = 0; band < bandCount; band++) {
    let sum = floorPower;
    for (let k = edges[band] as number; k < (edges[band + 1] as number); k++) sum += powers[k] as number;
    bands.log[frame * bandCount + band] = Math.log(sum);
    bands.power[frame] = (bands.power[frame] as number) + sum;
  }
}

const phaseCount = 4;
const storedPerStretch = 2;
const queriedPerStretch = 4;
const maxKeys = 16_000;

/** Fingerprint of synthesised audio. Deterministic. */
export function createFingerprint(samples: ArrayLike<number>, sampleRate: number): SoundPrint {
  const { words, reliability } = toWords(measureBands(toBandRate(samples, sampleRate)));
  const frames = selectReliableFrames({ words, reliability }, storedPerStretch);
  return { words, keys: Int32Array.from(frames, (at) => bitsOf(words[at] as number)), places: Int32Array.from(frames) };
}

/** Query for audio of unknown origin. */
export function createQuery(samples: ArrayLike<number>, sampleRate: number): HeardPrint {
  const reduced = toBandRate(samples, sampleRate);
  const shifts = Array.from({ length: phaseCount }, (_, phase) =>
    toWords(measureBands(reduced, (phase * hopSamples) / phaseCount)),
  );
  return buildQuery(shifts, maxKeys);
}

/** Combines the words of several time shifts into one query of at maxKeys `maxKeys` keys. */
export function buildQuery(shifts: readonly FingerprintWords[], maxKeys: number): HeardPrint {
  const selected = shifts.map((words) => ({ words, frames: selectReliableFrames(words, queriedPerStretch) }));
  const total = selected.reduce((sum, { frames }) => sum + frames.length, 0) * 2 ** unreliableBits;
  const step = Math.max(1, Math.ceil(total / maxKeys));
  const keys: number[] = [];
  const places: number[] = [];
  for (const { words, frames } of selected) {
    for (const at of frames.filter((_, i) => Math.floor(i / queriedPerStretch) % step === 0)) {
      for (const key of flipUnreliableBits(words, at)) {
        keys.push(key);
        places.push(at);
      }
    }
  }
  return { phases: shifts.map(({ words }) => words), keys: Int32Array.from(keys), places: Int32Array.from(places) };
}

/** One bit per pair of adjacent bands. */
export const wordBits = bandCount - 1;
/** Set in words of frames with changing sound; other frames are not compared. */
export const activeBit = 2 ** 31;
/** Frames between the compared spectra: 128 ms. */
const reach = 4;
/** Power relative to the loud frames: −30 dB. */
const minPowerRatio = 1e-3;
/** Minimum mean change (natural logarithm); the bits of steadier sound are noise. */
const minChange = 0.3;

export interface FingerprintWords {
  /** One per frame: signs of the band energy differences. */
  words: Uint32Array;
  /** `frames × wordBits`: absolute difference behind each bit. */
  reliability: Float32Array;
}

/**
 * Signs of band energy differences over time and frequency (Haitsma and Kalker, ISMIR 2002), robust against codecs, level
 * changes and equalisers. The first `reach` words are never active.
 */
export function toWords({ log, power, frames }: Bands): FingerprintWords {
  const words = new Uint32Array(frames);
  const reliability = new Float32Array(frames * wordBits);
  const threshold = quantile(power, 0.9) * minPowerRatio;
  for (let frame = reach; frame < frames; frame++) {
    const now = frame * bandCount;
    const then = (frame - reach) * bandCount;
    let word = 0;
    let change = 0;
    for (let bit = 0; bit < wordBits; bit++) {
      const step = (at: number) => (log[at + bit] as number) - (log[at + bit + 1] as number);
      const difference = step(now) - step(then);
      if (difference > 0) word |= 1 << bit;
      reliability[frame * wordBits + bit] = Math.abs(difference);
      change += Math.abs(difference);
    }
    const isLoud = (power[frame] as number) > threshold && (power[frame - reach] as number) > threshold;
    words[frame] = isLoud && change > minChange * wordBits ? word + activeBit : word;
  }
  return { words, reliability };
}

export const bitsOf = (word: number) => word & (2 ** wordBits - 1);
export const isActive = (word: number) => word >= activeBit;

/** Frames (256 ms) per stretch from which keys are chosen, so that every part can be found. */
const stretch = 8;
/** Number of least reliable bits that a query also flips. */
export const unreliableBits = 3;

/** The active frames of each stretch with the maxKeys reliable weakest bit, in order. */
export function selectReliableFrames({ words, reliability }: FingerprintWords, perStretch: number): number[] {
  const frames: number[] = [];
  for (let start = 0; start < words.length; start += stretch) {
    const active: Array<{ at: number; weakestBit: number }> = [];
    for (let at = start; at < Math.min(words.length, start + stretch); at++) {
      if (!isActive(words[at] as number)) continue;
      active.push({ at, weakestBit: Math.min(...reliability.subarray(at * wordBits, (at + 1) * wordBits)) });
    }
    const best = active.sort((a, b) => b.weakestBit - a.weakestBit).slice(0, perStretch);
    frames.push(...best.map(({ at }) => at).sort((a, b) => a - b));
  }
  return frames;
}

/** All variants of a word with its least reliable bits flipped. */
export function flipUnreliableBits({ words, reliability }: FingerprintWords, at: number): number[] {
  const unreliable = Array.from({ length: wordBits }, (_, bit) => bit)
    .sort((a, b) => (reliability[at * wordBits + a] as number) - (reliability[at * wordBits + b] as number))
    .slice(0, unreliableBits);
  const bits = bitsOf(words[at] as number);
  const keys = [bits];
  for (const bit of unreliable) keys.push(...keys.map((key) => key ^ (1 << bit)));
  return keys;
}
