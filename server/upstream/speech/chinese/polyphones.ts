import { toPieces } from "./normalise/pieces";
import { listReadings } from "./readings/lexicon";
import { readPieces } from "./readings/read";

/** A character that is read in more than one way, for the editor's underline. */
export interface Polyphone {
  /** UTF-16 place in the content. */
  offset: number;
  char: string;
  /** As it will be read here, in lexical tone ("hang2"). */
  reading: string;
  /** Every reading to choose from, this one first. */
  candidates: string[];
}

/** Finds the ambiguous characters the person wrote; numbers read out and characters with a mark are not asked about. */
export function findPolyphones(content: string): Polyphone[] {
  const found: Polyphone[] = [];
  for (const { kind, text, offset, length, pinyin = "", isPinned } of readPieces(toPieces(content, []))) {
    if (kind !== "char" || isPinned || content.slice(offset, offset + length) !== text) continue;
    const candidates = [...new Set([pinyin, ...listReadings(text)])];
    if (candidates.length > 1) found.push({ offset, char: text, reading: pinyin, candidates });
  }
  return found;
}
