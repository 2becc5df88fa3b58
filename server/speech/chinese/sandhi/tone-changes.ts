export interface Syllable {
  char: string;
  /** Letters without the tone; erhua is a final r. */
  letters: string;
  lexicalTone: number;
  /** Surface tone. */
  tone: number;
  /** Set by a mark or the dictionary: triggers sandhi in neighbours but never changes. */
  isFixed: boolean;
  /** Bounds of its word in the run, in syllables. */
  wordStart: number;
  wordEnd: number;
}

export function setTone(syllable: Syllable | undefined, tone: number): void {
  if (syllable && !syllable.isFixed) syllable.tone = tone;
}

const numerals = "零〇一二三四五六七八九十";
const keepsAfter = new Set([...numerals, "第", "初", "周", "期", "拜", "高", "大"]);
const keepsBefore = new Set([..."零〇一二三四五六七八九十比又月号加减乘除既与和是"]);
/** Join two numbers: 三比一, 二点一, 三加一. */
const joints = new Set([..."比点又杠加减乘"]);
/** Numerals, and measures that are no verbs. */
const countedOnly = new Set([...numerals, ..."级层楼天年月期版类型组区"]);
/** Characters before a word-final 一: 统一, 唯一, 之一. */
const endsAfter = new Set([..."统唯惟之专单归逐择划"]);
/** 一 before these is an ordinal: 一楼, 一年级, 一线城市. */
const ordinals =
  /^(?:楼(?![盘宇])|年级|等[奖功舱座公]|季[度报]|审|单元|环路|把手|期[工项临]|线[城员工医明品岗]|战[期时后前爆]|级(?![级台阶一]))/;
const counting = new Set([..."同这那每某另各上下高低升降差提"]);
/** 一 after these is an ordinal (school year) only at the end of the word. */
const schoolYears = new Set(["高", "大", "初"]);

/** 一 and 不: yi2 and bu2 before a fourth tone, yi4 before others, neutral between two identical characters. */
export function applyYiBu(run: readonly Syllable[]): void {
  for (const [index, syllable] of run.entries()) {
    if (syllable.char !== "一" && syllable.char !== "不") continue;
    const before = run[index - 1];
    const after = run[index + 1];
    if (syllable.tone === 5) continue;
    const isBetween = before && after && before.char === after.char && !countedOnly.has(before.char);
    // 一步一步, 二杠一杠 and 等级一级 count; only 走一走 and 好不好 are unstressed.
    if (isBetween && !numerals.includes(run[index - 2]?.char ?? "-")) setTone(syllable, 5);
    else if (syllable.char === "不")
      setTone(syllable, syllable.lexicalTone === 4 && spokenTone(after) === 4 ? 2 : syllable.tone);
    else if (syllable.lexicalTone === 1)
      setTone(
        syllable,
        toneOfYi({ yi: syllable, earlier: run[index - 2], before, after, next: run[index + 2], index }),
      );
  }
}

interface SyllablePlace {
  yi: Syllable;
  earlier: Syllable | undefined;
  before: Syllable | undefined;
  after: Syllable | undefined;
  next: Syllable | undefined;
  index: number;
}

function toneOfYi({ yi, earlier, before, after, next, index }: SyllablePlace): number {
  if (!after || keepsBefore.has(after.char)) return 1;
  // Counts against two: 独一无二, 说一不二.
  if ("无不".includes(after.char) && next?.char === "二") return 1;
  const isJoined = before && joints.has(before.char) && numerals.includes(earlier?.char ?? "-");
  if (isJoined && before.char !== after.char && !"刻百千万亿".includes(after.char)) return 1;
  if (before && keepsAfter.has(before.char) && (!schoolYears.has(before.char) || yi.wordEnd === index + 1)) return 1;
  if (/^(?:月日|按[^下个次会])/.test(`${before?.char}${after.char}`)) return 1;
  if (ordinals.test(`${after.char}${next?.char ?? ""}`) && !counting.has(before?.char ?? "")) return 1;
  if (before && endsAfter.has(before.char)) return 1;
  if (before?.char === "万" && !"百千".includes(after.char)) return 1;
  return spokenTone(after) === 4 ? 2 : 4;
}

/** 个 is neutral in 一个 but still triggers yi2. */
function spokenTone(syllable: Syllable | undefined): number {
  if (!syllable) return 0;
  return syllable.char === "个" ? 4 : syllable.tone;
}

/**
 * Third-tone sandhi: a third tone before another becomes a second tone. Applies inside words, then inside pairs of
 * monosyllables, then between neighbouring feet of which one is a monosyllable; not between two longer words.
 */
export function applyThirdTone(run: readonly Syllable[]): void {
  const feet = toFeet(run);
  for (const { from, to } of feet) {
    const first = isPrefixed(run, from, to) ? from + 1 : from;
    for (let at = first; at + 1 < to; at++)
      riseBefore(run[at], run[at + 1], (next) => next.lexicalTone === 3 && next.tone !== 5);
  }
  for (const [index, { from, to }] of feet.entries()) {
    const following = feet[index + 1];
    if (!following || (to - from > 2 && following.to - following.from > 1)) continue;
    // A locative after a longer noun is unstressed: 总统府里 keeps the third tone of 府.
    if (to - from > 2 && run[to]?.char === locative) continue;
    if (isClose(to - from, following.to - following.from)) riseBefore(run[to - 1], run[to], (next) => next.tone === 3);
  }
}

/** A monosyllabic prefix keeps its third tone: 小老鼠, 纸老虎, but not 展览馆. */
const prefixes = new Set([..."小老纸冷总很李马许吕孔董"]);
const isPrefixed = (run: readonly Syllable[], from: number, to: number) =>
  to - from === 3 &&
  prefixes.has(run[from]?.char ?? "") &&
  run[from]?.wordEnd !== from + 2 &&
  run[from + 1]?.lexicalTone === 3 &&
  run[from + 2]?.lexicalTone === 3;

const isClose = (left: number, right: number) => left === 1 || right === 1 || (left === 2 && right === 1);

function riseBefore(
  syllable: Syllable | undefined,
  next: Syllable | undefined,
  rises: (next: Syllable) => boolean,
): void {
  if (syllable?.tone === 3 && next && rises(next)) setTone(syllable, 2);
}

/** Monosyllabic suffixes of nouns in third tone join the word before them: 展览馆, 讲演者, 洗脸水. */
const nounSuffixes = new Set([..."者馆厂府所谷岛港组品水笔纸奖史体法"]);
const locative = "里";

/** A noun suffix that is a word of its own, or the first of 馆里, after a word of two syllables. */
function isNounSuffix(run: readonly Syllable[], at: number, to: number, before: number): boolean {
  const isSuffix = nounSuffixes.has(run[at]?.char ?? "") && before === 2;
  return isSuffix && (to - at === 1 || (to - at === 2 && run[at + 1]?.char === locative));
}

const isOneWord = (run: readonly Syllable[], { from, to }: { from: number; to: number }) => run[from]?.wordEnd === to;

/** Prosodic feet: words, with monosyllables paired. */
function toFeet(run: readonly Syllable[]): Array<{ from: number; to: number }> {
  const feet: Array<{ from: number; to: number; isOpen: boolean }> = [];
  let at = 0;
  while (at < run.length) {
    const to = Math.max(run[at]?.wordEnd ?? 0, at + 1);
    const last = feet.at(-1);
    if (last && isNounSuffix(run, at, to, last.to - last.from) && isOneWord(run, last)) {
      last.to = at + 1;
      at++;
      continue;
    }
    if (to - at === 1 && last?.isOpen) {
      last.to = to;
      last.isOpen = false;
    } else feet.push({ from: at, to, isOpen: to - at === 1 });
    at = to;
  }
  return feet;
}
