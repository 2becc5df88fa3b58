import { type KeyboardEvent, useEffect } from "react";
import { type PlayerState, resume, usePlayer, usePlayerStage } from "./provider";

export const stepSeconds = 5;

export type KeyAction = { type: "toggle" } | { type: "seek"; toSeconds: number };

interface Pressed {
  key: string;
  /** Tag of the focused element, in capitals. */
  target: string;
  hasModifier: boolean;
}

/** Player action of a key while the focus is in the player; null leaves the key to the focused element. */
export function keyAction(
  pressed: Pressed,
  at: { positionSeconds: number; durationSeconds: number },
): KeyAction | null {
  const { key, target, hasModifier } = pressed;
  if (hasModifier || target === "SELECT" || target === "TEXTAREA") return null;
  const seek = (seconds: number): KeyAction => ({
    type: "seek",
    toSeconds: Math.min(Math.max(seconds, 0), at.durationSeconds),
  });
  switch (key) {
    case " ":
      // Space presses the button or link that has the focus
      return target === "INPUT" ? { type: "toggle" } : null;
    case "ArrowLeft":
    case "ArrowDown":
      return seek(at.positionSeconds - stepSeconds);
    case "ArrowRight":
    case "ArrowUp":
      return seek(at.positionSeconds + stepSeconds);
    case "Home":
      return seek(0);
    case "End":
      return seek(at.durationSeconds);
    default:
      return null;
  }
}

/** Keys work wherever in the player the focus is. */
export function useKeys() {
  const { state, media } = usePlayerStage();
  const { toggle } = usePlayer();
  return (event: KeyboardEvent<HTMLElement>) => {
    if (!media || !(event.target instanceof HTMLElement)) return;
    const hasModifier = event.altKey || event.ctrlKey || event.metaKey || event.shiftKey;
    const action = keyAction(
      { key: event.key, target: event.target.tagName, hasModifier },
      { positionSeconds: media.currentTime, durationSeconds: state.durationSeconds },
    );
    if (!action) return;
    event.preventDefault();
    if (action.type === "toggle") toggle();
    else media.currentTime = action.toSeconds;
  };
}

/** Names what plays on the phone's lock screen and takes its buttons. */
export function useMediaSession(
  { track, isShown, isPlaying }: PlayerState,
  media: HTMLAudioElement | null,
  stop: () => void,
) {
  const title = track?.title ?? "";
  const artist = track?.subtitle ?? "";
  useEffect(() => {
    if (!("mediaSession" in navigator) || !isShown) return;
    navigator.mediaSession.metadata = new MediaMetadata({ title, artist });
    return () => {
      navigator.mediaSession.metadata = null;
    };
  }, [title, artist, isShown]);
  useEffect(() => {
    if (!("mediaSession" in navigator)) return;
    navigator.mediaSession.playbackState = isShown ? (isPlaying ? "playing" : "paused") : "none";
  }, [isShown, isPlaying]);
  useEffect(() => {
    if (!("mediaSession" in navigator) || !media || !isShown) return;
    const handlers = handlersFor(media, stop);
    for (const [action, handler] of handlers) setHandler(action, handler);
    const stopReporting = reportPosition(media);
    return () => {
      for (const [action] of handlers) setHandler(action, null);
      stopReporting();
    };
  }, [media, isShown, stop]);
}

function handlersFor(media: HTMLAudioElement, stop: () => void): [MediaSessionAction, MediaSessionActionHandler][] {
  const move = (seconds: number) => {
    media.currentTime = Math.min(Math.max(media.currentTime + seconds, 0), media.duration || 0);
  };
  return [
    ["play", () => resume(media)],
    ["pause", () => media.pause()],
    ["seekbackward", ({ seekOffset }) => move(-(seekOffset ?? stepSeconds))],
    ["seekforward", ({ seekOffset }) => move(seekOffset ?? stepSeconds)],
    ["seekto", ({ seekTime }) => move((seekTime ?? media.currentTime) - media.currentTime)],
    ["stop", stop],
  ];
}

/** Browsers throw at actions they don't know. */
function setHandler(action: MediaSessionAction, handler: MediaSessionActionHandler | null) {
  try {
    navigator.mediaSession.setActionHandler(action, handler);
  } catch {
    return;
  }
}

function reportPosition(media: HTMLAudioElement): () => void {
  const report = () => {
    if (!Number.isFinite(media.duration) || media.duration === 0) return;
    navigator.mediaSession.setPositionState?.({
      duration: media.duration,
      playbackRate: media.playbackRate,
      position: Math.min(media.currentTime, media.duration),
    });
  };
  const moments = ["play", "pause", "seeked", "ratechange"] as const;
  report();
  for (const moment of moments) media.addEventListener(moment, report);
  return () => {
    for (const moment of moments) media.removeEventListener(moment, report);
  };
}

/** An iPhone in silent mode plays Web Audio only in a "playback" session, and records only outside of one. */
export function setAudioSession(type: "playback" | "auto"): void {
  const { audioSession } = navigator as Navigator & { audioSession?: { type: string } };
  if (audioSession) audioSession.type = type;
}
