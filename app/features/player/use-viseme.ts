import { useEffect, useState } from "react";
import { type Mouthing, parseMouthings, type Viseme, visemeAt } from "./lips";
import { usePlayerStage } from "./provider";

/**
 * The mouth of whoever speaks in the current track, in time with the sound. Undefined where no timeline came with the
 * track; at rest for people who asked for less motion.
 */
export function useViseme(): Viseme | undefined {
  const { state, media } = usePlayerStage();
  const { isPlaying, track } = state;
  const mouthings = useMouthings(isPlaying ? track?.timelineUrl : undefined);
  const [viseme, setViseme] = useState<Viseme>("sil");

  useEffect(() => {
    if (!media || !isPlaying || !mouthings) return;
    if (matchMedia("(prefers-reduced-motion: reduce)").matches) return;
    let frame = 0;
    const follow = () => {
      setViseme(visemeAt(mouthings, media.currentTime * 1000));
      frame = requestAnimationFrame(follow);
    };
    follow();
    return () => {
      cancelAnimationFrame(frame);
      setViseme("sil");
    };
  }, [media, isPlaying, mouthings]);

  return mouthings && viseme;
}

/** Lips are an ornament: without a timeline the sound goes on all the same. */
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
