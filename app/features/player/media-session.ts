import { useEffect } from "react";
import { stepSeconds } from "./keyboard";
import { type PlayerState, resume } from "./provider";

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
