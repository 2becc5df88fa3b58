/** One syllable on its way from the lexicon to the mouth. */
export interface Syllable {
  /** The character it is the reading of. */
  char: string;
  /** Letters without the tone, 儿化 as a final r. */
  letters: string;
  /** As in the lexicon. */
  lexical: number;
  /** As spoken. */
  tone: number;
  /** Set by a mark or the dictionary: others may change because of it, it never changes itself. */
  isPinned: boolean;
  /** Where its word starts and ends in the run, in syllables. */
  wordStart: number;
  wordEnd: number;
}

export function setTone(syllable: Syllable | undefined, tone: number): void {
  if (syllable && !syllable.isPinned) syllable.tone = tone;
}

const numerals = "零〇一二三四五六七八九十";
const keepsAfter = new Set([...numerals, "第", "初", "周", "期", "拜", "高", "大"]);
const keepsBefore = new Set([..."零〇一二三四五六七八九十比又", "月", "号"]);
/** Between two numbers: 三比一, 二点一. */
const joints = new Set(["比", "点", "又"]);
/** 一 that ends a word: 统一, 唯一, 之一. */
const endsAfter = new Set([..."统唯惟之专单归逐择划"]);
/** After 高, 大 it is an ordinal only where a school year is meant, that is at the end of the word. */
const schoolYears = new Set(["高", "大", "初"]);

/** 一 and 不 as spoken: yi2 and bu2 before a falling tone, yi4 before the others, light between two of the same. */
export function applyYiBu(run: readonly Syllable[]): void {
  for (const [index, syllable] of run.entries()) {
    if (syllable.char !== "一" && syllable.char !== "不") continue;
    const before = run[index - 1];
    const after = run[index + 1];
    if (syllable.tone === 5) continue;
    if (before && after && before.char === after.char && !numerals.includes(before.char)) setTone(syllable, 5);
    else if (syllable.char === "不")
      setTone(syllable, syllable.lexical === 4 && spokenTone(after) === 4 ? 2 : syllable.tone);
    else if (syllable.lexical === 1)
      setTone(syllable, toneOfYi({ yi: syllable, earlier: run[index - 2], before, after, index }));
  }
}

interface Place {
  yi: Syllable;
  earlier: Syllable | undefined;
  before: Syllable | undefined;
  after: Syllable | undefined;
  index: number;
}

function toneOfYi({ yi, earlier, before, after, index }: Place): number {
  if (!after || keepsBefore.has(after.char)) return 1;
  if (
    before &&
    joints.has(before.char) &&
    numerals.includes(earlier?.char ?? "-") &&
    !"刻百千万亿".includes(after.char)
  )
    return 1;
  if (before && keepsAfter.has(before.char)) {
    if (!schoolYears.has(before.char) || yi.wordEnd === index + 1) return 1;
  }
  if (before?.char === "月" && after.char === "日") return 1;
  if (before && endsAfter.has(before.char)) return 1;
  if (before?.char === "万" && !"百千".includes(after.char)) return 1;
  return spokenTone(after) === 4 ? 2 : 4;
}

/** 个 is light in 一个 but still makes a rising 一. */
function spokenTone(syllable: Syllable | undefined): number {
  if (!syllable) return 0;
  return syllable.char === "个" ? 4 : syllable.tone;
}

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
