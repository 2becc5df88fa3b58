import type { CallData } from "~server/contract/calls/table";
import { toTokens } from "./normalise/tokens";
import type { DictionaryEntry } from "./readings/dictionary";
import { listReadings } from "./readings/lexicon";
import { commonReadings, type ReadToken, readTokens } from "./readings/read";
import { listWords } from "./readings/word-list";

/** A character with several readings, whose reading the editor lets people choose. */
export type Polyphone = CallData<"readings">["list"][number];

/**
 * Finds characters whose reading may need correction. Excludes characters whose other readings are rare or the same in
 * neutral tone, expanded numbers, and characters with a reading mark. Dictionary readings are listed first.
 */
export function findPolyphones(
  content: string,
  { dictionary = [] }: { dictionary?: readonly DictionaryEntry[] } = {},
): Polyphone[] {
  const found: Polyphone[] = [];
  const tokens = readTokens(toTokens(content, dictionary));
  const isWritten = ({ kind, text, offset, length }: ReadToken) =>
    kind === "char" && [...text].length === 1 && content.slice(offset, offset + length) === text;
  for (const [at, token] of tokens.entries()) {
    const { text, offset, pinyin = "", isUnsure } = token;
    if (!isWritten(token)) continue;
    const common = [...new Set([pinyin, ...commonReadings(text)])];
    if (common.filter((reading) => !isWeakForm(reading, common)).length < 2) continue;
    const candidates = [...new Set([...common, ...listReadings(text)])];
    const examples = candidates.map((reading) => exampleOf(text, reading));
    found.push({
      offset,
      char: text,
      reading: pinyin,
      isUnsure,
      candidates,
      examples,
      ...surroundingWord(tokens, at, isWritten),
    });
  }
  return found;
}

function surroundingWord(tokens: readonly ReadToken[], at: number, isWritten: (token: ReadToken) => boolean) {
  const isAdjacent = (left: number) => {
    const [one, other] = [tokens[left], tokens[left + 1]];
    return one && other && isWritten(one) && isWritten(other) && one.offset + one.length === other.offset;
  };
  const isSameWord = (left: number) => isAdjacent(left) && tokens[left]?.word === tokens[left + 1]?.word;
  let from = at;
  let to = at;
  while (isSameWord(from - 1)) from--;
  while (isSameWord(to)) to++;
  const word = tokens.slice(from, to + 1);
  return {
    word: word.map(({ text }) => text).join(""),
    wordReading: word.map(({ pinyin }) => pinyin).join(" "),
    wordAt: at - from,
  };
}

const maxExamples = 3;
const exampleOf = (character: string, reading: string) =>
  listWords(character, reading)
    .filter((word) => word.length <= 3)
    .slice(0, maxExamples)
    .join("、");

/** 友 of 朋友 is a weak form of you3; 了 is a reading of its own beside liao3. */
const isWeakForm = (reading: string, all: readonly string[]) =>
  reading.endsWith("5") && all.some((other) => other !== reading && other.slice(0, -1) === reading.slice(0, -1));
