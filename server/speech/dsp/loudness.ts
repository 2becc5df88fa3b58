import { mean } from "./statistics";

/** Loudness as ITU-R BS.1770-4 measures it, mono. */
interface Biquad {
  b: readonly [number, number, number];
  a: readonly [number, number];
}

const stepSeconds = 0.1;
/** Blocks of four steps overlap by three. */
const stepsPerBlock = 4;
const absoluteGate = -70;
const relativeGate = -10;

/**
 * Integrated, gated loudness in LUFS; −Infinity for silence. Audio shorter than one block is measured as a whole.
 */
export function measureLoudness(samples: ArrayLike<number>, sampleRate: number): number {
  const blocks = blockPowers(samples, sampleRate);
  const loud = blocks.filter((power) => toLufs(power) > absoluteGate);
  const gate = toLufs(mean(loud)) + relativeGate;
  return toLufs(mean(loud.filter((power) => toLufs(power) > gate)));
}

const toLufs = (power: number) => -0.691 + 10 * Math.log10(power);

function blockPowers(samples: ArrayLike<number>, sampleRate: number): number[] {
  const step = Math.round(stepSeconds * sampleRate);
  const steps = stepEnergies(samples, sampleRate, step);
  if (samples.length < step * stepsPerBlock) {
    return samples.length === 0 ? [] : [steps.reduce((sum, energy) => sum + energy, 0) / samples.length];
  }
  const powers: number[] = [];
  const whole = Math.floor(samples.length / step);
  for (let first = 0; first + stepsPerBlock <= whole; first++) {
    const sum = steps.slice(first, first + stepsPerBlock).reduce((total, energy) => total + energy, 0);
    powers.push(sum / (step * stepsPerBlock));
  }
  return powers;
}

/** K-weighted energy per step: head shelf, then high-pass. */
function stepEnergies(samples: ArrayLike<number>, sampleRate: number, step: number): number[] {
  const shelved = createFilter(shelf(sampleRate));
  const passed = createFilter(highPass(sampleRate));
  const energies: number[] = [];
  for (let from = 0; from < samples.length; from += step) {
    let sum = 0;
    const to = Math.min(samples.length, from + step);
    for (let i = from; i < to; i++) sum += passed(shelved(samples[i] as number)) ** 2;
    energies.push(sum);
  }
  return energies;
}

/** Analogue prototypes of the coefficients that the standard gives for 48 kHz. */
function shelf(sampleRate: number): Biquad {
  const k = Math.tan((Math.PI * 1681.974450955533) / sampleRate);
  const q = 0.7071752369554196;
  const high = 10 ** (3.999843853973347 / 20);
  const band = high ** 0.4996667741545416;
  const a0 = 1 + k / q + k * k;
  return {
    b: [(high + (band * k) / q + k * k) / a0, (2 * (k * k - high)) / a0, (high - (band * k) / q + k * k) / a0],
    a: [(2 * (k * k - 1)) / a0, (1 - k / q + k * k) / a0],
  };
}

function highPass(sampleRate: number): Biquad {
  const k = Math.tan((Math.PI * 38.13547087602444) / sampleRate);
  const q = 0.5003270373238773;
  const a0 = 1 + k / q + k * k;
  return { b: [1, -2, 1], a: [(2 * (k * k - 1)) / a0, (1 - k / q + k * k) / a0] };
}

function createFilter({ b, a }: Biquad): (sample: number) => number {
  let [x1, x2, y1, y2] = [0, 0, 0, 0];
  return (x) => {
    const y = b[0] * x + b[1] * x1 + b[2] * x2 - a[0] * y1 - a[1] * y2;
    x2 = x1;
    x1 = x;
    y2 = y1;
    y1 = y;
    return y;
  };
}
