/** Repeatable pseudo-random numbers: the same speech comes out bit for bit, so results can be cached by fingerprint. */
export function createNoise(seed: number): { uniform(): number; gauss(): number } {
  let state = seed >>> 0;
  let spare: number | null = null;
  function uniform() {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return (state + 0.5) / 4294967296;
  }
  function gauss() {
    if (spare !== null) {
      const kept = spare;
      spare = null;
      return kept;
    }
    const radius = Math.sqrt(-2 * Math.log(uniform()));
    const angle = 2 * Math.PI * uniform();
    spare = radius * Math.sin(angle);
    return radius * Math.cos(angle);
  }
  return { uniform, gauss };
}
