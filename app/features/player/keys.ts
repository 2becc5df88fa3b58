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
