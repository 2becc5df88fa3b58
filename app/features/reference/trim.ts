import { recordingMaxSeconds } from "~server/contract/limits";
import { frameLevels, frameSeconds, percentile } from "./frames";
import { cut, secondsOf, type Take } from "./take";

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
