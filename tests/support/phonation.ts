/** Regularity of the voice in recorded or synthesised speech, by cycles of the waveform. */
import { hopSeconds, speechRate } from "../../server/speech/dsp/grid";
import { trackPitch } from "../../server/speech/dsp/pitch";

export interface Phonation {
  /** Mean difference of adjacent periods, % of the period. */
  jitter: number;
  /** Mean difference of the levels of adjacent cycles, % of the level. */
  shimmer: number;
  /** Harmonics to noise, dB, from the correlation of adjacent cycles. */
  harmonicsDb: number;
}

const minCycles = 4;

export function measurePhonation(samples: Float32Array): Phonation {
  const pitch = trackPitch(samples);
  const sums = { jitter: 0, shimmer: 0, noise: 0, count: 0 };
  for (let f = 0; f < pitch.length; f++) {
    if ((pitch[f] as number) <= 0) continue;
    let end = f;
    while ((pitch[end] ?? 0) > 0) end++;
    addRun(samples, pitch, { from: f, end }, sums);
    f = end;
  }
  const count = Math.max(1, sums.count);
  return {
    jitter: (100 * sums.jitter) / count,
    shimmer: (100 * sums.shimmer) / count,
    harmonicsDb: sums.noise / count,
  };
}

/** Follows the cycles of a voiced run: each begins where it resembles the cycle before most. */
function addRun(
  samples: Float32Array,
  pitch: Float32Array,
  { from, end }: { from: number; end: number },
  sums: { jitter: number; shimmer: number; noise: number; count: number },
) {
  const hop = hopSeconds * speechRate;
  const cycles: Array<{ period: number; level: number; likeness: number }> = [];
  for (let at = from * hop; at < (end - 2) * hop; ) {
    const period = speechRate / (pitch[Math.min(end - 1, Math.round(at / hop))] as number);
    const next = mostAlike(samples, Math.round(at), period);
    cycles.push({ ...next, level: levelOf(samples, Math.round(at), next.period) });
    at += next.period;
  }
  if (cycles.length < minCycles) return;
  for (let i = 1; i < cycles.length; i++) {
    const [a, b] = [cycles[i - 1], cycles[i]] as [(typeof cycles)[0], (typeof cycles)[0]];
    sums.jitter += Math.abs(a.period - b.period) / ((a.period + b.period) / 2);
    sums.shimmer += Math.abs(a.level - b.level) / ((a.level + b.level) / 2 + 1e-9);
    const likeness = Math.min(0.9999, Math.max(0.01, a.likeness));
    sums.noise += 10 * Math.log10(likeness / (1 - likeness));
    sums.count++;
  }
}

function mostAlike(samples: Float32Array, at: number, expected: number): { period: number; likeness: number } {
  const width = Math.round(expected);
  const reach = Math.max(2, Math.round(expected * 0.12));
  const likeness = Array.from({ length: 2 * reach + 1 }, (_, i) => {
    const lag = width - reach + i;
    let [ab, aa, bb] = [0, 1e-9, 1e-9];
    for (let j = 0; j < width; j++) {
      const [a, b] = [samples[at + j] ?? 0, samples[at + lag + j] ?? 0];
      ab += a * b;
      aa += a * a;
      bb += b * b;
    }
    return ab / Math.sqrt(aa * bb);
  });
  const best = likeness.indexOf(Math.max(...likeness));
  const [left, top, right] = [likeness[best - 1] ?? -1, likeness[best] as number, likeness[best + 1] ?? -1];
  const bend = left - 2 * top + right;
  const fine = best > 0 && best < 2 * reach && bend < 0 ? (0.5 * (left - right)) / bend : 0;
  return { period: width - reach + best + fine, likeness: top };
}

function levelOf(samples: Float32Array, at: number, period: number): number {
  let sum = 0;
  for (let i = 0; i < period; i++) sum += (samples[at + i] ?? 0) ** 2;
  return Math.sqrt(sum / period);
}
