import type { Take } from "./take";

export const frameSeconds = 0.02;

/** Loudness of each 20 ms in dB below full scale, at least −100. */
export function frameLevels({ samples, sampleRate }: Take): Float32Array {
  const size = Math.round(sampleRate * frameSeconds);
  const levels = new Float32Array(Math.floor(samples.length / size));
  for (let frame = 0; frame < levels.length; frame++) {
    let energy = 0;
    for (let at = frame * size; at < (frame + 1) * size; at++) energy += (samples[at] ?? 0) ** 2;
    levels[frame] = Math.max(-100, 10 * Math.log10(energy / size + 1e-12));
  }
  return levels;
}

export function percentile(values: Float32Array, share: number): number {
  const sorted = Float32Array.from(values).sort();
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? -100;
}

const pitchRate = 8000;
const pitchFrame = 256;
const shortestLag = pitchRate / 400;
const longestLag = Math.round(pitchRate / 70);
const periodic = 0.5;

/** Which 20 ms frames repeat themselves at the pitch of a voice (70–400 Hz); noise and clicks do not. */
export function voicedFrames(take: Take, levels: Float32Array, above: number): boolean[] {
  const low = thinned(take);
  const hop = pitchRate * frameSeconds;
  return Array.from(levels, (level, frame) => level > above && repeats(low, frame * hop));
}

/** About 8 kHz by averaging neighbours: enough for pitch. */
function thinned({ samples, sampleRate }: Take): Float32Array {
  const step = sampleRate / pitchRate;
  const low = new Float32Array(Math.floor(samples.length / step));
  for (let index = 0; index < low.length; index++) {
    const from = Math.floor(index * step);
    const to = Math.max(from + 1, Math.floor((index + 1) * step));
    let sum = 0;
    for (let at = from; at < to; at++) sum += samples[at] ?? 0;
    low[index] = sum / (to - from);
  }
  return low;
}

function repeats(low: Float32Array, from: number): boolean {
  if (from + pitchFrame + longestLag >= low.length) return false;
  const energy = correlation(low, from, 0);
  let best = 0;
  for (let lag = shortestLag; lag <= longestLag; lag++) {
    best = Math.max(best, correlation(low, from, lag) / Math.sqrt(energy * selfEnergy(low, from + lag) + 1e-12));
  }
  return best > periodic;
}

function correlation(low: Float32Array, from: number, lag: number): number {
  let sum = 0;
  for (let at = from; at < from + pitchFrame; at++) sum += (low[at] ?? 0) * (low[at + lag] ?? 0);
  return sum;
}

function selfEnergy(low: Float32Array, from: number): number {
  let sum = 0;
  for (let at = from; at < from + pitchFrame; at++) sum += (low[at] ?? 0) ** 2;
  return sum;
}
