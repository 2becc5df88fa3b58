import { useCallback, useEffect, useState, useSyncExternalStore } from "react";
import { eachFrame, wantsStillness } from "./frames";
import { type Mouthing, parseMouthings, type Viseme, visemeAt } from "./lips";
import { usePlayerStage } from "./provider";

/**
 * The mouth of whoever speaks in the current track, read off the sound's own clock in every frame and drawn in the same
 * one. Undefined where no timeline came with the track; at rest while it is paused, and for people who asked for less
 * motion.
 */
export function useViseme(): Viseme | undefined {
  const { state, media } = usePlayerStage();
  const { isPlaying, track } = state;
  const mouthings = useMouthings(track?.timelineUrl);
  const isMoving = media !== null && isPlaying && mouthings !== undefined;

  const follow = useCallback(
    (onFrame: () => void) => (isMoving && !wantsStillness() ? eachFrame(onFrame) : () => {}),
    [isMoving],
  );
  const now = () =>
    isMoving && !wantsStillness() && !media.seeking ? visemeAt(mouthings, media.currentTime * 1000) : "sil";
  const viseme = useSyncExternalStore(follow, now, atRest);
  return mouthings && viseme;
}

const atRest = () => "sil" as const;

/** Fetched while the sound still loads. Lips are an ornament: without a timeline the sound goes on all the same. */
function useMouthings(url: string | undefined): Mouthing[] | undefined {
  const [found, setFound] = useState<{ url: string; mouthings: Mouthing[] }>();
  const isFound = url !== undefined && found?.url === url;
  useEffect(() => {
    if (!url || isFound) return;
    const gone = new AbortController();
    fetch(url, { signal: gone.signal })
      .then((response) => (response.ok ? response.json() : null))
      .then((timeline: unknown) => setFound({ url, mouthings: parseMouthings(timeline) }))
      .catch(() => {});
    return () => gone.abort();
  }, [url, isFound]);
  return isFound && found.mouthings.length > 0 ? found.mouthings : undefined;
}
