import type { ReadToken } from "../readings/read";
import neutral from "./neutral-tone.json" with { type: "json" };
import { applyThirdTone, applyYiBu, type Syllable, setTone } from "./tone-changes";

/** Applies erhua, neutral tone and tone sandhi to each run of characters between pauses and Latin words. */
export function applySandhi(tokens: readonly ReadToken[]): ReadToken[] {
  const result: ReadToken[] = [];
  let run: ReadToken[] = [];
  for (const token of tokens) {
    if (token.kind === "char") {
      run.push(token);
      continue;
    }
    result.push(...applyToRun(run, result.at(-1)), token);
    run = [];
  }
  return [...result, ...applyToRun(run, result.at(-1))];
}

function applyToRun(run: readonly ReadToken[], before: ReadToken | undefined): ReadToken[] {
  const tokens = mergeErhua(run);
  const syllables = toSyllables(tokens);
  // The 1 of T1 or Q1 is a name, not a count.
  const isNamed = before && /^[A-Z]$/.test(before.text) && before.offset + before.length === tokens[0]?.offset;
  if (isNamed && syllables[0]?.char === "一") syllables[0].isFixed = true;
  applyNeutralTone(syllables);
  applyYiBu(syllables);
  applyThirdTone(syllables);
  return tokens.map((token, index) => ({ ...token, pinyin: `${syllables[index]?.letters}${syllables[index]?.tone}` }));
}

function toSyllables(tokens: readonly ReadToken[]): Syllable[] {
  const ends: number[] = [];
  for (let at = tokens.length - 1; at >= 0; at--) {
    ends[at] = tokens[at]?.word === tokens[at + 1]?.word ? (ends[at + 1] ?? at + 1) : at + 1;
  }
  let start = 0;
  return tokens.map(({ text, pinyin = "", isFixed, word }, index) => {
    if (word !== tokens[index - 1]?.word) start = index;
    const tone = Number(pinyin.at(-1));
    const place = { wordStart: start, wordEnd: ends[index] ?? index + 1 };
    return { char: text, letters: pinyin.slice(0, -1), lexicalTone: tone, tone, isFixed, ...place };
  });
}

/** After these characters 儿 is a separate syllable: 女儿, 婴儿, 婉儿. */
const fullSyllableAfter = new Set([..."女婴幼孤健男宠少胎小妻患育托产血弃能运侄潮浪生婉雪雀麟娇痴盲聋仔吾我犬"]);
const fullSyllableBefore = new Set([..."子童女歌媳孙戏科时茶化郎曹皇臣"]);

/** Merges a rhotacising 儿 into the syllable before it: 花儿 becomes one unit, huar1. */
export function mergeErhua(run: readonly ReadToken[]): ReadToken[] {
  const joined: ReadToken[] = [];
  for (const [index, token] of run.entries()) {
    const last = joined.at(-1);
    const isRhotic = last && token.text === "儿" && !token.isFixed && canMerge(last, token);
    if (isRhotic && !fullSyllableAfter.has(last.text) && !fullSyllableBefore.has(run[index + 1]?.text ?? "")) {
      last.pinyin = last.pinyin?.replace(/([1-5])$/, "r$1");
      last.length += token.length;
    } else joined.push({ ...token });
  }
  return joined;
}

/** Syllables of an expanded number share a span and cannot absorb the next character. */
function canMerge(last: ReadToken, er: ReadToken): boolean {
  const isWritten = last.length === last.text.length && last.offset + last.length === er.offset;
  return isWritten && !last.pinyin?.includes("r", 1);
}

/** Reduplicated words with a neutral second syllable: 看看, 想想, 谢谢, 妈妈. */
const reduplicatedVerbs = new Set([..."看想试听说走坐等聊谈问找玩尝读写笑歇数算查猜比学练念闻摸推拉敲动转逛帮劝管谢"]);
const reduplicatedNouns = new Set([..."妈爸爷奶哥姐弟妹叔伯舅姑公婆姥婶娃宝星猩嬷嫂"]);
/** Potential complements, in which 不 is neutral. */
const potentials = new Set(neutral.potentials.split(" "));

function applyNeutralTone(run: readonly Syllable[]): void {
  for (const [index, syllable] of run.entries()) {
    const before = run[index - 1];
    if (!before) continue;
    if (before.char === syllable.char) neutraliseReduplication(run, index);
    else if (endsNeutralWord(run, index)) setTone(syllable, 5);
    else if (syllable.char === "不" && potentials.has(`${before.char}不${run[index + 1]?.char}`)) setTone(syllable, 5);
  }
}

/** Whether a syllable ends a listed word of one word: not in 种 + 子弹, nor doubled as in 结结实实. */
function endsNeutralWord(run: readonly Syllable[], index: number): boolean {
  const [earlier, before, syllable, after] = [run[index - 2], run[index - 1], run[index], run[index + 1]];
  if (!before || !syllable || !neutralToneWords.has(before.char + syllable.char)) return false;
  if (earlier?.char === before.char && after?.char === syllable.char) return false;
  const isLonger = before.wordEnd - before.wordStart > 1 || syllable.wordEnd - syllable.wordStart > 1;
  return before.wordEnd > index || !isLonger;
}

function neutraliseReduplication(run: readonly Syllable[], index: number): void {
  const [earlier, before, syllable, after] = [run[index - 2], run[index - 1], run[index], run[index + 1]];
  if (!before || !syllable || earlier?.char === syllable.char || after?.char === syllable.char) return;
  const isVerb = reduplicatedVerbs.has(syllable.char);
  if (isVerb || reduplicatedNouns.has(syllable.char)) setTone(syllable, 5);
  if (isVerb && before.tone === 3 && syllable.lexicalTone === 3) setTone(before, 2);
}

/** Words whose last syllable is neutral although the lexicon gives it a tone. */
const neutralToneWords: ReadonlySet<string> = new Set(neutral.words.split(" "));
