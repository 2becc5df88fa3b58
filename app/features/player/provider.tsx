import {
  createContext,
  type Dispatch,
  type ReactNode,
  useCallback,
  useContext,
  useMemo,
  useReducer,
  useRef,
} from "react";
import { type PlayerEvent, type PlayerState, reducePlayer, silence, type Track } from "./state";

export interface Player {
  track: Track | null;
  /** Between asking for a track and hearing it. */
  isLoading: boolean;
  isPlaying: boolean;
  /** Loads the track and plays it once ready; the track that is loaded already goes on instead. */
  play(track: Track): void;
  /** Pauses or resumes what is loaded. */
  toggle(): void;
  stop(): void;
}

interface PlayerStage {
  state: PlayerState;
  dispatch: Dispatch<PlayerEvent>;
  media: HTMLAudioElement | null;
  onError?: () => void;
}

const PlayerContext = createContext<Player | null>(null);
const StageContext = createContext<PlayerStage | null>(null);

/** One player for the whole site: stands in the root, above everything that navigates. `onError` tells people once per failure. */
export function PlayerProvider({ children, onError }: { children: ReactNode; onError?: () => void }) {
  const [state, dispatch] = useReducer(reducePlayer, silence);
  const mediaRef = useRef<HTMLAudioElement | null>(null);
  const { track, isLoading, isPlaying, durationSeconds } = state;

  const toggle = useCallback(() => {
    const media = mediaRef.current;
    if (!media || durationSeconds === 0) return;
    if (media.paused) resume(media);
    else media.pause();
  }, [durationSeconds]);

  const play = useCallback(
    (wanted: Track) => {
      mediaRef.current ??= openMedia(dispatch);
      if (track?.url === wanted.url) {
        if (isLoading) return;
        if (durationSeconds > 0) return resume(mediaRef.current);
      }
      mediaRef.current.pause();
      dispatch({ type: "loading", track: wanted });
    },
    [track, isLoading, durationSeconds],
  );

  const stop = useCallback(() => {
    mediaRef.current?.pause();
    dispatch({ type: "closed" });
  }, []);

  const player = useMemo(
    () => ({ track, isLoading, isPlaying, play, toggle, stop }),
    [track, isLoading, isPlaying, play, toggle, stop],
  );
  const stage = useMemo(() => ({ state, dispatch, media: mediaRef.current, onError }), [state, onError]);

  return (
    <PlayerContext.Provider value={player}>
      <StageContext.Provider value={stage}>{children}</StageContext.Provider>
    </PlayerContext.Provider>
  );
}

export function usePlayer(): Player {
  const player = useContext(PlayerContext);
  if (!player) throw new Error("usePlayer needs a PlayerProvider above it");
  return player;
}

/** For the bar alone. */
export function usePlayerStage(): PlayerStage {
  const stage = useContext(StageContext);
  if (!stage) throw new Error("the player bar needs a PlayerProvider above it");
  return stage;
}

/** Must run inside a tap: phones let only an element touched by one make sound later, when the audio has arrived. */
function openMedia(dispatch: Dispatch<PlayerEvent>): HTMLAudioElement {
  const media = new Audio();
  media.load();
  media.addEventListener("play", () => dispatch({ type: "playing" }));
  media.addEventListener("pause", () => dispatch({ type: "paused" }));
  media.addEventListener("ended", () => {
    // Somebody has gone back in the very last moment.
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
