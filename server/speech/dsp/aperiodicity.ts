import { createFft, type RealFft } from "./fft";
import { binCount, fftSize, hopSeconds, speechRate } from "./grid";

/** Hz. */
const bands = [
  [0, 1000],
  [1000, 2000],
  [2000, 3500],
  [3500, 5500],
  [5500, 8000],
  [8000, 11025],
] as const;
export const bandCount = bands.length;
const edgeHz = 120;
/** Above this frequency harmonics overlap, so energy envelopes are correlated instead of waveforms. */
const energyFromHz = 3000;
/** The size of a transform: blocks of 8 s were padded to 2^18 samples. */
const blockSamples = 2 ** 16;
/** Frames at both ends of a block that only surround the measured ones. */
const marginFrames = 16;

/** Aperiodic share of power (0–1) of each band, averaged over the voiced frames that `isIncluded` accepts. */
export function bandAperiodicity(
  samples: Float32Array,
  pitch: Float32Array,
  isIncluded: (frame: number) => boolean,
): Float64Array {
  const sums = new Float64Array(bandCount);
  let frames = 0;
  const fft = createFft(blockSamples);
  const framesPerBlock = Math.floor(blockSamples / speechRate / hopSeconds) - 2 * marginFrames;
  for (let first = 0; first < pitch.length; first += framesPerBlock) {
    const from = Math.max(0, first - marginFrames);
    const start = Math.round(from * hopSeconds * speechRate);
    const block = samples.subarray(start, start + blockSamples);
    const end = Math.min(pitch.length, first + framesPerBlock);
    const frameList: number[] = [];
    for (let f = first; f < end; f++) if ((pitch[f] as number) > 0 && isIncluded(f)) frameList.push(f);
    frames += frameList.length;
    if (frameList.length === 0 || block.length < speechRate / 20) continue;
    const signals = splitBands(block, fft);
    signals.forEach((signal, b) => {
      const isCentred = bands[b as 0][0] >= energyFromHz;
      for (const f of frameList) {
        const noise = noiseAt(signal, { hz: pitch[f] as number, frame: f - from, isCentred, length: block.length });
        sums[b] = (sums[b] as number) + noise;
      }
    });
  }
  return sums.map((sum) => (frames > 0 ? sum / frames : 0.2));
}

function splitBands(block: Float32Array, fft: RealFft): Float64Array[] {
  const { size } = fft;
  const half = size / 2 + 1;
  const padded = new Float64Array(size);
  padded.set(block);
  const re = new Float64Array(half);
  const im = new Float64Array(half);
  fft.forward(padded, re, im);
  return bands.map(([low, high]) => {
    const signal = new Float64Array(size);
    const keptRe = new Float64Array(half);
    const keptIm = new Float64Array(half);
    for (let k = 0; k < half; k++) {
      const gain = bandGain((k * speechRate) / size, low, high);
      keptRe[k] = (re[k] as number) * gain;
      keptIm[k] = (im[k] as number) * gain;
    }
    fft.inverse(keptRe, keptIm, signal);
    return low >= energyFromHz ? energyEnvelope(signal) : signal;
  });
}

function bandGain(hz: number, low: number, high: number): number {
  if (hz < low - edgeHz || hz > high + edgeHz) return 0;
  if (hz < low + edgeHz && low > 0) return 0.5 - 0.5 * Math.cos((Math.PI * (hz - low + edgeHz)) / (2 * edgeHz));
  if (hz > high - edgeHz) return 0.5 + 0.5 * Math.cos((Math.PI * (hz - high + edgeHz)) / (2 * edgeHz));
  return 1;
}

/** Rectified and smoothed forwards and backwards (zero phase). */
function energyEnvelope(signal: Float64Array): Float64Array {
  const decay = Math.exp((-2 * Math.PI * 900) / speechRate);
  for (let pass = 0; pass < 2; pass++) {
    let level = 0;
    for (let i = 0; i < signal.length; i++) {
      level = decay * level + (1 - decay) * Math.abs(signal[i] as number);
      signal[i] = level;
    }
    signal.reverse();
  }
  return signal;
}

interface Place {
  hz: number;
  frame: number;
  isCentred: boolean;
  length: number;
}

/** One minus the best autocorrelation near one period. */
function noiseAt(signal: Float64Array, { hz, frame, isCentred, length }: Place): number {
  const period = speechRate / hz;
  const width = Math.round(Math.max(period * 1.5, 0.012 * speechRate));
  const centre = Math.round(frame * hopSeconds * speechRate);
  let best = 0;
  for (let shift = -2; shift <= 2; shift++) {
    const lag = Math.round(period) + shift;
    const from = centre - ((width + lag) >> 1);
    if (from < 0 || from + width + lag >= length) continue;
    const meanA = isCentred ? mean(signal, from, width) : 0;
    const meanB = isCentred ? mean(signal, from + lag, width) : 0;
    let [ab, aa, bb] = [0, 1e-12, 1e-12];
    for (let j = from; j < from + width; j++) {
      const a = (signal[j] as number) - meanA;
      const b = (signal[j + lag] as number) - meanB;
      ab += a * b;
      aa += a * a;
      bb += b * b;
    }
    best = Math.max(best, ab / Math.sqrt(aa * bb));
  }
  return 1 - best;
}

function mean(signal: Float64Array, from: number, width: number): number {
  let sum = 0;
  for (let j = from; j < from + width; j++) sum += signal[j] as number;
  return sum / width;
}

/** Noise share by bin, interpolated between band centres. */
export function noiseShareByBin(shares: ArrayLike<number>): Float64Array {
  const centres = bands.map(([low, high]) => (low + high) / 2);
  const curve = new Float64Array(binCount);
  for (let k = 0; k < binCount; k++) {
    const hz = (k * speechRate) / fftSize;
    let b = 0;
    while (b < bandCount - 2 && hz > (centres[b + 1] as number)) b++;
    const [from, to] = [centres[b] as number, centres[b + 1] as number];
    const share = Math.min(1, Math.max(0, (hz - from) / (to - from)));
    const value = (shares[b] as number) * (1 - share) + (shares[b + 1] as number) * share;
    curve[k] = Math.min(0.999, Math.max(0.001, value));
  }
  return curve;
}
