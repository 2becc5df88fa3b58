import { Converter } from "opencc-js/t2cn";
import type { Token } from "../normalise/normalise";
import { findWords } from "./context";
import { createDisambiguator } from "./disambiguate";
import { readLexicon } from "./lexicon";
import weights from "./weights.json" with { type: "json" };
import { wordListReadings } from "./word-list";

/** A piece with its reading in context, and the word it belongs to. */
export interface ReadToken extends Token {
  isPinned: boolean;
  /** Equal for the characters of one word. */
  word: number;
}

/** What stands for a pause or a Latin word in the text the readings are looked up in. */
const standIns: Record<string, string> = {
  comma: "，",
  sentence: "。",
  exclamation: "！",
  question: "？",
  paragraph: "\n",
};

const learnt: Record<string, { counts: string } | undefined> = weights.characters;
const disambiguate = createDisambiguator(weights);

/** The reading of every character in its sentence, null where it is not a Chinese one. */
export function readCharacters(characters: readonly string[], words = findWords(characters)): Array<string | null> {
  return readLexicon(characters).map((guess, at) => guess && disambiguate({ characters, words, at }, guess));
}

/** The readings a character was seen with in real sentences and listed words; fewer than the lexicon knows. */
export function commonReadings(character: string): string[] {
  const seen = (learnt[character]?.counts ?? "").split(" ").flatMap((pair) => pair.split(":")[0] || []);
  return [...new Set([...seen, ...wordListReadings(character)])];
}

/** Gives every character its lexical reading; characters without one are left out. */
export function readTokens(pieces: readonly Token[]): ReadToken[] {
  const characters = toSimplified(pieces.map(toCharacter));
  const words = findWords(characters);
  const readings = readCharacters(characters, words);
  const read = pieces.map((piece, index) => ({
    ...piece,
    pinyin: piece.pinyin ?? (piece.kind === "char" ? (readings[index] ?? undefined) : undefined),
    isPinned: piece.pinyin !== undefined,
    word: words.starts[index] ?? index,
  }));
  return read.filter(({ kind, pinyin }) => kind !== "char" || pinyin);
}

/** One character each, so that places agree; a word the dictionary reads as a whole is a blank. */
function toCharacter({ kind, text, strength }: Token): string {
  if (kind === "pause") return standIns[strength ?? "comma"] ?? "，";
  if (kind === "latin") return "A";
  const [first = "A", ...rest] = text;
  return rest.length === 0 ? first : "A";
}

/** The 6,763 Chinese characters of GB 2312; a character outside it may be a traditional one. */
const commonSimplified = new Set(decodeRows());
const han = /\p{Script=Han}/u;
let converters: { plain: (text: string) => string; taiwan: (text: string) => string } | undefined;

/**
 * The same characters in simplified form, one for one, so that readings can be looked up: 銀行行長 → 银行行长. Text
 * without traditional characters is returned as it is, and then the conversion tables are not even loaded.
 */
export function toSimplified(characters: readonly string[]): readonly string[] {
  if (characters.every((character) => commonSimplified.has(character) || !han.test(character))) return characters;
  converters ??= { plain: Converter({ from: "t", to: "cn" }), taiwan: Converter({ from: "tw", to: "cn" }) };
  const text = characters.join("");
  if (converters.plain(text) === text) return characters;
  const simplified = [...converters.taiwan(text)];
  return simplified.length === characters.length ? simplified : characters;
}

function* decodeRows(): Generator<string> {
  const decoder = new TextDecoder("gbk");
  for (let row = 0xb0; row <= 0xf7; row++) {
    for (let cell = 0xa1; cell <= 0xfe; cell++) yield decoder.decode(Uint8Array.of(row, cell));
  }
}
