import { type Syllable, setTone } from "./syllable";

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
