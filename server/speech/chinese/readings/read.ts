import { Converter } from "opencc-js/t2cn";
import type { Token } from "../normalise/normalise";
import { findWords } from "./context";
import { createDisambiguator, type ReadingChoice } from "./disambiguate";
import doubtModel from "./doubt.json" with { type: "json" };
import { readLexicon } from "./lexicon";
import weights from "./weights.json" with { type: "json" };
import { wordListReadings } from "./word-list";

/** A token with its reading in context and its word. */
export interface ReadToken extends Token {
  isFixed: boolean;
  /** Whether the reading may be wrong: the editor underlines it. */
  isUnsure: boolean;
  /** Index of the word; equal for the characters of one word. */
  word: number;
}

/** Placeholders for pauses in the text that readings are looked up in. */
const pausePlaceholders: Record<string, string> = {
  comma: "，",
  sentence: "。",
  exclamation: "！",
  question: "？",
  paragraph: "\n",
};

const trainedCharacters: Record<string, { counts: string } | undefined> = weights.characters;
const disambiguate = createDisambiguator(weights);

/** The reading of every character in its sentence; null for other than Chinese characters. */
export function readCharacters(characters: readonly string[], words = findWords(characters)): Array<string | null> {
  return chooseReadings(characters, words).map((choice) => choice?.reading ?? null);
}

const chooseReadings = (characters: readonly string[], words = findWords(characters)): Array<ReadingChoice | null> =>
  readLexicon(characters).map((guess, at) => (guess ? disambiguate({ characters, words, at }, guess) : null));

/** Readings that occur in the training sentences or the word list; a subset of the lexicon's. */
export function commonReadings(character: string): string[] {
  const trained = (trainedCharacters[character]?.counts ?? "").split(" ").flatMap((pair) => pair.split(":")[0] || []);
  return [...new Set([...trained, ...wordListReadings(character)])];
}

/** Adds the lexical reading to every token; drops characters without one. */
export function readTokens(tokens: readonly Token[]): ReadToken[] {
  const characters = toCharacters(tokens);
  const words = findWords(characters);
  const choices = chooseReadings(characters, words);
  const read = tokens.map((token, index) => {
    const choice = token.kind === "char" && token.pinyin === undefined ? choices[index] : null;
    return {
      ...token,
      pinyin: token.pinyin ?? choice?.reading,
      isFixed: token.pinyin !== undefined,
      isUnsure: choice ? doubtOf(doubtModel, choice) > doubtLimit : false,
      word: words.starts[index] ?? index,
    };
  });
  return read.filter(({ kind, pinyin }) => kind !== "char" || pinyin);
}

/** The text that readings are looked up in: one simplified character per token. */
export const toCharacters = (tokens: readonly Token[]): readonly string[] => toSimplified(tokens.map(toCharacter));

/** One character per token, so that indices agree; multi-character tokens become a placeholder. */
function toCharacter({ kind, text, strength }: Token): string {
  if (kind === "pause") return pausePlaceholders[strength ?? "comma"] ?? "，";
  if (kind === "latin") return "A";
  const [first = "A", ...rest] = text;
  return rest.length === 0 ? first : "A";
}

/** The 6,763 characters of GB 2312; others may be traditional. */
const commonSimplified = new Set(decodeRows());
const han = /\p{Script=Han}/u;
let converters: { plain: (text: string) => string; taiwan: (text: string) => string } | undefined;

/**
 * Converts characters to simplified form, one to one, for lookup: 銀行行長 → 银行行长. Builds the converters only when
 * the text has traditional characters.
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

/** Parameters of the logistic model of wrong readings. */
export interface DoubtModel {
  /** The intercept and one weight for each feature. */
  weights: readonly number[];
  /** Log odds of a wrong reading by character, and of all others; measured by cross-validation. */
  characters: Readonly<Record<string, number>>;
  other: number;
}

/**
 * Above this probability of a wrong reading a character is underlined. Measured on everyday sentences: under 4 % of
 * the characters, with four fifths of the errors of unseen sentences among them.
 */
export const doubtLimit = 0.048;

/** The probability that a reading is wrong. */
export function doubtOf(model: DoubtModel, choice: ReadingChoice): number {
  const [intercept = 0, ...weights] = model.weights;
  const rate = model.characters[choice.character] ?? model.other;
  const features = doubtFeatures(choice, rate);
  return 1 / (1 + Math.exp(-features.reduce((sum, value, i) => sum + value * (weights[i] ?? 0), intercept)));
}

/** Features of a wrong reading; `rate` holds the log odds of a wrong reading of the character. Training shares it. */
export function doubtFeatures(choice: ReadingChoice, rate: number): number[] {
  const { reading, probability, share, majority, isListed, isLexical, isAlone, inWord, isTrained } = choice;
  const sure = logOdds(probability, 0.001);
  const usual = logOdds(share, 0.02);
  const listed = isListed ? 1 : 0;
  return [
    sure,
    sure * sure,
    listed,
    listed * sure,
    isLexical ? 1 : 0,
    isAlone ? 1 : 0,
    usual,
    usual * usual,
    logOdds(majority, 0.02),
    rate,
    rate * sure,
    inWord ? 1 : 0,
    inWord === reading ? 1 : 0,
    isTrained ? 1 : 0,
    !isTrained && isLexical ? 1 : 0,
    isListed && isAlone ? 1 : 0,
    isListed && isLexical ? 1 : 0,
    isAlone ? sure : 0,
    isLexical ? sure : 0,
  ];
}

export function logOdds(probability: number, least: number): number {
  const bounded = Math.min(1 - least, Math.max(least, probability));
  return Math.log(bounded / (1 - bounded));
}
