import { createRequire } from "node:module";

const load = createRequire(import.meta.url);
/** Loads the dictionaries with the first reading: the main thread rarely reads, and starts without them. */
const loadPinyin = () => (load("pinyin-pro") as typeof import("pinyin-pro")).pinyin;

/** Characters missing from the lexicon. */
const rare: Record<string, string> = {
  𠮷: "ji2",
  𰻞: "biang2",
  𰻝: "biang2",
  𪚥: "zhe2",
  𠀀: "he1",
  𠂇: "zuo3",
  〇: "ling2",
  幺: "yao1",
};
const nasals: Record<string, string> = { ng: "en", n: "en", m: "en", hm: "heng", hng: "heng", ê: "ei", yo: "yo" };
const spelling = /^([a-zêü]+)([0-5])$/;

/** The lexicon's reading of each character ("hang2", v for ü, 5 for neutral tone); null for other characters. */
export function readLexicon(characters: readonly string[]): Array<string | null> {
  const read = loadPinyin()(characters.join(""), { type: "array", toneType: "num", toneSandhi: false, v: true });
  return characters.map((character, index) => rare[character] ?? toReading(read[index]));
}

/** All readings of one character in the lexicon, the most common first. */
export function listReadings(character: string): string[] {
  const listed = loadPinyin()(character, { type: "array", toneType: "num", multiple: true, v: true });
  return [...new Set(listed.flatMap((reading) => toReading(reading) ?? []))];
}

function toReading(written: string | undefined): string | null {
  const [, letters = "", tone] = spelling.exec(written ?? "") ?? [];
  if (!tone) return null;
  return `${nasals[letters] ?? letters.replaceAll("ü", "v")}${tone === "0" ? "5" : tone}`;
}
