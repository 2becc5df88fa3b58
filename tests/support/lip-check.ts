import type { Motion } from "~server/portrait/motion";
import { mouthShapes, nearestMouth, visemes } from "~server/portrait/pose";
import type { SpokenTimeline } from "~server/portrait/spoken-timeline";

const framesPerSecond = 25;
/** One frame: a drawn mouth may come that much before or after the phoneme. */
const toleranceMs = 40;

interface Lips {
  /** Frames whose mouth the timeline has at that time, within one frame. */
  rightShare: number;
  /** Phonemes p, b, m, and those of them with a frame of closed lips. */
  closures: number;
  closed: number;
}

/** Compares the drawn mouths of every frame with the timeline. */
export function measureLips(motion: Motion, timeline: SpokenTimeline): Lips {
  const shapeAt = (ms: number) => {
    const phoneme = timeline.phonemes.find(({ start, end }) => start <= ms && ms < end);
    return mouthShapes[visemes.find((name) => name === phoneme?.viseme) ?? "sil"];
  };
  const drawnAt = (ms: number) => nearestMouth(motion(ms / 1000).mouth);
  const isRight = (ms: number) => {
    const drawn = drawnAt(ms);
    for (let off = 0; off <= toleranceMs; off += 4)
      if (shapeAt(ms - off) === drawn || shapeAt(ms + off) === drawn) return true;
    return false;
  };
  const frames = Array.from(
    { length: Math.floor((timeline.durationMs * framesPerSecond) / 1000) },
    (_, index) => (index * 1000) / framesPerSecond,
  );
  const lips = timeline.phonemes.filter(({ viseme }) => viseme === "PP");
  const closed = lips.filter(({ start, end }) =>
    frames.some((ms) => ms >= start - toleranceMs && ms <= end + toleranceMs && motion(ms / 1000).mouth.closure > 0.95),
  );
  return {
    rightShare: frames.filter(isRight).length / Math.max(1, frames.length),
    closures: lips.length,
    closed: closed.length,
  };
}
