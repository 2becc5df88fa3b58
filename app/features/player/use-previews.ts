import { useCallback, useEffect, useState, useSyncExternalStore } from "react";
import { humanCardCopy } from "~/copy/site";
import { paths } from "~/paths";
import { type Track, usePlayer, usePlayerStage } from "./provider";

/** A role with a preview. */
interface Previewed {
  name: string;
  describe: string;
  voiceUrl: string;
  timelineUrl?: string;
}

/** A human's preview, for the player. */
export const previewOf = (human: Previewed): Track => ({
  url: paths.media(human.voiceUrl),
  title: humanCardCopy.trackTitle(human.name),
  subtitle: human.describe,
  ...(human.timelineUrl && { timelineUrl: paths.media(human.timelineUrl) }),
});

/** Cards that speak at one tap and pause at the next: how each one sounds now, and its mouth. */
export function usePreviews() {
  const player = usePlayer();
  const viseme = useViseme();
  const soundOf = (human: Previewed) => {
    if (player.track?.url !== paths.media(human.voiceUrl)) return "silent";
    if (player.isLoading) return "loading";
    return player.isPlaying ? "playing" : "silent";
  };
  return {
    listen: (human: Previewed) => (soundOf(human) === "playing" ? player.toggle() : player.play(previewOf(human))),
    /** Only the one who speaks gets a moving mouth, so that the others need no drawing anew. */
    stateOf(human: Previewed) {
      const sound = soundOf(human);
      return { sound, viseme: sound === "playing" ? viseme : undefined } as const;
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

const visemes = ["sil", "PP", "FF", "TH", "DD", "kk", "CH", "SS", "nn", "RR", "aa", "E", "ih", "oh", "ou"] as const;

/** One of the 15 mouth positions a timeline speaks of. */
type Viseme = (typeof visemes)[number];

/** A mouth position and when it is held, in milliseconds. */
interface Mouthing {
  start: number;
  end: number;
  viseme: Viseme;
}

/** Reads the phonemes of a timeline; what is not one is left out. In the order of time. */
export function parseMouthings(timeline: unknown): Mouthing[] {
  const phonemes = fieldOf(timeline, "phonemes");
  if (!Array.isArray(phonemes)) return [];
  return phonemes.flatMap(toMouthing).sort((a, b) => a.start - b.start);
}

function toMouthing(phoneme: unknown): Mouthing[] {
  const viseme = visemes.find((name) => name === fieldOf(phoneme, "viseme"));
  const start = fieldOf(phoneme, "start");
  const end = fieldOf(phoneme, "end");
  return viseme && typeof start === "number" && typeof end === "number" && end > start ? [{ start, end, viseme }] : [];
}

function fieldOf(value: unknown, key: string): unknown {
  return typeof value === "object" && value !== null ? Reflect.get(value, key) : undefined;
}

/** The mouth at a moment; closed between the sounds. */
export function visemeAt(mouthings: readonly Mouthing[], atMs: number): Viseme {
  let low = 0;
  let high = mouthings.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((mouthings[middle]?.start ?? 0) <= atMs) low = middle + 1;
    else high = middle;
  }
  const latest = mouthings[low - 1];
  return latest && atMs < latest.end ? latest.viseme : "sil";
}

/**
 * The mouth of the current track's speaker, computed from the playback time in every frame and drawn in the same
 * one. Undefined where no timeline came with the track; at rest while it is paused, and for people who asked for less
 * motion.
 */
function useViseme(): Viseme | undefined {
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

async function readMouth(url: string, signal: AbortSignal): Promise<MouthAt | undefined> {
  const response = await fetch(url, { signal });
  const mouthings = response.ok ? parseMouthings(await response.json()) : [];
  return mouthings.length > 0 ? (ms) => visemeAt(mouthings, ms) : undefined;
}
