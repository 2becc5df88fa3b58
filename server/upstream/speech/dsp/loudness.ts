/** Loudness as ITU-R BS.1770-4 measures it, mono. */
interface Biquad {
  b: readonly [number, number, number];
  a: readonly [number, number];
}

const blockSeconds = 0.4;
const stepSeconds = 0.1;
const absoluteGate = -70;
const relativeGate = -10;

/** Integrated loudness in LUFS, gated; −Infinity for silence. Sound shorter than one block is measured whole. */
export function measureLoudness(samples: ArrayLike<number>, sampleRate: number): number {
  const blocks = blockPowers(weigh(samples, sampleRate), sampleRate);
  const loud = blocks.filter((power) => toLufs(power) > absoluteGate);
  const gate = toLufs(mean(loud)) + relativeGate;
  return toLufs(mean(loud.filter((power) => toLufs(power) > gate)));
}

const toLufs = (power: number) => -0.691 + 10 * Math.log10(power);
const mean = (values: number[]) => (values.length === 0 ? 0 : values.reduce((sum, v) => sum + v, 0) / values.length);

function blockPowers(weighted: Float64Array, sampleRate: number): number[] {
  const step = Math.round(stepSeconds * sampleRate);
  const block = Math.min(weighted.length, Math.round(blockSeconds * sampleRate));
  const powers: number[] = [];
  for (let start = 0; start + block <= weighted.length && block > 0; start += step) {
    let sum = 0;
    for (let i = start; i < start + block; i++) sum += (weighted[i] as number) ** 2;
    powers.push(sum / block);
  }
  return powers;
}

/** K-weighting: a shelf for the head, then a high-pass. */
function weigh(samples: ArrayLike<number>, sampleRate: number): Float64Array {
  return filter(filter(Float64Array.from(samples), shelf(sampleRate)), highPass(sampleRate));
}

/** The standard gives coefficients for 48 kHz; these are the analogue prototypes behind them, for any rate. */
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

function filter(samples: Float64Array, { b, a }: Biquad): Float64Array {
  let [x1, x2, y1, y2] = [0, 0, 0, 0];
  for (let i = 0; i < samples.length; i++) {
    const x = samples[i] as number;
    const y = b[0] * x + b[1] * x1 + b[2] * x2 - a[0] * y1 - a[1] * y2;
    [x2, x1, y2, y1] = [x1, x, y1, y];
    samples[i] = y;
  }
  return samples;
}
