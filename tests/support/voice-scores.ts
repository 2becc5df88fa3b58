/** Pitch and long-term spectrum of recordings, by features (25 ms windows, 26 mel bands) independent of the engine. */
import { createFft } from "../../server/speech/dsp/fft";
import { trackPitch } from "../../server/speech/dsp/pitch";
import { findPitchRange, type PitchRange } from "../../server/speech/dsp/pitch-range";

const sampleRate = 22_050;
const windowSize = Math.round(0.025 * sampleRate);
const hop = Math.round(0.01 * sampleRate);
const fftSize = 1024;
const bands = 26;
const range = [60, 7400] as const;
const activeDb = 35;

interface Frame {
  logMel: Float64Array;
  energy: number;
}

interface VoiceFeatures {
  frames: Frame[];
  pitch: PitchRange;
}

export function voiceFeatures(samples: Float32Array): VoiceFeatures {
  const pitch = findPitchRange(trackPitch(samples));
  if (!pitch) throw new Error("No voice in the sound");
  const frames = frameFeatures(samples);
  const loudest = Math.max(...frames.map(({ energy }) => energy));
  return { frames: frames.filter(({ energy }) => energy > loudest * 10 ** (-activeDb / 10)), pitch };
}

const toMel = (hz: number) => 1127 * Math.log(1 + hz / 700);
const fromMel = (mel: number) => 700 * (Math.exp(mel / 1127) - 1);

const bank = Array.from({ length: bands }, (_, band) => {
  const [low, high] = [toMel(range[0]), toMel(range[1])];
  const edge = (i: number) => (fromMel(low + ((high - low) * i) / (bands + 1)) / sampleRate) * fftSize;
  const [left, centre, right] = [edge(band), edge(band + 1), edge(band + 2)];
  const weights: Array<[number, number]> = [];
  for (let k = Math.ceil(left); k <= Math.floor(right); k++) {
    const weight = k < centre ? (k - left) / (centre - left) : (right - k) / (right - centre);
    if (weight > 0) weights.push([k, weight]);
  }
  return weights.length > 0 ? weights : [[Math.round(centre), 1] as [number, number]];
});

/** Features of all frames, 10 ms apart. */
function frameFeatures(samples: Float32Array): Frame[] {
  const fft = createFft(fftSize);
  const padded = new Float64Array(fftSize);
  const [re, im] = [new Float64Array(fftSize / 2 + 1), new Float64Array(fftSize / 2 + 1)];
  const frames: Frame[] = [];
  for (let start = 0; start + windowSize <= samples.length; start += hop) {
    let energy = 0;
    for (let i = 0; i < windowSize; i++) {
      const value = samples[start + i] as number;
      energy += value * value;
      padded[i] = value * (0.5 - 0.5 * Math.cos((2 * Math.PI * (i + 0.5)) / windowSize));
    }
    fft.forward(padded, re, im);
    const logMel = Float64Array.from(bank, (weights) =>
      Math.log(weights.reduce((sum, [k, w]) => sum + w * ((re[k] as number) ** 2 + (im[k] as number) ** 2), 1e-9)),
    );
    frames.push({ logMel, energy: energy / windowSize });
  }
  return frames;
}

/** Root mean square difference of long-term average spectra over 24 mel bands, level aside, in dB. */
export function spectrumError(a: VoiceFeatures, b: VoiceFeatures): number {
  const [x, y] = [longTermSpectrum(a), longTermSpectrum(b)];
  let sum = 0;
  for (let band = 1; band <= 24; band++) sum += ((x[band] as number) - (y[band] as number)) ** 2;
  return Math.sqrt(sum / 24);
}

function longTermSpectrum({ frames }: VoiceFeatures): Float64Array {
  const power = new Float64Array(bands);
  for (const { logMel } of frames) {
    for (let b = 0; b < bands; b++) power[b] = (power[b] as number) + Math.exp(logMel[b] as number);
  }
  const db = power.map((sum) => 10 * Math.log10(sum / frames.length));
  const level = db.reduce((sum, value) => sum + value, 0) / bands;
  return db.map((value) => value - level);
}
