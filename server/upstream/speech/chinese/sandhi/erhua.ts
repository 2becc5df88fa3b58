import type { ReadPiece } from "../readings/read";

/** 儿 is a syllable of its own after these: 女儿, 婴儿, 婉儿. */
const full = new Set([..."女婴幼孤健男宠少胎小妻患育托产血弃能运侄潮浪生婉雪雀麟娇痴盲聋仔吾我犬"]);
const followers = new Set([..."子童女歌媳孙戏科时茶化郎曹皇臣"]);

/** Joins a 儿 that only colours the syllable before it: 花儿 is one unit, huar1. */
export function joinErhua(run: readonly ReadPiece[]): ReadPiece[] {
  const joined: ReadPiece[] = [];
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
function canColour(last: ReadPiece, er: ReadPiece): boolean {
  const isWritten = last.length === last.text.length && last.offset + last.length === er.offset;
  return isWritten && !last.pinyin?.includes("r", 1);
}
