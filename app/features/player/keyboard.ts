import type { KeyboardEvent } from "react";
import { usePlayer, usePlayerStage } from "./provider";

export const stepSeconds = 5;

export type KeyAction = { type: "toggle" } | { type: "seek"; toSeconds: number };

interface Pressed {
  key: string;
  /** Tag of the focused element, in capitals. */
  target: string;
  hasModifier: boolean;
}

/** What a key means while the focus is in the player; null leaves it to the element that has the focus. */
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
