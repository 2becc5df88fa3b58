/** Seeded pseudo-random numbers; synthesis is reproducible bit for bit, so results can be cached. */
export function createNoise(seed: number): { uniform(): number; gauss(): number } {
  let state = seed | 0;
  let spare: number | null = null;
  function uniform() {
    state = (Math.imul(state, 1664525) + 1013904223) | 0;
    return ((state >>> 0) + 0.5) * 2 ** -32;
  }
  function gauss() {
    if (spare !== null) {
      const value = spare;
      spare = null;
      return value;
    }
    const radius = Math.sqrt(-2 * Math.log(uniform()));
    const angle = 2 * Math.PI * uniform();
    spare = radius * Math.sin(angle);
    return radius * Math.cos(angle);
  }
  return { uniform, gauss };
}
