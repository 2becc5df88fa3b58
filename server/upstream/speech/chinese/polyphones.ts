import { toPieces } from "./normalise/pieces";
import { listReadings } from "./readings/lexicon";
import { readPieces, usualReadings } from "./readings/read";

/** A character that is read in more than one way, for the editor's underline. */
export interface Polyphone {
  /** UTF-16 place in the content. */
  offset: number;
  char: string;
  /** As it will be read here, in lexical tone ("hang2"). */
  reading: string;
  /** Every reading to choose from: this one, the usual ones, then the lexicon's rare ones. */
  candidates: string[];
}

/**
 * Finds the characters somebody may want to read otherwise. Not asked about: characters whose other readings are only
 * rare or light, words that are light here (的, 了), numbers read out, and characters with a mark.
 */
export function findPolyphones(content: string): Polyphone[] {
  const found: Polyphone[] = [];
  for (const { kind, text, offset, length, pinyin = "", isPinned } of readPieces(toPieces(content, []))) {
    const isWritten = kind === "char" && content.slice(offset, offset + length) === text;
    if (!isWritten || isPinned || isLight(pinyin)) continue;
    const usual = [...new Set([pinyin, ...usualReadings(text)])];
    if (usual.filter((reading) => !isLight(reading)).length < 2) continue;
    found.push({ offset, char: text, reading: pinyin, candidates: [...new Set([...usual, ...listReadings(text)])] });
  }
  return found;
}

const isLight = (reading: string) => reading.endsWith("5");
