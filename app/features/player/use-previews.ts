import { useRevalidator } from "@remix-run/react";
import { useEffect, useMemo, useState } from "react";
import { humanCardCopy } from "~/copy/site";
import { paths } from "~/paths";
import type { Speech, SpokenTimeline } from "~server/portrait/spoken-timeline";
import { levelsPerSecond, type PlayerTrack, usePlayer, usePlayerStage } from "./provider";

/** A role with a preview. */
interface Previewed {
  name: string;
  describe: string;
  voiceUrl: string;
  timelineUrl?: string;
}

/** A human's preview, for the player. */
export const previewOf = (human: Previewed): PlayerTrack => ({
  url: paths.media(human.voiceUrl),
  title: humanCardCopy.trackTitle(human.name),
  subtitle: human.describe,
  ...(human.timelineUrl && { timelineUrl: paths.media(human.timelineUrl) }),
});

const arrivalMs = 3000;
/** A new installation makes its previews in the first minute. */
const arrivalTries = 40;

/** Reads the page's data again while previews are missing, so that their buttons come alive without a reload. */
export function useArrivingPreviews(humans: readonly Pick<Previewed, "voiceUrl">[]): void {
  const { revalidate } = useRevalidator();
  const isMissing = humans.some(({ voiceUrl }) => !voiceUrl);
  useEffect(() => {
    if (!isMissing) return;
    let tries = 0;
    const timer = setInterval(() => {
      if (++tries > arrivalTries) clearInterval(timer);
      else if (!document.hidden) revalidate();
    }, arrivalMs);
    return () => clearInterval(timer);
  }, [isMissing, revalidate]);
}

/** Cards that speak at one tap and pause at the next: how each one sounds now, and what moves its face. */
export function usePreviews() {
  const player = usePlayer();
  const speech = useSpeech();
  const soundOf = (human: Previewed) => {
    if (player.track?.url !== paths.media(human.voiceUrl)) return "silent";
    if (player.isLoading) return "loading";
    return player.isPlaying ? "playing" : "silent";
  };
  return {
    listen: (human: Previewed) => (soundOf(human) === "playing" ? player.toggle() : player.play(previewOf(human))),
    /** Only the speaking portrait gets the speech, so that the others are not drawn again. */
    stateOf(human: Previewed) {
      const sound = soundOf(human);
      return { sound, speech: sound === "playing" ? speech : undefined } as const;
    },
  };
}

/** Calls `act` before every frame; returns the function that stops it. */
export function eachFrame(act: () => void): () => void {
  let frame = requestAnimationFrame(function next() {
    act();
    frame = requestAnimationFrame(next);
  });
  return () => cancelAnimationFrame(frame);
}

/** True if the system asks for reduced motion. */
export const wantsStillness = () => matchMedia("(prefers-reduced-motion: reduce)").matches;

/** The current track while it plays, for the face that speaks it; undefined while nothing plays. */
function useSpeech(): Speech | undefined {
  const { state, media } = usePlayerStage();
  const { isPlaying, track, levels } = state;
  const timeline = useTimeline(track?.timelineUrl);
  const id = track?.url;
  return useMemo(() => {
    if (!media || !isPlaying || !id || timeline === undefined) return undefined;
    return {
      id,
      timeline,
      loudness: levels && { perSecond: levelsPerSecond, levels },
      seconds: () => (media.seeking ? null : media.currentTime),
    };
  }, [media, isPlaying, id, timeline, levels]);
}

/** Fetched while the sound still loads, undefined until then; null if the sound has none or it cannot be read. */
export function useTimeline(url: string | undefined): SpokenTimeline | null | undefined {
  const [found, setFound] = useState<{ url: string; timeline: SpokenTimeline | null }>();
  const isFound = url !== undefined && found?.url === url;
  useEffect(() => {
    if (!url || isFound) return;
    const gone = new AbortController();
    readTimeline(url, gone.signal).then(
      (timeline) => gone.signal.aborted || setFound({ url, timeline }),
      () => gone.signal.aborted || setFound({ url, timeline: null }),
    );
    return () => gone.abort();
  }, [url, isFound]);
  if (!url) return null;
  return isFound ? found.timeline : undefined;
}

async function readTimeline(url: string, signal: AbortSignal): Promise<SpokenTimeline | null> {
  const [response, { parseSpokenTimeline }] = await Promise.all([
    fetch(url, { signal }),
    import("~server/portrait/spoken-timeline"),
  ]);
  return response.ok ? parseSpokenTimeline(await response.json()) : null;
}
