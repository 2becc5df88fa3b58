import { bandHz, melBands } from "../../dsp/mel";

/** Taps of the filter: 21 ms at 24 kHz resolve the bands above 200 Hz. */
const size = 512;

/** Designs a linear-phase filter from gains in dB by mel band, for sounds of this rate. */
export function designFilter(gainsDb: readonly number[], sampleRate: number): Float32Array {
  const half = size / 2;
  const gains = Float64Array.from(
    { length: half + 1 },
    (_, k) => 10 ** (gainAt(gainsDb, (k * sampleRate) / size) / 20),
  );
  const cosines = Float64Array.from({ length: size }, (_, i) => Math.cos((2 * Math.PI * i) / size));
  return Float32Array.from({ length: size }, (_, n) => {
    let sum = (gains[0] as number) + (gains[half] as number) * (n % 2 === 0 ? 1 : -1);
    for (let k = 1; k < half; k++)
      sum += 2 * (gains[k] as number) * (cosines[(k * Math.abs(n - half)) % size] as number);
    const window = 0.5 - 0.5 * Math.cos((2 * Math.PI * n) / size);
    return (window * sum) / size;
  });
}

/** Interpolated between the bands, and level beyond the outer ones. */
function gainAt(gainsDb: readonly number[], hz: number): number {
  for (let band = 1; band < melBands; band++) {
    const [left, right] = [bandHz(band - 1), bandHz(band)];
    if (hz > right) continue;
    const share = Math.max(0, (hz - left) / (right - left));
    return (1 - share) * (gainsDb[band - 1] as number) + share * (gainsDb[band] as number);
  }
  return gainsDb[melBands - 1] as number;
}

/** Filters samples without a delay. */
export function applyFilter(samples: Float32Array, taps: Float32Array): Float32Array {
  const filtered = new Float32Array(samples.length);
  const half = taps.length / 2;
  for (let i = 0; i < samples.length; i++) {
    let sum = 0;
    const from = Math.max(0, half + i - samples.length + 1);
    const to = Math.min(taps.length, half + i + 1);
    for (let j = from; j < to; j++) sum += (taps[j] as number) * (samples[i + half - j] as number);
    filtered[i] = sum;
  }
  return filtered;
}
