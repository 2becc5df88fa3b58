import { parseMarks } from "~server/contract/marks";
import { type DictionaryEntry, matchDictionary } from "../readings/dictionary";
import { normalise, type Token } from "./normalise";
import { strengths } from "./symbols";

const han = /^\p{Script=Han}$/u;

/** Content with its marks and the account's words as pieces in reading order. */
export function toTokens(content: string, dictionary: readonly DictionaryEntry[]): Token[] {
  const pieces: Token[] = [];
  for (const mark of parseMarks(content)) {
    const { offset, length } = mark;
    if (mark.kind === "text") pieces.push(...readText(mark.text, offset, dictionary));
    else if (mark.kind === "pause")
      pieces.push({
        kind: "pause",
        text: content.slice(offset, offset + length),
        offset,
        length,
        pauseMs: mark.pauseMs,
      });
    else pieces.push({ kind: "char", text: mark.char, offset, length, pinyin: mark.pinyin });
  }
  return mergePauses(pieces);
}

function readText(text: string, offset: number, dictionary: readonly DictionaryEntry[]): Token[] {
  const pieces: Token[] = [];
  let from = 0;
  for (const match of matchDictionary(text, dictionary)) {
    pieces.push(...normalise(text.slice(from, match.offset), offset + from), ...readEntry(text, offset, match));
    from = match.offset + match.length;
  }
  pieces.push(...normalise(text.slice(from), offset + from));
  return pieces;
}

function readEntry(
  text: string,
  offset: number,
  match: { offset: number; length: number; syllables: string[] },
): Token[] {
  const word = text.slice(match.offset, match.offset + match.length);
  const characters = [...word];
  const isEach = characters.length === match.syllables.length && characters.every((each) => han.test(each));
  let at = offset + match.offset;
  return match.syllables.map((pinyin, index) => {
    const character = isEach ? (characters[index] ?? "") : word;
    const piece: Token = { kind: "char", text: character, offset: at, length: character.length, pinyin };
    if (isEach) at += character.length;
    return piece;
  });
}

/** Punctuation that stands together is one pause, as long as its strongest; a mark takes in the punctuation beside it. */
function mergePauses(pieces: readonly Token[]): Token[] {
  const merged: Token[] = [];
  for (const piece of pieces) {
    const last = merged.at(-1);
    const isMerged = last?.kind === "pause" && piece.kind === "pause" && !(last.pauseMs && piece.pauseMs);
    if (!isMerged) {
      merged.push({ ...piece });
      continue;
    }
    last.length = piece.offset + piece.length - last.offset;
    last.pauseMs ??= piece.pauseMs;
    last.strength = stronger(last.strength, piece.strength);
  }
  return merged;
}

function stronger(left: Token["strength"], right: Token["strength"]): Token["strength"] {
  if (!left || !right) return left ?? right;
  return strengths.indexOf(left) > strengths.indexOf(right) ? left : right;
}
