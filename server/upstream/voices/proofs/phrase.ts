import { randomInt } from "node:crypto";
import { type PhraseWord, phraseWords } from "./phrase-words";

export const phraseLines = 2;
const wordsPerLine = 5;

type PickIndex = (below: number) => number;

/**
 * Two lines of ten characters to read aloud: five words each, no word twice or in `transcript`, and no word that begins
 * like the previous one ends. 3 × 10²¹ phrases; chosen by the system's secure random numbers.
 */
export function createPhrase(transcript = "", pick: PickIndex = randomInt): string[][] {
  const free = phraseWords.filter(({ text }) => !transcript.includes(text));
  const chosen: PhraseWord[] = [];
  for (let count = 0; count < phraseLines * wordsPerLine; count++) {
    const previous = chosen.at(-1);
    const possible = free.filter((word) => !chosen.includes(word) && (!previous || isUnlike(previous, word)));
    const word = possible[pick(possible.length)];
    if (!word) throw new Error("too few words for a phrase");
    chosen.push(word);
  }
  const texts = chosen.map(({ text }) => text);
  return [texts.slice(0, wordsPerLine), texts.slice(wordsPerLine)];
}

/** The syllables that meet differ in initial and final, so that a listener can tell them apart. */
function isUnlike(before: PhraseWord, after: PhraseWord): boolean {
  const [left, right] = [split(before.syllables[1]), split(after.syllables[0])];
  return left.initial !== right.initial && left.final !== right.final;
}

function split(syllable: string): { initial: string; final: string } {
  const initial = /^(?:[zcs]h|[^aeiouv])?/.exec(syllable)?.[0] ?? "";
  return { initial, final: syllable.slice(initial.length) };
}
