import type { Context } from "./context";
import written from "./words.json" with { type: "json" };

const longest = 5;
const byCharacter: Record<string, Record<string, string> | undefined> = written;
const parsed = new Map<string, Map<string, string>>();

/**
 * The reading a character has in the longest listed word around it. A listed word never cuts the character's own word
 * of the sentence in two: 行长 is not found in 举行长跑. Of equally long ones, a whole word of the sentence wins.
 */
export function findInWordList({ characters, words, at }: Context): string | null {
  const listed = wordsOf(characters[at] ?? "");
  if (listed.size === 0) return null;
  for (let length = longest; length > 1; length--) {
    let found: string | undefined;
    for (let from = Math.max(0, at - length + 1); from <= at && from + length <= characters.length; from++) {
      const reading = listed.get(characters.slice(from, from + length).join(""));
      if (!reading || cutsWord({ characters, words, at }, from, from + length)) continue;
      if (words.starts[from] === from && words.ends[from] === from + length) return reading;
      found ??= reading;
    }
    if (found) return found;
  }
  return null;
}

/**
 * Whether the stretch ends inside a word of the sentence although the character at `at` is part of a longer word too.
 * A character that stands alone may be listed with half of its neighbour: the segmenter errs more often there.
 */
function cutsWord({ words, at }: Context, from: number, to: number): boolean {
  const [start = at, end = at + 1] = [words.starts[at], words.ends[at]];
  const isInsideWord = from >= start && to <= end;
  if (end - start === 1 || isInsideWord) return false;
  return words.starts[from] !== from || words.ends[to - 1] !== to;
}

function wordsOf(character: string): Map<string, string> {
  const known = parsed.get(character);
  if (known) return known;
  const words = new Map<string, string>();
  for (const [reading, list] of Object.entries(byCharacter[character] ?? {})) {
    for (const word of list.split(" ")) words.set(word, reading);
  }
  parsed.set(character, words);
  return words;
}

/** The readings a character has in listed words. */
export function wordListReadings(character: string): string[] {
  return Object.keys(byCharacter[character] ?? {});
}

/** Listed words in which a character is read this way, the commonest first. */
export function listWords(character: string, reading: string): string[] {
  return (byCharacter[character]?.[reading] ?? "").split(" ").filter(Boolean);
}
