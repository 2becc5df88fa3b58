import { useEffect } from "react";
import { usePlayerStage } from "./provider";

export function Bar() {
  const { state, dispatch, media } = usePlayerStage();
  const { track, attempt } = state;
  useEffect(() => {
    if (!media || !track) return;
    media.src = track.url;
    media.onloadedmetadata = () => dispatch({ type: "ready", attempt, durationSeconds: media.duration });
    media.onerror = () => dispatch({ type: "failed", attempt });
    void media.play().catch(() => media.pause());
  }, [media, track, attempt, dispatch]);
  return null;
}
