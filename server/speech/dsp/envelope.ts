import { createEvenFft, createFft } from "./fft";
import { binCount, fftSize, hopSeconds, speechRate } from "./grid";
import { createNoise } from "./noise";

const unvoicedWindowHz = 400;
const lowestHz = 71;
const binHz = speechRate / fftSize;

/**
 * Natural log power spectra, `binCount` per frame, smoothed over harmonics
 * (the idea of CheapTrick: M. Morise, Speech Communication 67, 2015).
 */
export function spectralEnvelopes(samples: Float32Array, pitch: Float32Array): Float32Array {
  const envelopes = new Float32Array(pitch.length * binCount);
  const work = createWorkspace();
  for (let f = 0; f < pitch.length; f++) {
    const hz = (pitch[f] as number) > 0 ? Math.max(pitch[f] as number, lowestHz) : unvoicedWindowHz;
    windowSamples(work, samples, { centre: Math.round(f * hopSeconds * speechRate), hz });
    powerSpectrum(work, hz);
    smoothOverHarmonics(work, (2 / 3) * (hz / binHz));
    lifter(work, hz);
    envelopes.set(work.log, f * binCount);
  }
  return envelopes;
}

type Workspace = ReturnType<typeof createWorkspace>;

function createWorkspace() {
  return {
    fft: createFft(fftSize),
    evenFft: createEvenFft(fftSize),
    noise: createNoise(1),
    frame: new Float64Array(fftSize),
    re: new Float64Array(binCount),
    im: new Float64Array(binCount),
    power: new Float64Array(binCount),
    log: new Float64Array(binCount),
    sums: new Float64Array(binCount + 200),
  };
}

/** Three periods under a Hann window, mean removed, unit energy; a little noise keeps the log finite. */
function windowSamples(work: Workspace, samples: Float32Array, at: { centre: number; hz: number }) {
  const { frame, noise } = work;
  const half = Math.min(fftSize / 2 - 1, Math.round((1.5 * speechRate) / at.hz));
  const window = hannWindow(half);
  frame.fill(0, 2 * half + 1);
  let energy = 0;
  let weight = 0;
  let mean = 0;
  for (let i = 0; i <= 2 * half; i++) {
    const w = window[i] as number;
    const position = at.centre + i - half;
    const sample = position >= 0 && position < samples.length ? (samples[position] as number) : 0;
    const value = (sample + (noise.uniform() - 0.5) * 2e-6) * w;
    frame[i] = value;
    energy += w * w;
    weight += w;
    mean += value;
  }
  mean /= weight;
  const gain = 1 / Math.sqrt(energy);
  for (let i = 0; i <= 2 * half; i++) frame[i] = ((frame[i] as number) - mean * (window[i] as number)) * gain;
}

const windows = new Map<number, Float64Array>();

/** 2 × `half` + 1 values. */
function hannWindow(half: number): Float64Array {
  const shape = (_: unknown, i: number) => 0.5 + 0.5 * Math.cos((Math.PI * (i - half)) / (half + 0.5));
  const window = windows.get(half) ?? Float64Array.from({ length: 2 * half + 1 }, shape);
  windows.set(half, window);
  return window;
}

/** Adds mirrored energy below the pitch; otherwise the first formant of low voices is too weak. */
function powerSpectrum({ fft, frame, re, im, power, log }: Workspace, hz: number) {
  fft.forward(frame, re, im);
  for (let k = 0; k < binCount; k++) power[k] = (re[k] as number) ** 2 + (im[k] as number) ** 2;
  const pitchBin = hz / binHz;
  for (let k = 0; k < pitchBin; k++) {
    const mirror = pitchBin - k;
    const index = mirror | 0;
    const share = mirror - index;
    log[k] = (power[index] as number) * (1 - share) + (power[index + 1] as number) * share;
  }
  for (let k = 0; k < pitchBin; k++) power[k] = (power[k] as number) + (log[k] as number);
}

/** Moving average over `width` bins with mirrored edges, from running sums; writes its log to `log`. */
function smoothOverHarmonics({ power, sums, log }: Workspace, width: number) {
  const wide = Math.max(1, width);
  const pad = Math.ceil(wide / 2) + 2;
  let sum = 0;
  for (let i = 0; i < binCount + 2 * pad; i++) {
    let k = Math.abs(i - pad);
    if (k >= binCount) k = 2 * (binCount - 1) - k;
    sum += power[k] as number;
    sums[i + 1] = sum;
  }
  // The edges of the average lie between bins, at the same distances for every bin.
  const first = Math.floor(pad + 0.5 - wide / 2);
  const last = Math.floor(pad + 0.5 + wide / 2);
  const firstShare = pad + 0.5 - wide / 2 - first;
  const lastShare = pad + 0.5 + wide / 2 - last;
  for (let k = 0; k < binCount; k++) {
    const from = sums[k + first] as number;
    const to = sums[k + last] as number;
    const inside = to - from + ((sums[k + last + 1] as number) - to) * lastShare;
    const average = (inside - ((sums[k + first + 1] as number) - from) * firstShare) / wide;
    log[k] = Math.log(Math.max(average, 1e-14));
  }
}

/** Instead of a division for each bin of each frame. */
const reciprocals = Float64Array.from({ length: binCount }, (_, n) => 1 / n);

/** Lifters the log spectrum in `log` and compensates the moving average. */
function lifter({ evenFft, log }: Workspace, hz: number) {
  evenFft(log);
  const step = (Math.PI * hz) / speechRate;
  const cosine = Math.cos(step);
  const sine = Math.sin(step);
  let s = 0;
  let c = 1;
  log[0] = (log[0] as number) / fftSize;
  const scale = 1 / (step * fftSize);
  for (let n = 1; n < binCount; n++) {
    const next = s * cosine + c * sine;
    c = c * cosine - s * sine;
    s = next;
    log[n] = (log[n] as number) * s * (1 + 0.6 * s * s) * ((reciprocals[n] as number) * scale);
  }
  evenFft(log);
}
