import { type Syllable, setTone } from "./syllable";

/**
 * A third tone before another rises: first inside words, then inside pairs of one-syllable words, then between
 * neighbours of which one is a single syllable. Two longer words keep a boundary between them.
 */
export function applyThirdTone(run: readonly Syllable[]): void {
  const feet = toFeet(run);
  for (const { from, to } of feet) {
    const first = isPrefixed(run, from, to) ? from + 1 : from;
    for (let at = first; at + 1 < to; at++)
      riseBefore(run[at], run[at + 1], (next) => next.lexical === 3 && next.tone !== 5);
  }
  for (const [index, { from, to }] of feet.entries()) {
    const following = feet[index + 1];
    if (!following || (to - from > 2 && following.to - following.from > 1)) continue;
    if (isClose(to - from, following.to - following.from)) riseBefore(run[to - 1], run[to], (next) => next.tone === 3);
  }
}

/** One syllable before a word of two: 小老鼠 and 纸老虎 keep a low first syllable, 展览馆 does not. */
const prefixes = new Set([..."小老纸冷总很李马许吕孔董"]);
const isPrefixed = (run: readonly Syllable[], from: number, to: number) =>
  to - from === 3 &&
  prefixes.has(run[from]?.char ?? "") &&
  run[from + 1]?.lexical === 3 &&
  run[from + 2]?.lexical === 3;

const isClose = (left: number, right: number) => left === 1 || right === 1 || (left === 2 && right === 1);

function riseBefore(
  syllable: Syllable | undefined,
  next: Syllable | undefined,
  rises: (next: Syllable) => boolean,
): void {
  if (syllable?.tone === 3 && next && rises(next)) setTone(syllable, 2);
}

/** Words, with single syllables taken two by two. */
function toFeet(run: readonly Syllable[]): Array<{ from: number; to: number }> {
  const feet: Array<{ from: number; to: number; isOpen: boolean }> = [];
  let at = 0;
  while (at < run.length) {
    const to = Math.max(run[at]?.wordEnd ?? 0, at + 1);
    const last = feet.at(-1);
    if (to - at === 1 && last?.isOpen) {
      last.to = to;
      last.isOpen = false;
    } else feet.push({ from: at, to, isOpen: to - at === 1 });
    at = to;
  }
  return feet;
}
