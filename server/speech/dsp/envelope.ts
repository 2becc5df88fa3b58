import { createFft } from "./fft";
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
    measurePower(work, hz);
    smoothOverHarmonics(work, Math.max(1, (2 / 3) * (hz / binHz)));
    lifter(work, hz);
    envelopes.set(work.log, f * binCount);
  }
  return envelopes;
}

type Workspace = ReturnType<typeof createWorkspace>;

function createWorkspace() {
  return {
    fft: createFft(fftSize),
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
function windowSamples({ frame, noise }: Workspace, samples: Float32Array, at: { centre: number; hz: number }) {
  const half = Math.min(fftSize / 2 - 1, Math.round((1.5 * speechRate) / at.hz));
  const window = Float64Array.from(
    { length: 2 * half + 1 },
    (_, i) => 0.5 + 0.5 * Math.cos((Math.PI * (i - half)) / (half + 0.5)),
  );
  frame.fill(0);
  let [energy, weight, mean] = [0, 0, 0];
  for (const [i, w] of window.entries()) {
    const sample = samples[at.centre + i - half] ?? 0;
    const value = (sample + (noise.uniform() - 0.5) * 2e-6) * w;
    frame[i] = value;
    energy += w * w;
    weight += w;
    mean += value;
  }
  mean /= weight;
  const gain = 1 / Math.sqrt(energy);
  for (const [i, w] of window.entries()) frame[i] = ((frame[i] as number) - mean * w) * gain;
}

/** Adds mirrored energy below the pitch; otherwise the first formant of low voices is too weak. */
function measurePower({ fft, frame, re, im, power }: Workspace, hz: number) {
  fft.forward(frame, re, im);
  for (let k = 0; k < binCount; k++) power[k] = (re[k] as number) ** 2 + (im[k] as number) ** 2;
  const pitchBin = hz / binHz;
  const measured = power.slice(0, Math.ceil(pitchBin) + 2);
  for (let k = 0; k < pitchBin; k++) {
    const mirror = pitchBin - k;
    const index = Math.floor(mirror);
    const left = measured[index] as number;
    power[k] = (power[k] as number) + left + ((measured[index + 1] as number) - left) * (mirror - index);
  }
}

/** Moving average over `width` bins with mirrored edges, from running sums; writes its log to `log`. */
function smoothOverHarmonics({ power, sums, log }: Workspace, width: number) {
  const pad = Math.ceil(width / 2) + 2;
  let sum = 0;
  for (let i = 0; i < binCount + 2 * pad; i++) {
    let k = Math.abs(i - pad);
    if (k >= binCount) k = 2 * (binCount - 1) - k;
    sum += power[k] as number;
    sums[i + 1] = sum;
  }
  const sumTo = (place: number) => {
    const index = Math.floor(place);
    const before = sums[index] as number;
    return before + ((sums[index + 1] as number) - before) * (place - index);
  };
  for (let k = 0; k < binCount; k++) {
    const centre = k + pad + 0.5;
    const average = (sumTo(centre + width / 2) - sumTo(centre - width / 2)) / width;
    log[k] = Math.log(Math.max(average, 1e-14));
  }
}

/** Lifters the log spectrum in `log` and compensates the moving average. */
function lifter({ fft, frame, im, log }: Workspace, hz: number) {
  fft.inverse(log, im.fill(0), frame);
  for (let n = 1; n < binCount; n++) {
    const angle = (Math.PI * hz * n) / speechRate;
    const sine = Math.sin(angle);
    const weight = (sine / angle) * (1 + 0.6 * sine * sine);
    frame[n] = (frame[n] as number) * weight;
    if (n < fftSize / 2) frame[fftSize - n] = frame[n] as number;
  }
  fft.forward(frame, log, im);
}
