/** Attack and release time in milliseconds. */
const reachMs = 4;
const oversampling = 4;
/** Interpolator taps on either side. */
const taps = 8;

/** True peak with fourfold oversampling, as a share of full scale. */
export function measurePeak(samples: Float32Array): number {
  let peak = samples.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
  const near = peak * 0.7;
  for (let i = 1; i < samples.length; i++) {
    if (Math.abs(samples[i] as number) < near && Math.abs(samples[i - 1] as number) < near) continue;
    for (let step = 1; step < oversampling; step++) {
      peak = Math.max(peak, Math.abs(interpolate(samples, i - 1, step / oversampling)));
    }
  }
  return peak;
}

function interpolate(samples: Float32Array, index: number, share: number): number {
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

/** Look-ahead limiter, in place: attenuates peaks to `ceiling`; other samples are unchanged. */
export function limit(samples: Float32Array, sampleRate: number, ceiling: number): void {
  const lookAhead = Math.max(1, Math.round((reachMs / 1000) * sampleRate));
  const gain = new Float32Array(blockSamples);
  /** Unlimited last samples of the previous block. */
  let before = new Float32Array(0);
  for (let from = 0; from < samples.length; from += blockSamples) {
    const to = Math.min(samples.length, from + blockSamples);
    const around = { before, from, to, lookAhead };
    const hasPeak = fillGain(gain, samples, { ...around, ceiling });
    before = samples.slice(Math.max(0, to - lookAhead), to);
    if (hasPeak) for (let i = from; i < to; i++) samples[i] = (samples[i] as number) * (gain[i - from] as number);
  }
}

interface Block {
  before: Float32Array;
  from: number;
  to: number;
  lookAhead: number;
  ceiling: number;
}

/** Computes the gain of each sample of a block; false if no peak affects it. */
function fillGain(gain: Float32Array, samples: Float32Array, { before, from, to, lookAhead, ceiling }: Block): boolean {
  gain.fill(1);
  let hasPeak = false;
  const last = Math.min(samples.length, to + lookAhead);
  for (let i = Math.max(0, from - lookAhead); i < last; i++) {
    const level = Math.abs((i < from ? before[i - from + before.length] : samples[i]) as number);
    if (level <= ceiling) continue;
    hasPeak = true;
    for (let j = Math.max(from, i - lookAhead); j <= Math.min(to - 1, i + lookAhead); j++) {
      const slope = 0.5 + 0.5 * Math.cos((Math.PI * (j - i)) / (lookAhead + 1));
      gain[j - from] = Math.min(gain[j - from] as number, 1 - (1 - ceiling / level) * slope);
    }
  }
  return hasPeak;
}
