import { createFft } from "./fft";
import { binCount, fftSize, hopSeconds, speechRate } from "./grid";
import { createNoise } from "./noise";

/** Frames to sound: `envelope` holds natural log power, `noiseShare` the noise part of voiced sound by bin. */
export interface Sound {
  pitch: Float32Array;
  envelope: Float32Array;
  noiseShare: Float64Array;
}

const noisePeriod = speechRate * 0.004;
/** Frames whose strongest bin is below this natural log power are silent. */
const silenceFloor = -26;

/** Minimum-phase synthesis with mixed excitation: one pulse per period, plus noise. */
export function synthesize(sound: Sound, sampleCount: number): Float32Array {
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

interface Workspace {
  fft: ReturnType<typeof createFft>;
  noise: ReturnType<typeof createNoise>;
  log: Float64Array;
  frame: Float64Array;
  re: Float64Array;
  im: Float64Array;
  noiseRe: Float64Array;
  noiseIm: Float64Array;
  pulseGain: { re: Float64Array; im: Float64Array };
  noiseGain: { re: Float64Array; im: Float64Array };
}

function createWorkspace(noiseShare: Float64Array): Workspace {
  const bins = () => new Float64Array(binCount);
  const workspace: Workspace = {
    fft: createFft(fftSize),
    noise: createNoise(7),
    log: bins(),
    frame: new Float64Array(fftSize),
    re: bins(),
    im: bins(),
    noiseRe: bins(),
    noiseIm: bins(),
    pulseGain: { re: bins(), im: bins() },
    noiseGain: { re: bins(), im: bins() },
  };
  const shape = (gain: { re: Float64Array; im: Float64Array }, logPower: (bin: number) => number) => {
    for (let k = 0; k < binCount; k++) workspace.log[k] = logPower(k);
    minimumPhase(workspace);
    for (let k = 0; k < binCount; k++) {
      const magnitude = Math.exp(workspace.re[k] as number);
      gain.re[k] = magnitude * Math.cos(workspace.im[k] as number);
      gain.im[k] = magnitude * Math.sin(workspace.im[k] as number);
    }
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

/** Writes the complex log spectrum of the minimum-phase response for the log power in `log` to `re` and `im`. */
function minimumPhase({ fft, log, frame, re, im }: Workspace) {
  for (let k = 0; k < binCount; k++) {
    const value = 0.5 * (log[k] as number);
    frame[k] = value;
    if (k > 0 && k < binCount - 1) frame[fftSize - k] = value;
  }
  fft.forward(frame, re, im);
  frame.fill(0);
  frame[0] = (re[0] as number) / fftSize;
  for (let n = 1; n < fftSize / 2; n++) frame[n] = (2 * (re[n] as number)) / fftSize;
  frame[fftSize / 2] = (re[fftSize / 2] as number) / fftSize;
  fft.forward(frame, re, im);
}

function addPeriod(out: Float32Array, workspace: Workspace, { t, period, voiced }: Period) {
  const { fft, noise, frame, re, im, noiseRe, noiseIm, pulseGain, noiseGain } = workspace;
  minimumPhase(workspace);
  const start = Math.floor(t);
  const noiseLength = Math.min(fftSize, Math.max(1, Math.ceil(t + period) - start));
  frame.fill(0);
  for (let i = 0; i < noiseLength; i++) frame[i] = noise.gauss();
  fft.forward(frame, noiseRe, noiseIm);
  // A linear phase shifts the pulse to its position between samples.
  const phaseStep = (-2 * Math.PI * (t - start)) / fftSize;
  const [stepRe, stepIm] = [Math.cos(phaseStep), Math.sin(phaseStep)];
  let [delayRe, delayIm] = [Math.sqrt(period), 0];
  for (let k = 0; k < binCount; k++) {
    const magnitude = Math.exp(re[k] as number);
    const hRe = magnitude * Math.cos(im[k] as number);
    const hIm = magnitude * Math.sin(im[k] as number);
    let [eRe, eIm] = [noiseRe[k] as number, noiseIm[k] as number];
    if (voiced) {
      const [nRe, nIm] = [noiseGain.re[k] as number, noiseGain.im[k] as number];
      const [pRe, pIm] = [pulseGain.re[k] as number, pulseGain.im[k] as number];
      const edge = k === 0 ? 0 : k === 1 ? 0.5 : 1;
      const shaped = eRe * nRe - eIm * nIm + edge * (pRe * delayRe - pIm * delayIm);
      eIm = eRe * nIm + eIm * nRe + edge * (pRe * delayIm + pIm * delayRe);
      eRe = shaped;
      const rotated = delayRe * stepRe - delayIm * stepIm;
      delayIm = delayRe * stepIm + delayIm * stepRe;
      delayRe = rotated;
    }
    re[k] = eRe * hRe - eIm * hIm;
    im[k] = eRe * hIm + eIm * hRe;
  }
  re[0] = 0;
  im[0] = 0;
  im[binCount - 1] = 0;
  fft.inverse(re, im, frame);
  const room = Math.min(fftSize, out.length - start);
  for (let i = 0; i < room; i++) out[start + i] = (out[start + i] as number) + (frame[i] as number);
}
