import { binCount, fftSize, speechRate } from "../../../dsp/grid";

/** Centres of bands in Hz, and the noise share of power of a clear and of a whispering voice in them. */
const bandHz = [500, 1500, 2750, 4500, 6750, 9500];
const clearNoise = [0.01, 0.03, 0.06, 0.1, 0.15, 0.25];
const whisperNoise = [0.3, 0.5, 0.65, 0.75, 0.8, 0.85];

/** Share of noise in voiced sound by bin, for a breath from 0 (clear) to 1. */
export function noiseShareByBin(breath: number): Float64Array {
  const shares = clearNoise.map((clear, b) => clear + ((whisperNoise[b] as number) - clear) * breath);
  return Float64Array.from({ length: binCount }, (_, k) => {
    const hz = (k * speechRate) / fftSize;
    const next = bandHz.findIndex((centre) => centre >= hz);
    if (next === 0) return shares[0] as number;
    if (next < 0) return shares.at(-1) as number;
    const [from, to] = [bandHz[next - 1] as number, bandHz[next] as number];
    const share = (hz - from) / (to - from);
    return (shares[next - 1] as number) * (1 - share) + (shares[next] as number) * share;
  });
}
