import { useEffect, useRef, useState } from "react";
import { usePlayer } from "~/features/player/provider";
import { parseUnits, type TimedUnit, unitAt } from "./follow-timeline";
import type { ReadAlong } from "./read-along";

interface Options {
  media: HTMLAudioElement | null;
  along: ReadAlong;
  /** What sounds. */
  url: string;
  isOn: boolean;
  /** The script's line for each line of the sound. */
  target: readonly (string | null)[];
  /** Lines heard before this sound. */
  before: readonly string[];
}

/** Follows the voice through the script, character by character; answers the line it is in. */
export function useReadAlong({ media, along, url, isOn, target, before }: Options): string | null {
  const { track } = usePlayer();
  const units = useUnits(target.length > 0 && track?.url === url ? track.timelineUrl : undefined);
  const [lineId, setLineId] = useState<string | null>(null);
  const lines = useRef({ target, before });
  lines.current = { target, before };
  const isFollowed = target.length > 0;

  useEffect(() => {
    if (!media || !isFollowed || !isOn) return;
    let frame = 0;
    const follow = () => {
      const unit = units ? unitAt(units, media.currentTime * 1000) : null;
      const now = lines.current;
      const id = now.target[unit?.line ?? 0] ?? null;
      const said = [...now.before, ...now.target.slice(0, unit?.line ?? 0)].filter(
        (one): one is string => one !== null,
      );
      along.set(id === null ? null : { lineId: id, offset: unit?.offset ?? -1, length: unit?.length ?? 0 }, said);
      setLineId(id);
      frame = requestAnimationFrame(follow);
    };
    follow();
    return () => cancelAnimationFrame(frame);
  }, [media, along, units, isOn, isFollowed]);

  useEffect(() => {
    if (!isFollowed) {
      along.set(null);
      setLineId(null);
    }
  }, [along, isFollowed]);

  return lineId;
}

/** Reading along is an extra: without a timeline the sound goes on all the same. */
function useUnits(url: string | undefined): TimedUnit[] | null {
  const [found, setFound] = useState<{ url: string; units: TimedUnit[] } | null>(null);
  useEffect(() => {
    if (!url) return;
    const gone = new AbortController();
    fetch(url, { signal: gone.signal })
      .then((response) => (response.ok ? response.json() : null))
      .then((timeline: unknown) => setFound({ url, units: parseUnits(timeline) }))
      .catch(() => {});
    return () => gone.abort();
  }, [url]);
  return found && found.url === url ? found.units : null;
}
