/** Calls before every frame the browser draws; the answer ends it. */
export function eachFrame(act: () => void): () => void {
  let frame = requestAnimationFrame(function next() {
    act();
    frame = requestAnimationFrame(next);
  });
  return () => cancelAnimationFrame(frame);
}

/** Somebody asked their system for less motion. */
export const wantsStillness = () => matchMedia("(prefers-reduced-motion: reduce)").matches;
