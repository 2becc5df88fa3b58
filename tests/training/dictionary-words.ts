import { readFile } from "node:fs/promises";
import type { PolyphoneWeights } from "~server/speech/chinese/readings/disambiguate";
import { listReadings, readLexicon } from "~server/speech/chinese/readings/lexicon";

const longest = 5;
/** Characters that the dictionary writes after tone sandhi. */
const changing = new Set(["一", "不"]);
const tones: Record<string, string> = { "\u0304": "1", "\u0301": "2", "\u030c": "3", "\u0300": "4" };

/** The reading of a character in each of its words. */
type WordReadings = Map<string, string>;

/**
 * Words that tell the reading of a character with several readings, from a dictionary of the form
 * `{word: [pinyin, frequency]}` (complete.json of the package @pinyin-pro/data). Leaves out a word whose reading follows
 * from shorter ones, and of a character without two trained readings a word that the lexicon reads so.
 */
export async function readDictionary(
  file: string,
  { characters }: PolyphoneWeights,
): Promise<Record<string, Record<string, string>>> {
  const entries: Record<string, [string, number]> = JSON.parse(await readFile(file, "utf8"));
  const kept = new Map<string, WordReadings>();
  const byLength = Object.entries(entries).sort(
    ([one], [other]) => one.length - other.length || (one < other ? -1 : 1),
  );
  for (const [word, [pinyin]] of byLength) {
    const syllables = pinyin.split(" ").map(toReading);
    const letters = [...word];
    if (letters.length < 2 || letters.length > longest || syllables.length !== letters.length) continue;
    for (const [at, letter] of letters.entries()) {
      const reading = syllables[at] ?? "";
      const isTrained = characters[letter]?.counts.includes(" ") ?? false;
      if (letters.indexOf(letter) !== at || changing.has(letter)) continue;
      if (!isTrained && !readingsOf(letter).includes(reading)) continue;
      const own = kept.get(letter) ?? new Map();
      const shorter = readingsWithin(own, letters, at);
      const isKnown = shorter.size > 0 || (!isTrained && readLexicon(letters)[at] === reading);
      if (isKnown && (shorter.size === 0 || (shorter.size === 1 && shorter.has(reading)))) continue;
      kept.set(letter, own.set(word, reading));
    }
  }
  return Object.fromEntries([...kept].sort().map(([character, own]) => [character, groupByReading(own)]));
}

/** Readings of the character in shorter words within the word. A longer word stays when one differs: 人行, 人行道. */
function readingsWithin(own: WordReadings, letters: readonly string[], at: number): Set<string> {
  const found = new Set<string>();
  for (let from = 0; from <= at; from++) {
    for (let to = Math.max(at + 1, from + 2); to <= letters.length; to++) {
      const reading = own.get(letters.slice(from, to).join(""));
      if (reading) found.add(reading);
    }
  }
  return found;
}

function groupByReading(own: WordReadings): Record<string, string> {
  const grouped: Record<string, string> = {};
  for (const [word, reading] of [...own].sort())
    grouped[reading] = grouped[reading] ? `${grouped[reading]} ${word}` : word;
  return grouped;
}

const several = new Map<string, string[]>();
const readingsOf = (character: string) => {
  const known = several.get(character) ?? listReadings(character);
  several.set(character, known);
  return known.length > 1 ? known : [];
};

/** háng → hang2; ǚ → v3. */
function toReading(syllable: string): string {
  const parts = [...syllable.normalize("NFD")];
  const tone = parts.map((part) => tones[part]).find(Boolean) ?? "5";
  const letters = parts.filter((part) => !tones[part]).join("");
  return `${letters.replaceAll("u\u0308", "v")}${tone}`;
}
