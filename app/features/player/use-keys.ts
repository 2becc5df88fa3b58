import type { KeyboardEvent } from "react";
import { keyAction } from "./keys";
import { usePlayer, usePlayerStage } from "./provider";

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
