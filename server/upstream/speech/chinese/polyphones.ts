import { toTokens } from "./normalise/tokens";
import type { DictionaryEntry } from "./readings/dictionary";
import { listReadings } from "./readings/lexicon";
import { commonReadings, type ReadToken, readTokens } from "./readings/read";
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
  /** The word around it, for the account's dictionary; a word of one character comes with its neighbour. */
  word: string;
  /** How that word is read here, a syllable for each character, and which of them is this one. */
  wordReading: string;
  wordAt: number;
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
  const pieces = readTokens(toTokens(content, dictionary));
  const isWritten = ({ kind, text, offset, length }: ReadToken) =>
    kind === "char" && [...text].length === 1 && content.slice(offset, offset + length) === text;
  for (const [at, piece] of pieces.entries()) {
    const { text, offset, pinyin = "", isPinned } = piece;
    if (!isWritten(piece) || (isLight(pinyin) && !isPinned)) continue;
    const usual = [...new Set([pinyin, ...commonReadings(text)])];
    if (usual.filter((reading) => !isLight(reading)).length < 2) continue;
    const candidates = [...new Set([...usual, ...listReadings(text)])];
    const examples = candidates.map((reading) => exampleOf(text, reading));
    found.push({ offset, char: text, reading: pinyin, candidates, examples, ...wordAround(pieces, at, isWritten) });
  }
  return found;
}

function wordAround(pieces: readonly ReadToken[], at: number, isWritten: (piece: ReadToken) => boolean) {
  const isNext = (left: number) => {
    const [one, other] = [pieces[left], pieces[left + 1]];
    return one && other && isWritten(one) && isWritten(other) && one.offset + one.length === other.offset;
  };
  const isSameWord = (left: number) => isNext(left) && pieces[left]?.word === pieces[left + 1]?.word;
  let from = at;
  let to = at;
  while (isSameWord(from - 1)) from--;
  while (isSameWord(to)) to++;
  if (from === to && isNext(from - 1)) from--;
  else if (from === to && isNext(to)) to++;
  const word = pieces.slice(from, to + 1);
  return {
    word: word.map(({ text }) => text).join(""),
    wordReading: word.map(({ pinyin }) => pinyin).join(" "),
    wordAt: at - from,
  };
}

const examplesEach = 3;
const exampleOf = (character: string, reading: string) =>
  listWords(character, reading)
    .filter((word) => word.length <= 3)
    .slice(0, examplesEach)
    .join("、");

const isLight = (reading: string) => reading.endsWith("5");
