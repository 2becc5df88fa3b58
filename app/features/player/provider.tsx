import { createContext, type ReactNode, useContext, useEffect, useMemo, useState } from "react";
import { createStore, type Store, useStore } from "~/ui/store";
import type { Download } from "./downloads";

/** Something to listen to. `url` is ready to fetch from this site. */
export interface PlayerTrack {
  url: string;
  title: string;
  subtitle?: string;
  downloads?: readonly Download[];
  timelineUrl?: string;
}

export interface PlayerState {
  track: PlayerTrack | null;
  /** Grows with every load, so that a failed address can be tried again. */
  attempt: number;
  /** Seconds; 0 until the audio is ready, and again when it fails. */
  durationSeconds: number;
  /** Loudness over time, from `toLevels`. */
  levels?: readonly number[] | undefined;
  /** The bar shows loaded audio, and stays while the next track replaces it, so that nothing jumps. */
  isShown: boolean;
  isLoading: boolean;
  isPlaying: boolean;
  isCollapsed: boolean;
  speed: number;
}

export type PlayerEvent =
  | { type: "loading"; track: PlayerTrack }
  | { type: "ready"; attempt: number; durationSeconds: number; levels?: readonly number[]; isPlaying?: boolean }
  | { type: "playing" }
  | { type: "paused" }
  | { type: "failed"; attempt: number }
  | { type: "closed" }
  | { type: "collapsed"; isCollapsed: boolean }
  | { type: "speed"; speed: number };

const unloaded = { durationSeconds: 0, levels: undefined, isShown: false, isLoading: false, isPlaying: false };

export const silence: PlayerState = { track: null, attempt: 0, ...unloaded, isCollapsed: false, speed: 1 };

/** Events of an earlier attempt are ignored. */
export function reducePlayer(state: PlayerState, event: PlayerEvent): PlayerState {
  switch (event.type) {
    case "loading": {
      const { attempt, isShown } = state;
      return { ...state, ...unloaded, isShown, track: event.track, attempt: attempt + 1, isLoading: true };
    }
    case "ready":
      if (event.attempt !== state.attempt) return state;
      return {
        ...state,
        durationSeconds: event.durationSeconds,
        levels: event.levels,
        isShown: event.durationSeconds > 0,
        isLoading: false,
        isPlaying: event.isPlaying ?? state.isPlaying,
      };
    case "playing":
      return state.track ? { ...state, isPlaying: true } : state;
    case "paused":
      return state.isPlaying ? { ...state, isPlaying: false } : state;
    case "failed":
      return event.attempt === state.attempt ? { ...state, ...unloaded } : state;
    case "closed":
      return { ...state, ...unloaded, track: null, attempt: state.attempt + 1 };
    case "collapsed":
      return { ...state, isCollapsed: event.isCollapsed };
    case "speed":
      return { ...state, speed: event.speed };
  }
}

/** Resolution of the level curve, in levels per second. */
export const levelsPerSecond = 25;

export interface Player {
  track: PlayerTrack | null;
  /** The track is loading, and not audible yet. */
  isLoading: boolean;
  isPlaying: boolean;
  /** Loads the track and plays it once ready; the track that is loaded already goes on instead. */
  play(track: PlayerTrack): void;
  /** Pauses or resumes what is loaded. */
  toggle(): void;
  stop(): void;
}

interface PlayerStage {
  state: PlayerState;
  dispatch(event: PlayerEvent): void;
  media: HTMLAudioElement | null;
  onError?: () => void;
}

type PlayerActions = Pick<Player, "play" | "toggle" | "stop">;

interface PlayerSource extends PlayerActions {
  state: Store<PlayerState>;
  dispatch(event: PlayerEvent): void;
  media(): HTMLAudioElement | null;
  /** Within a press. */
  openMedia(): void;
}

function createPlayer(): PlayerSource {
  const state = createStore(silence);
  const dispatch = (event: PlayerEvent) => state.set(reducePlayer(state.get(), event));
  let media: HTMLAudioElement | null = null;
  const opened = () => {
    media ??= openMedia(dispatch);
    return media;
  };
  return {
    state,
    dispatch,
    media: () => media,
    openMedia: opened,
    toggle() {
      if (!media || state.get().durationSeconds === 0) return;
      if (media.paused) resume(media);
      else media.pause();
    },
    play(wanted) {
      const { track, isLoading, durationSeconds } = state.get();
      const audio = opened();
      if (track?.url === wanted.url) {
        if (isLoading) return;
        if (durationSeconds > 0) return resume(audio);
      }
      audio.pause();
      dispatch({ type: "loading", track: wanted });
    },
    stop() {
      media?.pause();
      dispatch({ type: "closed" });
    },
  };
}

const PlayerContext = createContext<{ source: PlayerSource; onError?: () => void } | null>(null);

/**
 * The site's one player, in the root so that it outlives navigation. `onError` runs once per failure. The context's value
 * never changes: a new one would restart the hydration of parts that load late.
 */
export function PlayerProvider({ children, onError }: { children: ReactNode; onError?: () => void }) {
  const [source] = useState(createPlayer);
  useEffect(() => {
    // Audio often arrives later than the press that asked for it still allows sound.
    document.addEventListener("click", source.openMedia, { capture: true, once: true });
    return () => document.removeEventListener("click", source.openMedia, { capture: true });
  }, [source]);
  const value = useMemo(() => ({ source, ...(onError && { onError }) }), [source, onError]);
  return <PlayerContext.Provider value={value}>{children}</PlayerContext.Provider>;
}

function usePlayerSource() {
  const player = useContext(PlayerContext);
  if (!player) throw new Error("the player needs a PlayerProvider above it");
  return player;
}

export function usePlayer(): Player {
  const { state, play, toggle, stop } = usePlayerSource().source;
  const track = useStore(state, (now) => now.track);
  const isLoading = useStore(state, (now) => now.isLoading);
  const isPlaying = useStore(state, (now) => now.isPlaying);
  return useMemo(
    () => ({ track, isLoading, isPlaying, play, toggle, stop }),
    [track, isLoading, isPlaying, play, toggle, stop],
  );
}

/** For the bar and for faces that speak. */
export function usePlayerStage(): PlayerStage {
  const { source, onError } = usePlayerSource();
  const state = useStore(source.state);
  const media = source.media();
  return useMemo(
    () => ({ state, dispatch: source.dispatch, media, ...(onError && { onError }) }),
    [source, state, media, onError],
  );
}

/** Must run inside a tap: phones let only an element touched by one make sound later, when the audio has arrived. */
function openMedia(dispatch: PlayerSource["dispatch"]): HTMLAudioElement {
  const media = new Audio();
  media.load();
  media.addEventListener("play", () => dispatch({ type: "playing" }));
  media.addEventListener("pause", () => dispatch({ type: "paused" }));
  media.addEventListener("ended", () => {
    // The listener seeked back just before the end.
    if (!media.ended) return resume(media);
    media.currentTime = 0;
    dispatch({ type: "paused" });
  });
  return media;
}

/** A browser that forbids sound without a tap leaves the player paused; that is no failure. */
export function resume(media: HTMLAudioElement): void {
  media.play().catch(() => media.pause());
}
