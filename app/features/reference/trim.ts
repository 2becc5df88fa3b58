import { recordingMaxSeconds } from "~server/contract/limits";
import { cut, secondsOf, type Take } from "./take";

const frameSeconds = 0.02;

/** The stretch of at most a minute in which the most is said. */
export function bestPart(take: Take, lengthSeconds: number = recordingMaxSeconds): Take {
  if (secondsOf(take) <= lengthSeconds) return take;
  const levels = frameLevels(take);
  const threshold = Math.max(percentile(levels, 0.1) + 8, percentile(levels, 0.95) - 30);
  const window = Math.floor(lengthSeconds / frameSeconds);
  const loud = (frame: number) => Number((levels[frame] ?? -100) > threshold);
  let said = 0;
  for (let frame = 0; frame < window; frame++) said += loud(frame);
  let best = { from: 0, said };
  for (let from = 1; from + window <= levels.length; from++) {
    said += loud(from + window - 1) - loud(from - 1);
    if (said > best.said) best = { from, said };
  }
  return cut(take, best.from * frameSeconds, lengthSeconds);
}

/** Loudness of each 20 ms in dB below full scale, at least −100. */
function frameLevels({ samples, sampleRate }: Take): Float32Array {
  const size = Math.round(sampleRate * frameSeconds);
  const levels = new Float32Array(Math.floor(samples.length / size));
  for (let frame = 0; frame < levels.length; frame++) {
    let energy = 0;
    for (let at = frame * size; at < (frame + 1) * size; at++) energy += (samples[at] ?? 0) ** 2;
    levels[frame] = Math.max(-100, 10 * Math.log10(energy / size + 1e-12));
  }
  return levels;
}

function percentile(values: Float32Array, share: number): number {
  const sorted = Float32Array.from(values).sort();
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? -100;
}
