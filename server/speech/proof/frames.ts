import { createFft } from "../dsp/fft";
import { quantile, rms } from "../dsp/statistics";

/** Hz. All measures of a proof are taken at this rate. */
export const proofRate = 16_000;
const hop = 160;
const windowSize = 400;
const fftSize = 512;
const bins = fftSize / 2 + 1;
/** RMS that every recording is brought to. */
const commonLevel = 0.05;
const preEmphasis = 0.97;

/** Frames of 10 ms. */
export interface SpeechFrames {
  /** Natural log energies of the bands, one row a frame. */
  mel: Float64Array[];
  /** Semitones above 100 Hz; NaN where unvoiced. */
  pitch: number[];
  active: boolean[];
}

export interface MelBank {
  bands: number;
  lowestHz: number;
  highestHz: number;
  /** Vocal-tract ratio: the bands are read at frequency ÷ warp. */
  warp?: number;
}

/** The sound that all banks share: power spectra, pitch and activity. */
export interface ProofSound {
  spectra: Float64Array[];
  pitch: number[];
  active: boolean[];
}

const fft = createFft(fftSize);
const hamming = Float64Array.from(
  { length: windowSize },
  (_, i) => 0.54 - 0.46 * Math.cos((2 * Math.PI * i) / (windowSize - 1)),
);

/** Analyses mono samples at `proofRate`. */
export function analyseSound(samples: Float32Array): ProofSound {
  const count = Math.max(1, 1 + Math.floor((samples.length - windowSize) / hop));
  const scale = commonLevel / (rms(samples) + 1e-9);
  const [frame, re, im] = [new Float64Array(fftSize), new Float64Array(bins), new Float64Array(bins)];
  const sound: ProofSound = { spectra: [], pitch: [], active: [] };
  const levels: number[] = [];
  for (let f = 0; f < count; f++) {
    const start = f * hop;
    let energy = 0;
    for (let i = 0; i < windowSize; i++) {
      const value = samples[start + i] ?? 0;
      const before = start + i === 0 ? 0 : (samples[start + i - 1] ?? 0);
      energy += value * value;
      frame[i] = (value - preEmphasis * before) * scale * (hamming[i] as number);
    }
    fft.forward(frame, re, im);
    sound.spectra.push(re.map((value, k) => value * value + (im[k] as number) ** 2));
    sound.pitch.push(pitchAt(samples, start + windowSize / 2));
    levels.push(10 * Math.log10(energy / windowSize + 1e-12));
  }
  const [top, floor] = [quantile(levels, 0.95), quantile(levels, 0.1)];
  const gate = Math.max(top - 28, floor + Math.min(8, 0.35 * (top - floor)));
  sound.active = levels.map((level) => level > gate);
  return sound;
}

/** The sound through a bank of triangular mel filters. */
export function toFrames({ spectra, pitch, active }: ProofSound, bank: MelBank): SpeechFrames {
  const filters = melFilters(bank);
  const mel = spectra.map((spectrum) =>
    Float64Array.from(filters, (weights) => {
      let power = 1e-6;
      for (const [bin, weight] of weights) power += weight * (spectrum[bin] as number);
      return Math.log(power);
    }),
  );
  return { mel, pitch, active };
}

/** Slope of each column over five frames. */
export function slopesOf(rows: Float64Array[]): Float64Array[] {
  const at = (f: number) => rows[Math.max(0, Math.min(rows.length - 1, f))] as Float64Array;
  return rows.map((row, f) => {
    const [before, previous, next, after] = [at(f - 2), at(f - 1), at(f + 1), at(f + 2)];
    return row.map(
      (_, d) =>
        ((next[d] as number) - (previous[d] as number) + 2 * ((after[d] as number) - (before[d] as number))) / 10,
    );
  });
}

/** Per band: the bins and their weights. */
function melFilters({ bands, lowestHz, highestHz, warp = 1 }: MelBank): [number, number][][] {
  const toMel = (hz: number) => 1127 * Math.log(1 + hz / 700);
  const edge = (i: number) => toMel(lowestHz) + ((toMel(highestHz) - toMel(lowestHz)) * i) / (bands + 1);
  return Array.from({ length: bands }, (_, b) => {
    const weights: [number, number][] = [];
    for (let k = 0; k < bins; k++) {
      const mel = toMel((k * proofRate) / fftSize / warp);
      const rising = (mel - edge(b)) / (edge(b + 1) - edge(b));
      const weight = Math.min(rising, (edge(b + 2) - mel) / (edge(b + 2) - edge(b + 1)));
      if (weight > 0) weights.push([k, weight]);
    }
    return weights;
  });
}

const pitchWindow = 640;
const pitchFftSize = 2048;
/** 60–500 Hz. */
const [shortestLag, longestLag] = [32, 267];
const voicedLeast = 0.5;
const longLagPenalty = 0.0006;
const pitchFft = createFft(pitchFftSize);
const hann = Float64Array.from(
  { length: pitchWindow },
  (_, i) => 0.5 - 0.5 * Math.cos((2 * Math.PI * i) / (pitchWindow - 1)),
);
const taper = autocorrelation(hann).slice(0, longestLag);

/** The highest peak of the normalised autocorrelation, corrected for the window. */
function pitchAt(samples: Float32Array, centre: number): number {
  const from = centre - pitchWindow / 2;
  let mean = 0;
  for (let i = 0; i < pitchWindow; i++) mean += (samples[from + i] ?? 0) / pitchWindow;
  const windowed = hann.map((weight, i) => ((samples[from + i] ?? 0) - mean) * weight);
  const sums = autocorrelation(windowed);
  const energy = (sums[0] as number) + 1e-9;
  let [best, highest, lag] = [0, 0, 0];
  for (let l = shortestLag; l < longestLag; l++) {
    const value = (sums[l] as number) / energy / ((taper[l] as number) / (taper[0] as number));
    const weighted = value * (1 - longLagPenalty * l);
    if (weighted > highest) [best, highest, lag] = [value, weighted, l];
  }
  return best > voicedLeast ? 12 * Math.log2(proofRate / lag / 100) : Number.NaN;
}

function autocorrelation(values: Float64Array): Float64Array {
  const padded = new Float64Array(pitchFftSize);
  padded.set(values);
  const half = pitchFftSize / 2 + 1;
  const [re, im] = [new Float64Array(half), new Float64Array(half)];
  pitchFft.forward(padded, re, im);
  const power = re.map((value, k) => value * value + (im[k] as number) ** 2);
  const sums = new Float64Array(pitchFftSize);
  pitchFft.inverse(power, new Float64Array(half), sums);
  return sums;
}

const speechHz = { from: 300, to: 3400 };
const highHz = { from: 4200, to: 7000 };

/** Level of 4.2–7 kHz relative to 300–3400 Hz where something is said, dB: a telephone band has nothing there. */
export function measureHighBand({ spectra, active }: ProofSound): number {
  const spoken = spectra.filter((_, f) => active[f]);
  const levelOf = ({ from, to }: typeof speechHz) => {
    let sum = 0;
    let count = 0;
    for (const spectrum of spoken) {
      const hzPerBin = proofRate / 2 / (spectrum.length - 1);
      for (let k = Math.round(from / hzPerBin); k <= Math.round(to / hzPerBin); k++) {
        sum += spectrum[k] as number;
        count++;
      }
    }
    return 10 * Math.log10(sum / Math.max(1, count) + 1e-12);
  };
  return levelOf(highHz) - levelOf(speechHz);
}

/** Half a step of 16 bits above one. */
const leastAudible = 1.5 / 32_768;
/** Where speech begins and ends: silence around it may have been added by an editor. */
const leastSpoken = 0.003;
const leastSilenceSeconds = 0.04;

/**
 * The share of digital silence between the first and the last sound. A microphone hears the room in every pause; made
 * speech has none there.
 */
export function measureDigitalSilence({ samples, sampleRate }: { samples: Float32Array; sampleRate: number }): number {
  const isSpoken = (value: number) => Math.abs(value) > leastSpoken;
  const first = samples.findIndex(isSpoken);
  const last = samples.findLastIndex(isSpoken);
  if (first < 0) return 0;
  let silent = 0;
  let run = 0;
  for (let at = first; at <= last; at++) {
    if (Math.abs(samples[at] as number) < leastAudible) run++;
    else {
      if (run >= leastSilenceSeconds * sampleRate) silent += run;
      run = 0;
    }
  }
  return silent / Math.max(1, last - first);
}
