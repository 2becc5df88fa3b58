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

/** Turns peaks down to `ceiling`, gently before and after them; everything lower is left as it is. In place. */
export function limit(samples: Float32Array, sampleRate: number, ceiling: number): void {
  const reach = Math.max(1, Math.round((reachMs / 1000) * sampleRate));
  const over: number[] = [];
  for (let i = 0; i < samples.length; i++) if (Math.abs(samples[i] as number) > ceiling) over.push(i);
  if (over.length === 0) return;
  const gain = new Float32Array(samples.length).fill(1);
  for (const i of over) {
    const wanted = ceiling / Math.abs(samples[i] as number);
    const [from, to] = [Math.max(0, i - reach), Math.min(samples.length - 1, i + reach)];
    for (let j = from; j <= to; j++) {
      const slope = 0.5 + 0.5 * Math.cos((Math.PI * (j - i)) / (reach + 1));
      gain[j] = Math.min(gain[j] as number, 1 - (1 - wanted) * slope);
    }
  }
  for (let i = 0; i < samples.length; i++) samples[i] = (samples[i] as number) * (gain[i] as number);
}
