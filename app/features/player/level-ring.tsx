import { useEffect, useRef } from "react";
import { levelsPerSecond, usePlayerStage } from "./provider";
import { eachFrame, wantsStillness } from "./use-previews";

/**
 * A ring over a photo whose person speaks in the current track: it swells with the sound. Lies over its parent and moves
 * nothing around it; under reduced motion it does not move.
 */
export function LevelRing() {
  const { state, media } = usePlayerStage();
  const { isPlaying, levels } = state;
  const ring = useRef<HTMLSpanElement>(null);

  useEffect(() => {
    if (!media || !isPlaying || !levels || wantsStillness()) return;
    return eachFrame(() => {
      const level = levelAt(levels, media.currentTime);
      ring.current?.style.setProperty("opacity", (0.25 + 0.75 * level).toFixed(2));
      ring.current?.style.setProperty("transform", `scale(${(1 - 0.03 * level).toFixed(4)})`);
    });
  }, [media, isPlaying, levels]);

  if (!isPlaying) return null;
  return (
    <span
      aria-hidden="true"
      className="pointer-events-none absolute inset-1 rounded-card border-4 border-celadon"
      ref={ring}
    />
  );
}

/** Peaks as loudness between 0 and 1, the loudest stretch being 1; silence stays 0. */
export function toLevels(peaks: readonly number[]): number[] {
  const most = peaks.reduce((highest, peak) => Math.max(highest, Math.abs(peak)), 0);
  return peaks.map((peak) => (most > 0 ? Math.abs(peak) / most : 0));
}

/** The loudness at a moment, between its two nearest levels; 0 outside the sound. */
export function levelAt(levels: readonly number[], seconds: number): number {
  const place = seconds * levelsPerSecond;
  const before = Math.floor(place);
  const [from, to] = [levels[before] ?? 0, levels[before + 1] ?? 0];
  return from + (to - from) * (place - before);
}
