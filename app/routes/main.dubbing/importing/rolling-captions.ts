/** Rows of a subtitle with its times. */
export interface Cue {
  startMs: number;
  endMs: number;
  /** Without blank rows. */
  rows: string[];
  name?: string;
}

/** A pause between two cues that still counts as rolling on. */
const gapMaxMs = 500;
/** Tools show a finished row for a few milliseconds before the next one rolls in. */
const flashMaxMs = 100;

/**
 * Machine captions roll: a cue repeats the rows of the cue before it and adds a row or some words. Returns every row
 * once. Ordinary subtitles stay as they are: there two people may say the same.
 */
export function withoutRepeats(cues: readonly Cue[], hasWordTimes: boolean): Cue[] {
  const repeats = cues.map((cue, index) => findRepeat(cues[index - 1], cue));
  const signs = repeats.filter((repeat) => repeat?.isRolling).length;
  if (!hasWordTimes && (signs < 2 || signs * 2 < cues.length - 1)) return [...cues];
  const shown: Cue[] = [];
  for (const [index, cue] of cues.entries()) {
    const repeat = repeats[index];
    const last = shown.at(-1);
    const added = cue.rows.slice(repeat?.rows ?? 0);
    if (repeat && last) {
      last.rows.push((last.rows.pop() ?? "") + repeat.grown);
      last.endMs = Math.max(last.endMs, added.length > 0 ? cue.startMs : cue.endMs);
    }
    if (added.length > 0) shown.push({ ...cue, rows: added });
  }
  return shown;
}

/** How many of the first rows a cue repeats from the end of the cue before it, and what its last one adds to it. */
function findRepeat(before: Cue | undefined, cue: Cue) {
  if (!before || cue.startMs > before.endMs + gapMaxMs) return null;
  for (let rows = Math.min(before.rows.length, cue.rows.length); rows > 0; rows--) {
    const tail = before.rows.slice(-rows);
    const begun = tail[rows - 1] ?? "";
    const isRepeat = tail.every((row, at) => (at < rows - 1 ? row === cue.rows[at] : cue.rows[at]?.startsWith(row)));
    if (!isRepeat) continue;
    const grown = cue.rows[rows - 1]?.slice(begun.length) ?? "";
    const isFlash = [before, cue].some(({ startMs, endMs }) => endMs - startMs <= flashMaxMs);
    return { rows, grown, isRolling: grown !== "" || cue.rows.length > rows || isFlash };
  }
  return null;
}
