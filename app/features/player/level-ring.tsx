import { useEffect, useRef } from "react";
import { eachFrame, wantsStillness } from "~/features/player/use-previews";
import { levelAt, usePlayerStage } from "./provider";

/**
 * A ring over a photo whose person speaks in the current track: it swells with the sound. Lies over its parent and moves
 * nothing around it; under reduced motion it only stands there.
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
