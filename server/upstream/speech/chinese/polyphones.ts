import { toPieces } from "./normalise/pieces";
import type { DictionaryEntry } from "./readings/dictionary";
import { listReadings } from "./readings/lexicon";
import { readPieces, usualReadings } from "./readings/read";
import { listWords } from "./readings/word-list";

/** A character that is read in more than one way, for the editor's underline. */
export interface Polyphone {
  /** UTF-16 place in the content. */
  offset: number;
  char: string;
  /** As it will be read here, in lexical tone ("hang2"). */
  reading: string;
  /** Every reading to choose from: this one, the usual ones, then the lexicon's rare ones. */
  candidates: string[];
  /** Everyday words for each candidate, in the same order; "" where none is listed. */
  examples: string[];
}

/**
 * Finds the characters somebody may want to read otherwise. Not asked about: characters whose other readings are only
 * rare or light, words that are light here (的, 了), numbers read out, and characters with a mark. Those the account's dictionary
 * reads are asked about with that reading first: what holds everywhere may be otherwise in one place.
 */
export function findPolyphones(
  content: string,
  { dictionary = [] }: { dictionary?: readonly DictionaryEntry[] } = {},
): Polyphone[] {
  const found: Polyphone[] = [];
  for (const { kind, text, offset, length, pinyin = "", isPinned } of readPieces(toPieces(content, dictionary))) {
    const isWritten = kind === "char" && [...text].length === 1 && content.slice(offset, offset + length) === text;
    if (!isWritten || (isLight(pinyin) && !isPinned)) continue;
    const usual = [...new Set([pinyin, ...usualReadings(text)])];
    if (usual.filter((reading) => !isLight(reading)).length < 2) continue;
    const candidates = [...new Set([...usual, ...listReadings(text)])];
    const examples = candidates.map((reading) => exampleOf(text, reading));
    found.push({ offset, char: text, reading: pinyin, candidates, examples });
  }
  return found;
}

const examplesEach = 3;
const exampleOf = (character: string, reading: string) =>
  listWords(character, reading)
    .filter((word) => word.length <= 3)
    .slice(0, examplesEach)
    .join("、");

const isLight = (reading: string) => reading.endsWith("5");
