/** Milliseconds over which the gain moves ahead of a peak and after it. */
const reachMs = 4;
const oversampling = 4;
/** Taps of the interpolator between samples, on either side. */
const taps = 8;

/** Highest level of the wave, between samples too (four points a sample), as a share of full scale. */
export function measurePeak(samples: Float32Array): number {
  let peak = samples.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
  const near = peak * 0.7;
  for (let i = 1; i < samples.length; i++) {
    if (Math.abs(samples[i] as number) < near && Math.abs(samples[i - 1] as number) < near) continue;
    for (let step = 1; step < oversampling; step++) {
      peak = Math.max(peak, Math.abs(between(samples, i - 1, step / oversampling)));
    }
  }
  return peak;
}

function between(samples: Float32Array, index: number, share: number): number {
  let sum = 0;
  for (let j = index - taps + 1; j <= index + taps; j++) {
    const distance = j - index - share;
    const angle = Math.PI * distance;
    const window = 0.5 + 0.5 * Math.cos(angle / (taps + 1));
    sum += (samples[j] ?? 0) * (Math.sin(angle) / angle) * window;
  }
  return sum;
}

const blockSamples = 65_536;

/** Turns peaks down to `ceiling`, gently before and after them; everything lower is left as it is. In place, block by block. */
export function limit(samples: Float32Array, sampleRate: number, ceiling: number): void {
  const reach = Math.max(1, Math.round((reachMs / 1000) * sampleRate));
  const gain = new Float32Array(blockSamples);
  /** The last samples of the block before, as they were. */
  let before = new Float32Array(0);
  for (let from = 0; from < samples.length; from += blockSamples) {
    const to = Math.min(samples.length, from + blockSamples);
    const around = { before, from, to, reach };
    const isOver = fillGain(gain, samples, { ...around, ceiling });
    before = samples.slice(Math.max(0, to - reach), to);
    if (isOver) for (let i = from; i < to; i++) samples[i] = (samples[i] as number) * (gain[i - from] as number);
  }
}

interface Block {
  before: Float32Array;
  from: number;
  to: number;
  reach: number;
  ceiling: number;
}

/** The gain of each sample of a block, for the peaks in it and around it; false where there is none. */
function fillGain(gain: Float32Array, samples: Float32Array, { before, from, to, reach, ceiling }: Block): boolean {
  gain.fill(1);
  let isOver = false;
  const last = Math.min(samples.length, to + reach);
  for (let i = Math.max(0, from - reach); i < last; i++) {
    const level = Math.abs((i < from ? before[i - from + before.length] : samples[i]) as number);
    if (level <= ceiling) continue;
    isOver = true;
    for (let j = Math.max(from, i - reach); j <= Math.min(to - 1, i + reach); j++) {
      const slope = 0.5 + 0.5 * Math.cos((Math.PI * (j - i)) / (reach + 1));
      gain[j - from] = Math.min(gain[j - from] as number, 1 - (1 - ceiling / level) * slope);
    }
  }
  return isOver;
}
