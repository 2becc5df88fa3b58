const shown = 15;

/** `SLOWEST 12.3 s name` for the fifteen tests that took longest. */
export const slowestLines = (tests: ReadonlyArray<{ name: string; ms: number }>): string[] =>
  [...tests]
    .sort((a, b) => b.ms - a.ms)
    .slice(0, shown)
    .map(({ name, ms }) => `SLOWEST ${(ms / 1000).toFixed(1)} s ${name}`);
