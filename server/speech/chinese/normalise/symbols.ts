import type { SpokenUnit } from "../../engine";
import signs from "./signs.json" with { type: "json" };

export type Strength = NonNullable<SpokenUnit["strength"]>;

/** Weakest first. */
export const strengths: readonly Strength[] = ["comma", "sentence", "exclamation", "question", "paragraph"];

const pauses: Record<string, Strength> = {};
for (const [strength, characters] of [
  ["comma", "，,、;；:：()（）—…|→~～"],
  ["sentence", "。.｡"],
  ["exclamation", "!！"],
  ["question", "?？"],
  ["paragraph", "\n\r\u2028\u2029"],
] as const) {
  for (const character of characters) pauses[character] = strength;
}

/** Symbols that are spoken. */
export const spokenSymbols: Record<string, string | undefined> = signs.spoken;

/** Spoken in English as "at" and "and". */
export const latinSymbols = new Set(["@", "&"]);

const han = /\p{Script=Han}/u;
const wordCharacter = /(?!\p{Script=Han})[\p{L}\p{N}]/u;

/** The pause at a punctuation character; null if it is silent. */
export function pauseAt(text: string, index: number): Strength | null {
  const character = text[index] ?? "";
  const before = text[index - 1] ?? "";
  const after = text[index + 1] ?? "";
  if (character === "." && wordCharacter.test(after)) return null;
  if (/[~～]/.test(character)) return han.test(after) ? "comma" : null;
  if (character === "-") return before === "-" && after !== "-" ? "comma" : null;
  if (/[/\s]/.test(character) && !/[\n\r]/.test(character)) return han.test(before) && han.test(after) ? "comma" : null;
  return pauses[character] ?? null;
}

/** True for the dot of a host name, file name or decimal ("example.com"), false for abbreviations ("U.S.A."). */
export function isSpokenDot(text: string, index: number): boolean {
  if (text[index] !== "." || !wordCharacter.test(text[index + 1] ?? "")) return false;
  return /[\p{Script=Latin}\p{N}]{2}$|\p{N}$/u.test(text.slice(Math.max(0, index - 2), index));
}

/** Capitalised words that are pronounced instead of spelled. */
const pronounceable = new Set(
  (
    "APP NASA NATO OPEC UNESCO UNICEF APEC ASEAN COVID SARS LASER RADAR OPPO VIVO SOHO TOEFL NIKE PUMA ZARA OK NO YES " +
    "HELLO HI LOVE SALE NEW HOT COOL PLUS PRO MAX MINI AIR LINUX JAVA PYTHON EXCEL WORD WIN MAC PAD TIPS SHOW LIVE HOME " +
    "README BOSS LOGO ROCK JAZZ RAP TOP MIX BYE GET"
  ).split(" "),
);
/** y is a vowel after a consonant: gym, but not yyds. */
const vowel = /[aeiouàáâäèéêëìíîïòóôöùúûü]|[^y]y/i;
const unsplittable = /['’]|^(?:Mc|Mac)\p{Lu}/u;
const camelCasePart = /\p{Lu}\p{Ll}+|\p{Ll}+|\p{Lu}+(?!\p{Ll})|./gsu;

/** A part of a Latin word that is spoken separately, and its offset in the word. */
export interface LatinPart {
  text: string;
  at: number;
}

/**
 * Splits a word at camel-case boundaries ("ChatGPT" → Chat G P T). Spells unlisted capitals and parts without a vowel;
 * a one-letter part is spoken as the English letter name.
 */
export function splitLatin(word: string): LatinPart[] {
  if (unsplittable.test(word) || pronounceable.has(word)) return [{ text: word, at: 0 }];
  return [...word.matchAll(camelCasePart)].flatMap(({ 0: part, index }) =>
    isSpelled(part) ? spell(part, index) : [{ text: part, at: index }],
  );
}

function isSpelled(part: string): boolean {
  if (part.length === 1 || pronounceable.has(part)) return false;
  return !vowel.test(part) || part === part.toUpperCase();
}

function spell(part: string, at: number): LatinPart[] {
  return [...part].map((text, index) => ({ text, at: at + index }));
}
