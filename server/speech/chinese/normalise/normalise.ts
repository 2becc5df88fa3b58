import type { SpokenUnit } from "../../engine";
import { dates } from "./dates";
import { identifiers } from "./identifiers";
import type { Rule, RulePart } from "./numbers";
import { quantities } from "./quantities";
import { relations } from "./relations";
import { isSpokenDot, latinSymbols, pauseAt, splitLatin, spokenSymbols } from "./symbols";

/** Output of normalisation: a character to read, a Latin word or letter, or a pause, with its span in the content. */
export interface Token {
  kind: "char" | "latin" | "pause";
  text: string;
  offset: number;
  length: number;
  /** Fixed by a mark or the dictionary; the lexicon and sandhi do not change it. */
  pinyin?: string;
  isEmphasised?: true;
  pauseMs?: number;
  strength?: SpokenUnit["strength"];
}

/** The first match wins, so the most specific rules come first. */
const rules: Rule[] = [...dates, ...identifiers, ...quantities, ...relations];
const mayStartRule = /[\dπ₀-₉²³⁴.°+\-−±()（）¥$€£₩₽A-Za-zμ″'’‘→↑↓△√✓✔≈≥≤><×✕÷=≠*/~–—～:：∶#!|⁻\]\\^_]/;
const latin = /\p{Script=Latin}+(?:['’]\p{Script=Latin}+)*/duy;
const han = /\p{Script=Han}/u;

/** Normalises text without marks that starts at `offset` of the content. Drops what cannot be spoken, such as emoji. */
export function normalise(plain: string, offset: number): Token[] {
  const source = toSource(plain, offset);
  const tokens: Token[] = [];
  let at = 0;
  while (at < source.text.length) at = readNext(source, at, tokens);
  return tokens;
}

/** Appends the tokens at `at` and returns the next position. */
function readNext(source: SourceText, at: number, tokens: Token[]): number {
  const { text } = source;
  const character = String.fromCodePoint(text.codePointAt(at) ?? 0);
  if (mayStartRule.test(character)) {
    const end = applyRules(source, at, tokens);
    if (end > at) return end;
  }
  if (han.test(character) && !spokenSymbols[character]) {
    tokens.push({ kind: "char", text: character, ...spanOf(source, at, at + character.length) });
    return at + character.length;
  }
  latin.lastIndex = at;
  const word = latin.exec(text)?.[0];
  if (word) {
    for (const part of splitLatin(word)) {
      const from = at + part.at;
      tokens.push({ kind: "latin", text: part.text, ...spanOf(source, from, from + part.text.length) });
    }
    return at + word.length;
  }
  readSymbol(source, at, tokens);
  return at + character.length;
}

function applyRules(source: SourceText, at: number, tokens: Token[]): number {
  for (const { pattern, read } of rules) {
    pattern.lastIndex = at;
    const match = pattern.exec(source.text);
    if (!match || match[0] === "") continue;
    const parts = read(match.groups ?? {});
    if (!parts) continue;
    for (const part of parts) tokens.push(...expandPart(source, match, part));
    return pattern.lastIndex;
  }
  return at;
}

/** Latin letters in a rule's output are letter names; other characters are read as Chinese. */
function expandPart(source: SourceText, match: RegExpExecArray, [spoken, group]: RulePart): Token[] {
  const [from, to] = (group && match.indices?.groups?.[group]) || match.indices?.[0] || [0, 0];
  const where = spanOf(source, from, to);
  return [...spoken].map((text) => ({ kind: /\p{Script=Latin}|[@_]/u.test(text) ? "latin" : "char", text, ...where }));
}

function readSymbol(source: SourceText, at: number, tokens: Token[]): void {
  const character = source.text[at] ?? "";
  const where = spanOf(source, at, at + 1);
  const strength = pauseAt(source.text, at);
  if (strength) tokens.push({ kind: "pause", text: character, strength, ...where });
  else if (character === "#" && /(?:^|[^A-Za-z])[A-G]$/.test(source.text.slice(0, at)))
    tokens.push({ kind: "latin", text: "sharp", ...where });
  else if (latinSymbols.has(character)) tokens.push({ kind: "latin", text: character, ...where });
  else
    for (const text of isSpokenDot(source.text, at) ? "点" : (spokenSymbols[character] ?? ""))
      tokens.push({ kind: "char", text, ...where });
}

function spanOf(source: SourceText, from: number, to: number): { offset: number; length: number } {
  const offset = source.starts[from] ?? 0;
  return { offset, length: (source.ends[to - 1] ?? offset) - offset };
}

/**
 * NFKC-normalised text with the source position of every UTF-16 unit.
 */
export interface SourceText {
  text: string;
  /** Start and end in the content for each unit of `text`. */
  starts: number[];
  ends: number[];
}

const squareUnits: Record<string, string> = { "㎡": "m²", "㎥": "m³", "㎢": "km²", "㎜²": "mm²", "№": "No." };
const romanNumerals = "ⅠⅡⅢⅣⅤⅥⅦⅧⅨⅩⅪⅫ";
/** Excluded from NFKC, which would change their reading. */
const nfkcExceptions = new Set("⁰¹²³⁴⁵⁶⁷⁸⁹⁻₀₁₂₃₄₅₆₇₈₉…：，；！？（）～′″");
const circledNumber = /^[①-⒛]$/u;
const cluster = /\P{M}\p{M}*|\p{M}+/gsu;

export function toSource(content: string, offset: number): SourceText {
  const source: SourceText = { text: "", starts: [], ends: [] };
  for (const match of content.matchAll(cluster)) {
    const plain =
      toListNumber(match[0], source.text, content[match.index + match[0].length]) ??
      normaliseCharacter(match[0], source.text);
    const start = offset + match.index;
    source.text += plain;
    for (let index = 0; index < plain.length; index++) {
      source.starts.push(start);
      source.ends.push(start + match[0].length);
    }
  }
  return source;
}

/** ① and ⒈ at the start of a line or clause are list numbers followed by a pause; elsewhere they are plain numbers. */
function toListNumber(character: string, before: string, next = ""): string | null {
  if (!circledNumber.test(character)) return null;
  const digits = character.normalize("NFKC").replace(/\D/g, "");
  const startsItem = !/[号路线楼班组级期年月日个\s、.]/.test(next);
  if (circledNumber.test(next)) return `${digits}、`;
  return startsItem && /(?:^|[\s。！？!?；;：:，,])$/.test(before) ? `${digits}、` : digits;
}

/** A fraction behind a number is separated from it: 1½ → 1 1⁄2. */
function normaliseCharacter(character: string, before: string): string {
  if (nfkcExceptions.has(character)) return character;
  const roman = romanNumerals.indexOf(character);
  if (roman >= 0) return String(roman + 1);
  const plain = squareUnits[character] ?? character.normalize("NFKC");
  return /^\d⁄/.test(plain) && /\d$/.test(before) ? ` ${plain}` : plain;
}
