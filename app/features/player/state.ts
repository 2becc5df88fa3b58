import type { Download } from "./downloads";

/** Something to listen to. `url` is ready to fetch from this site. */
export interface Track {
  url: string;
  title: string;
  subtitle?: string;
  downloads?: readonly Download[];
  timelineUrl?: string;
}

export interface PlayerState {
  track: Track | null;
  /** Grows with every load, so that the same address can be tried again after a failure. */
  attempt: number;
  /** Seconds; 0 until the audio is ready, and again when it fails. */
  durationSeconds: number;
  /** How loud it is when; see levels.ts. */
  levels?: readonly number[] | undefined;
  /** The bar shows loaded audio, and stays while the next track replaces it, so that nothing jumps. */
  isShown: boolean;
  isLoading: boolean;
  isPlaying: boolean;
  isCollapsed: boolean;
  speed: number;
}

export type PlayerEvent =
  | { type: "loading"; track: Track }
  | { type: "ready"; attempt: number; durationSeconds: number; levels?: readonly number[]; isPlaying?: boolean }
  | { type: "playing" }
  | { type: "paused" }
  | { type: "failed"; attempt: number }
  | { type: "closed" }
  | { type: "collapsed"; isCollapsed: boolean }
  | { type: "speed"; speed: number };

export const speeds = [0.75, 1, 1.25, 1.5, 2] as const;

export const silence: PlayerState = {
  track: null,
  attempt: 0,
  durationSeconds: 0,
  isShown: false,
  isLoading: false,
  isPlaying: false,
  isCollapsed: false,
  speed: 1,
};

/** What was said about an earlier load is ignored: only the latest attempt counts. */
export function reducePlayer(state: PlayerState, event: PlayerEvent): PlayerState {
  switch (event.type) {
    case "loading":
      return {
        ...stopped(state),
        track: event.track,
        attempt: state.attempt + 1,
        isShown: state.isShown,
        isLoading: true,
      };
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
      return event.attempt === state.attempt ? stopped(state) : state;
    case "closed":
      return { ...stopped(state), track: null, attempt: state.attempt + 1 };
    case "collapsed":
      return { ...state, isCollapsed: event.isCollapsed };
    case "speed":
      return { ...state, speed: event.speed };
  }
}

function stopped(state: PlayerState): PlayerState {
  return { ...state, durationSeconds: 0, levels: undefined, isShown: false, isLoading: false, isPlaying: false };
}

/** How many levels a second of sound has. */
export const levelsPerSecond = 25;

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
