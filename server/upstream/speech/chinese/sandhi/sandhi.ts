import type { ReadToken } from "../readings/read";
import { applyNeutralTone } from "./neutral-tone";
import { applyThirdTone, applyYiBu, type Syllable } from "./tone-changes";

/** Applies erhua, neutral tone and tone sandhi to each run of characters between pauses and Latin words. */
export function applySandhi(tokens: readonly ReadToken[]): ReadToken[] {
  const result: ReadToken[] = [];
  let run: ReadToken[] = [];
  for (const token of tokens) {
    if (token.kind === "char") {
      run.push(token);
      continue;
    }
    result.push(...applyToRun(run), token);
    run = [];
  }
  return [...result, ...applyToRun(run)];
}

function applyToRun(run: readonly ReadToken[]): ReadToken[] {
  const tokens = mergeErhua(run);
  const syllables = toSyllables(tokens);
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
