import type { ReadToken } from "../readings/read";
import { applyNeutralTone } from "./neutral-tone";
import { applyThirdTone, applyYiBu, type Syllable } from "./tone-changes";

/** Turns lexical readings into spoken ones, run by run; a run ends at a pause or a Latin word. */
export function applySandhi(pieces: readonly ReadToken[]): ReadToken[] {
  const spoken: ReadToken[] = [];
  let run: ReadToken[] = [];
  for (const piece of pieces) {
    if (piece.kind === "char") {
      run.push(piece);
      continue;
    }
    spoken.push(...speakRun(run), piece);
    run = [];
  }
  return [...spoken, ...speakRun(run)];
}

function speakRun(run: readonly ReadToken[]): ReadToken[] {
  const pieces = mergeErhua(run);
  const syllables = toSyllables(pieces);
  applyNeutralTone(syllables);
  applyYiBu(syllables);
  applyThirdTone(syllables);
  return pieces.map((piece, index) => ({ ...piece, pinyin: `${syllables[index]?.letters}${syllables[index]?.tone}` }));
}

function toSyllables(pieces: readonly ReadToken[]): Syllable[] {
  const ends: number[] = [];
  for (let at = pieces.length - 1; at >= 0; at--) {
    ends[at] = pieces[at]?.word === pieces[at + 1]?.word ? (ends[at + 1] ?? at + 1) : at + 1;
  }
  let start = 0;
  return pieces.map(({ text, pinyin = "", isPinned, word }, index) => {
    if (word !== pieces[index - 1]?.word) start = index;
    const tone = Number(pinyin.at(-1));
    const place = { wordStart: start, wordEnd: ends[index] ?? index + 1 };
    return { char: text, letters: pinyin.slice(0, -1), lexical: tone, tone, isPinned, ...place };
  });
}

/** 儿 is a syllable of its own after these: 女儿, 婴儿, 婉儿. */
const full = new Set([..."女婴幼孤健男宠少胎小妻患育托产血弃能运侄潮浪生婉雪雀麟娇痴盲聋仔吾我犬"]);
const followers = new Set([..."子童女歌媳孙戏科时茶化郎曹皇臣"]);

/** Joins a 儿 that only colours the syllable before it: 花儿 is one unit, huar1. */
export function mergeErhua(run: readonly ReadToken[]): ReadToken[] {
  const joined: ReadToken[] = [];
  for (const [index, piece] of run.entries()) {
    const last = joined.at(-1);
    const isColour = last && piece.text === "儿" && !piece.isPinned && canColour(last, piece);
    if (isColour && !full.has(last.text) && !followers.has(run[index + 1]?.text ?? "")) {
      last.pinyin = last.pinyin?.replace(/([1-5])$/, "r$1");
      last.length += piece.length;
    } else joined.push({ ...piece });
  }
  return joined;
}

/** A number that is read out shares its place with other syllables and cannot take in what follows it. */
function canColour(last: ReadToken, er: ReadToken): boolean {
  const isWritten = last.length === last.text.length && last.offset + last.length === er.offset;
  return isWritten && !last.pinyin?.includes("r", 1);
}
