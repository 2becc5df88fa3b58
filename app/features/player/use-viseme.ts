import { useCallback, useEffect, useState, useSyncExternalStore } from "react";
import { eachFrame, wantsStillness } from "./frames";
import type { Viseme } from "./lips";
import { usePlayerStage } from "./provider";

/**
 * The mouth of whoever speaks in the current track, read off the sound's own clock in every frame and drawn in the same
 * one. Undefined where no timeline came with the track; at rest while it is paused, and for people who asked for less
 * motion.
 */
export function useViseme(): Viseme | undefined {
  const { state, media } = usePlayerStage();
  const { isPlaying, track } = state;
  const mouthAt = useMouth(track?.timelineUrl);
  const isMoving = media !== null && isPlaying && mouthAt !== undefined;

  const follow = useCallback(
    (onFrame: () => void) => (isMoving && !wantsStillness() ? eachFrame(onFrame) : () => {}),
    [isMoving],
  );
  const now = () => (isMoving && !wantsStillness() && !media.seeking ? mouthAt(media.currentTime * 1000) : "sil");
  const viseme = useSyncExternalStore(follow, now, atRest);
  return mouthAt && viseme;
}

const atRest = () => "sil" as const;

type MouthAt = (ms: number) => Viseme;

/** Fetched while the sound still loads. Lips are an ornament: without a timeline the sound goes on all the same. */
function useMouth(url: string | undefined): MouthAt | undefined {
  const [found, setFound] = useState<{ url: string; mouthAt: MouthAt | undefined }>();
  const isFound = url !== undefined && found?.url === url;
  useEffect(() => {
    if (!url || isFound) return;
    const gone = new AbortController();
    readMouth(url, gone.signal).then(
      (mouthAt) => gone.signal.aborted || setFound({ url, mouthAt }),
      () => {},
    );
    return () => gone.abort();
  }, [url, isFound]);
  return isFound ? found.mouthAt : undefined;
}

/** How to read it arrives with the first that is played. */
async function readMouth(url: string, signal: AbortSignal): Promise<MouthAt | undefined> {
  const [{ parseMouthings, visemeAt }, response] = await Promise.all([import("./lips"), fetch(url, { signal })]);
  const mouthings = response.ok ? parseMouthings(await response.json()) : [];
  return mouthings.length > 0 ? (ms) => visemeAt(mouthings, ms) : undefined;
}
