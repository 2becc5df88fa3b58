import type { ReadingContext } from "./context";
import dictionary from "./dictionary-words.json" with { type: "json" };
import written from "./words.json" with { type: "json" };

const maxWordLength = 5;
type WordsByReading = Record<string, Record<string, string> | undefined>;
const byCharacter: WordsByReading = written;
const findListedWords = createIndex(byCharacter);
const findDictionaryWords = createIndex(dictionary);

/**
 * Returns the character's reading in the longest listed word that contains it, or null. A listed word that would split a
 * segmented word is ignored: 行长 does not match in 举行长跑. Among equal lengths, a whole segmented word wins.
 */
export function findInWordList(
  { characters, words, at }: ReadingContext,
  isUsable: (word: string) => boolean = () => true,
  findEntries = findListedWords,
): string | null {
  const listed = findEntries(characters[at] ?? "");
  if (listed.size === 0) return null;
  for (let length = maxWordLength; length > 1; length--) {
    let found: string | undefined;
    for (let from = Math.max(0, at - length + 1); from <= at && from + length <= characters.length; from++) {
      const word = characters.slice(from, from + length).join("");
      const reading = listed.get(word);
      if (!reading || !isUsable(word) || splitsWord({ characters, words, at }, from, from + length)) continue;
      if (words.starts[from] === from && words.ends[from] === from + length) return reading;
      found ??= reading;
    }
    if (found) return found;
  }
  return null;
}

/**
 * Words of one character that the segmenter finds reliably: 发明了 is 发明 and 了, 武汉将 is 武汉 and 将. Others were
 * compared on running text and read worse: 过, 场, 待, 卡.
 */
const reliable = new Set([..."的了中为和还将都着正数传分更发当供难省"]);

/**
 * Whether the range splits a segmented word while the character belongs to a longer word itself. Other words of one
 * character are exempt, because the segmenter errs more often there.
 */
function splitsWord({ characters, words, at }: ReadingContext, from: number, to: number): boolean {
  const [start = at, end = at + 1] = [words.starts[at], words.ends[at]];
  const isInsideWord = from >= start && to <= end;
  if (isInsideWord || (end - start === 1 && !reliable.has(characters[at] ?? ""))) return false;
  return words.starts[from] !== from || words.ends[to - 1] !== to;
}

/** The same in words of a general dictionary, which are less certain than listed ones. */
export const findInDictionary = (context: ReadingContext) => findInWordList(context, undefined, findDictionaryWords);

/** Returns a function that finds the reading of a character in each of its words. Reads a character at its first use. */
function createIndex(entries: WordsByReading): (character: string) => ReadonlyMap<string, string> {
  const parsed = new Map<string, ReadonlyMap<string, string>>();
  return (character) => {
    const known = parsed.get(character);
    if (known) return known;
    const words = new Map<string, string>();
    for (const [reading, list] of Object.entries(entries[character] ?? {})) {
      for (const word of list.split(" ")) words.set(word, reading);
    }
    parsed.set(character, words);
    return words;
  };
}

/** Readings of a character that occur in the word list. */
export function wordListReadings(character: string): string[] {
  return Object.keys(byCharacter[character] ?? {});
}

/** Listed words with this reading of the character, most common first. */
export function listWords(character: string, reading: string): string[] {
  return (byCharacter[character]?.[reading] ?? "").split(" ").filter(Boolean);
}
