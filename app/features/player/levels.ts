/** How many levels a second of sound has. */
export const levelsPerSecond = 25;

/** Peaks as loudness between 0 and 1, the loudest stretch being 1; silence stays 0. */
export function toLevels(peaks: readonly number[]): number[] {
  const most = peaks.reduce((highest, peak) => Math.max(highest, Math.abs(peak)), 0);
  return peaks.map((peak) => (most > 0 ? Math.abs(peak) / most : 0));
}

/** The loudness at a moment, between its two nearest levels; 0 outside the sound. */
export function levelAt(levels: readonly number[], seconds: number): number {
  const place = seconds * levelsPerSecond;
  const before = Math.floor(place);
  const [from, to] = [levels[before] ?? 0, levels[before + 1] ?? 0];
  return from + (to - from) * (place - before);
}
