import { readFile } from "node:fs/promises";
import type { PolyphoneWeights } from "~server/upstream/speech/chinese/readings/disambiguate";

const longest = 5;
const tones: Record<string, string> = { "\u0304": "1", "\u0301": "2", "\u030c": "3", "\u0300": "4" };

/**
 * Words that tell the reading of a character with several readings, from a dictionary of the form
 * `{word: [pinyin, frequency]}` (complete.json of the package @pinyin-pro/data). Leaves out a word whose reading follows
 * from shorter ones.
 */
export async function readDictionary(
  file: string,
  { characters }: PolyphoneWeights,
): Promise<Record<string, Record<string, string>>> {
  const entries: Record<string, [string, number]> = JSON.parse(await readFile(file, "utf8"));
  const readings = new Map<string, string>();
  for (const [word, [pinyin]] of Object.entries(entries)) {
    const syllables = pinyin.split(" ").map(toReading);
    const letters = [...word];
    if (letters.length < 2 || letters.length > longest || syllables.length !== letters.length) continue;
    for (const [at, letter] of letters.entries()) {
      const isAmbiguous = characters[letter]?.counts.includes(" ");
      if (isAmbiguous && letters.indexOf(letter) === at) readings.set(`${letter} ${word}`, syllables[at] ?? "");
    }
  }
  const result: Record<string, Record<string, string>> = {};
  for (const [key, reading] of [...readings].sort()) {
    const [character = "", word = ""] = key.split(" ");
    if (followsFromShorter(readings, { character, word, reading })) continue;
    const own = result[character] ?? {};
    result[character] = own;
    own[reading] = own[reading] ? `${own[reading]} ${word}` : word;
  }
  return Object.fromEntries(Object.entries(result).filter(([, own]) => Object.keys(own).length > 1));
}

/** Whether shorter words within the word have this reading and none has another: 人行 forbids it for 人行道. */
function followsFromShorter(
  readings: ReadonlyMap<string, string>,
  { character, word, reading }: { character: string; word: string; reading: string },
): boolean {
  const letters = [...word];
  const at = letters.indexOf(character);
  const found = new Set<string>();
  for (let from = 0; from <= at; from++) {
    for (let to = Math.max(at + 1, from + 2); to <= letters.length; to++) {
      const part = readings.get(`${character} ${letters.slice(from, to).join("")}`);
      if (part && to - from < letters.length) found.add(part);
    }
  }
  return found.size === 1 && found.has(reading);
}

/** háng → hang2; ǚ → v3. */
function toReading(syllable: string): string {
  const parts = [...syllable.normalize("NFD")];
  const tone = parts.map((part) => tones[part]).find(Boolean) ?? "5";
  const letters = parts.filter((part) => !tones[part]).join("");
  return `${letters.replaceAll("u\u0308", "v")}${tone}`;
}
