import type { Context } from "./context";
import written from "./words.json" with { type: "json" };

const longest = 5;
const byCharacter: Record<string, Record<string, string> | undefined> = written;
const parsed = new Map<string, Map<string, string>>();

/** The reading a character has in the longest listed word around it; of equals the one that is a word of the sentence. */
export function findListed({ characters, words, at }: Context): string | null {
  const listed = wordsOf(characters[at] ?? "");
  if (listed.size === 0) return null;
  for (let length = longest; length > 1; length--) {
    let found: string | undefined;
    for (let from = Math.max(0, at - length + 1); from <= at && from + length <= characters.length; from++) {
      const reading = listed.get(characters.slice(from, from + length).join(""));
      if (reading && words.starts[from] === from && words.ends[from] === from + length) return reading;
      found ??= reading;
    }
    if (found) return found;
  }
  return null;
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
export function listedReadings(character: string): string[] {
  return Object.keys(byCharacter[character] ?? {});
}

/** Listed words in which a character is read this way, the commonest first. */
export function listWords(character: string, reading: string): string[] {
  return (byCharacter[character]?.[reading] ?? "").split(" ").filter(Boolean);
}
