const windowMs = 10_000;
const mostInWindow = 8;

/** Answers false for whoever presses faster than anybody can read. */
export function createPace(now: () => number) {
  let pressed: number[] = [];
  return () => {
    const at = now();
    pressed = pressed.filter((earlier) => at - earlier < windowMs);
    if (pressed.length >= mostInWindow) return false;
    pressed.push(at);
    return true;
  };
}
