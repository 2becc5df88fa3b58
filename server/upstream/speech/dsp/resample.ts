const tableSteps = 512;
const lobes = 24;

/** Windowed-sinc resampling of mono samples; band-limited to 95 % of the lower Nyquist frequency. */
export function resample(samples: ArrayLike<number>, fromRate: number, toRate: number): Float32Array {
  if (fromRate === toRate) return Float32Array.from(samples);
  const ratio = toRate / fromRate;
  const cutoff = Math.min(1, ratio) * 0.95;
  const reach = Math.ceil(lobes / Math.min(1, ratio));
  const table = sincTable(cutoff, reach);
  const resampled = new Float32Array(Math.floor(samples.length * ratio));
  const limit = reach * tableSteps;
  for (let i = 0; i < resampled.length; i++) {
    const position = i / ratio;
    const centre = Math.floor(position);
    const first = Math.max(0, centre - reach + 1);
    const last = Math.min(samples.length - 1, centre + reach);
    let sum = 0;
    for (let j = first; j <= last; j++) {
      const step = Math.abs(position - j) * tableSteps;
      const index = step | 0;
      if (index >= limit) continue;
      const left = table[index] as number;
      sum += (samples[j] as number) * (left + ((table[index + 1] as number) - left) * (step - index));
    }
    resampled[i] = sum;
  }
  return resampled;
}

function sincTable(cutoff: number, reach: number): Float64Array {
  const table = new Float64Array(reach * tableSteps + 2);
  for (let i = 0; i < table.length; i++) {
    const t = i / tableSteps;
    if (t >= reach) continue;
    const sinc = t === 0 ? cutoff : Math.sin(Math.PI * cutoff * t) / (Math.PI * t);
    const blackman = 0.42 + 0.5 * Math.cos((Math.PI * t) / reach) + 0.08 * Math.cos((2 * Math.PI * t) / reach);
    table[i] = sinc * blackman;
  }
  return table;
}
