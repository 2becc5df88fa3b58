import { createFft } from "./fft";
import { binCount, fftSize, hopSeconds, speechRate } from "./grid";
import { createNoise } from "./noise";

/** Frames to sound: `envelope` holds natural log power, `noiseShare` the noise part of voiced sound by bin. */
export interface SynthesisInput {
  pitch: Float32Array;
  envelope: Float32Array;
  noiseShare: Float64Array;
}

const noisePeriod = speechRate * 0.004;
/** Frames whose strongest bin is below this natural log power are silent. */
const silenceFloor = -26;

/** Minimum-phase synthesis with mixed excitation: one pulse per period, plus noise. */
export function synthesize(sound: SynthesisInput, sampleCount: number): Float32Array {
  const out = new Float32Array(sampleCount + 2 * fftSize);
  const workspace = createWorkspace(sound.noiseShare);
  const { pitch, envelope } = sound;
  const frames = pitch.length;
  let t = 0;
  while (t < sampleCount) {
    const place = t / speechRate / hopSeconds;
    const left = Math.min(frames - 1, place | 0);
    const right = Math.min(frames - 1, left + 1);
    const share = place - left;
    const frameHz = (share < 0.5 ? pitch[left] : pitch[right]) as number;
    const [a, b] = [pitch[left] as number, pitch[right] as number];
    const period = frameHz > 0 ? speechRate / (a > 0 && b > 0 ? a * (1 - share) + b * share : frameHz) : noisePeriod;
    if (interpolateFrame(envelope, { left, right, share }, workspace.log) > silenceFloor) {
      addPeriod(out, workspace, { t, period, voiced: frameHz > 0 });
    }
    t += period;
  }
  return out.subarray(0, sampleCount);
}

interface Period {
  t: number;
  period: number;
  voiced: boolean;
}

interface Gain {
  re: Float64Array;
  im: Float64Array;
}

type Workspace = ReturnType<typeof createWorkspace>;

function createWorkspace(noiseShare: Float64Array) {
  const bins = () => new Float64Array(binCount);
  const workspace = {
    fft: createFft(fftSize),
    /** The same in every sound. */
    noise: createNoise(7),
    log: bins(),
    frame: new Float64Array(fftSize),
    /** Response of the vocal tract, then the spectrum of the period. */
    re: bins(),
    im: bins(),
    noiseRe: bins(),
    noiseIm: bins(),
    pulseGain: { re: bins(), im: bins() },
    noiseGain: { re: bins(), im: bins() },
  };
  const shape = (gain: Gain, logPower: (bin: number) => number) => {
    for (let k = 0; k < binCount; k++) workspace.log[k] = logPower(k);
    minimumPhase(workspace, gain);
  };
  shape(workspace.pulseGain, (k) => Math.log(1 - (noiseShare[k] as number)));
  shape(workspace.noiseGain, (k) => Math.log(noiseShare[k] as number));
  return workspace;
}

function interpolateFrame(
  envelope: Float32Array,
  { left, right, share }: { left: number; right: number; share: number },
  into: Float64Array,
): number {
  const a = left * binCount;
  const b = right * binCount;
  let strongest = Number.NEGATIVE_INFINITY;
  for (let k = 0; k < binCount; k++) {
    const value = (envelope[a + k] as number) * (1 - share) + (envelope[b + k] as number) * share;
    into[k] = value;
    if (value > strongest) strongest = value;
  }
  return strongest;
}

/**
 * Writes the spectrum of the minimum-phase response for the log power in `log`. Its phase is the Hilbert transform of the
 * log magnitude: the cepstrum is folded onto positive times.
 */
function minimumPhase({ fft, frame, log }: Workspace, { re, im }: Gain) {
  for (let k = 0; k < binCount; k++) re[k] = 0.5 * (log[k] as number);
  fft.inverse(re, im.fill(0), frame);
  for (let n = 1; n < fftSize / 2; n++) {
    frame[n] = 2 * (frame[n] as number);
    frame[fftSize - n] = 0;
  }
  fft.forward(frame, re, im);
  for (let k = 0; k < binCount; k++) {
    const magnitude = Math.exp(re[k] as number);
    const phase = im[k] as number;
    re[k] = magnitude * Math.cos(phase);
    im[k] = magnitude * Math.sin(phase);
  }
}

function addPeriod(out: Float32Array, workspace: Workspace, { t, period, voiced }: Period) {
  const { fft, noise, frame, re, im, noiseRe, noiseIm } = workspace;
  minimumPhase(workspace, workspace);
  const start = Math.floor(t);
  const noiseLength = Math.min(fftSize, Math.max(1, Math.ceil(t + period) - start));
  frame.fill(0, noiseLength);
  for (let i = 0; i < noiseLength; i++) frame[i] = noise.gauss();
  fft.forward(frame, noiseRe, noiseIm);
  if (voiced) addPulse(workspace, Math.sqrt(period), t - start);
  for (let k = 1; k < binCount; k++) {
    const real = re[k] as number;
    const imaginary = im[k] as number;
    re[k] = (noiseRe[k] as number) * real - (noiseIm[k] as number) * imaginary;
    im[k] = (noiseRe[k] as number) * imaginary + (noiseIm[k] as number) * real;
  }
  re[0] = 0;
  im[0] = 0;
  im[binCount - 1] = 0;
  fft.inverse(re, im, frame);
  const room = Math.min(fftSize, out.length - start);
  for (let i = 0; i < room; i++) out[start + i] = (out[start + i] as number) + (frame[i] as number);
}

/** Shapes the noise and adds a pulse; a linear phase shifts it by `delay`, its position between samples. */
function addPulse({ noiseRe, noiseIm, pulseGain, noiseGain }: Workspace, strength: number, delay: number) {
  for (let k = 1; k < binCount; k++) {
    const phase = (-2 * Math.PI * delay * k) / fftSize;
    const [delayRe, delayIm] = [strength * Math.cos(phase), strength * Math.sin(phase)];
    const edge = k === 1 ? 0.5 : 1;
    const pulseRe = edge * (pulseGain.re[k] as number);
    const pulseIm = edge * (pulseGain.im[k] as number);
    const gainRe = noiseGain.re[k] as number;
    const gainIm = noiseGain.im[k] as number;
    const real = noiseRe[k] as number;
    const imaginary = noiseIm[k] as number;
    noiseRe[k] = real * gainRe - imaginary * gainIm + pulseRe * delayRe - pulseIm * delayIm;
    noiseIm[k] = real * gainIm + imaginary * gainRe + pulseRe * delayIm + pulseIm * delayRe;
  }
}
