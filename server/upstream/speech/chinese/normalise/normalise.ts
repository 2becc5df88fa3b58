import type { SpokenUnit } from "../../engine";
import { dates } from "./dates";
import { identifiers } from "./identifiers";
import type { Rule, RulePart } from "./numbers";
import { quantities } from "./quantities";
import { relations } from "./relations";
import { isSpokenDot, latinSymbols, pauseAt, splitLatin, spokenSymbols } from "./symbols";

/** What normalising leaves: one character to be read, a Latin word or letter, or a pause, with its place in the content. */
export interface Token {
  kind: "char" | "latin" | "pause";
  text: string;
  offset: number;
  length: number;
  /** Set by a mark or the dictionary: neither the lexicon nor sandhi touches it. */
  pinyin?: string;
  pauseMs?: number;
  strength?: SpokenUnit["strength"];
}

/** First match wins: what is written most specifically stands first. */
const rules: Rule[] = [...dates, ...identifiers, ...quantities, ...relations];
const mayStartRule = /[\d+\-−±(¥$€£₩₽A-Za-z≈≥≤><×✕÷=≠*/]/;
const latin = /\p{Script=Latin}+(?:['’]\p{Script=Latin}+)*/duy;
const han = /\p{Script=Han}/u;

/** Reads plain text (no marks in it) that stands at `offset` of the content. What cannot be spoken, such as emoji, is dropped. */
export function normalise(plain: string, offset: number): Token[] {
  const source = toSource(plain, offset);
  const pieces: Token[] = [];
  let at = 0;
  while (at < source.text.length) at = step(source, at, pieces);
  return pieces;
}

/** Reads what stands at `at` and answers where to go on. */
function step(source: SourceText, at: number, pieces: Token[]): number {
  const { text } = source;
  const character = String.fromCodePoint(text.codePointAt(at) ?? 0);
  if (mayStartRule.test(character)) {
    const end = applyRules(source, at, pieces);
    if (end > at) return end;
  }
  if (han.test(character) && !spokenSymbols[character]) {
    pieces.push({ kind: "char", text: character, ...place(source, at, at + character.length) });
    return at + character.length;
  }
  latin.lastIndex = at;
  const word = latin.exec(text)?.[0];
  if (word) {
    for (const part of splitLatin(word)) {
      const from = at + part.at;
      pieces.push({ kind: "latin", text: part.text, ...place(source, from, from + part.text.length) });
    }
    return at + word.length;
  }
  readSymbol(source, at, pieces);
  return at + character.length;
}

function applyRules(source: SourceText, at: number, pieces: Token[]): number {
  for (const { pattern, read } of rules) {
    pattern.lastIndex = at;
    const match = pattern.exec(source.text);
    if (!match || match[0] === "") continue;
    const said = read(match.groups ?? {});
    if (!said) continue;
    for (const part of said) pieces.push(...speak(source, match, part));
    return pattern.lastIndex;
  }
  return at;
}

/** Latin letters inside what a rule says are letter names; everything else is read as Chinese. */
function speak(source: SourceText, match: RegExpExecArray, [spoken, group]: RulePart): Token[] {
  const [from, to] = (group && match.indices?.groups?.[group]) || match.indices?.[0] || [0, 0];
  const where = place(source, from, to);
  return [...spoken].map((text) => ({ kind: /\p{Script=Latin}|[@_]/u.test(text) ? "latin" : "char", text, ...where }));
}

function readSymbol(source: SourceText, at: number, pieces: Token[]): void {
  const character = source.text[at] ?? "";
  const where = place(source, at, at + 1);
  const strength = pauseAt(source.text, at);
  if (strength) pieces.push({ kind: "pause", text: character, strength, ...where });
  else if (character === "#" && /(?:^|[^A-Za-z])[A-G]$/.test(source.text.slice(0, at)))
    pieces.push({ kind: "latin", text: "sharp", ...where });
  else if (latinSymbols.has(character)) pieces.push({ kind: "latin", text: character, ...where });
  else
    for (const text of isSpokenDot(source.text, at) ? "点" : (spokenSymbols[character] ?? ""))
      pieces.push({ kind: "char", text, ...where });
}

function place(source: SourceText, from: number, to: number): { offset: number; length: number } {
  const offset = source.starts[from] ?? 0;
  return { offset, length: (source.ends[to - 1] ?? offset) - offset };
}

/**
 * Text in one form (NFKC, so full-width and compatibility characters become plain ones) that still knows where every
 * UTF-16 unit of it came from.
 */
export interface SourceText {
  text: string;
  /** Start and end in the content of what each unit of `text` stands for. */
  starts: number[];
  ends: number[];
}

const squareUnits: Record<string, string> = { "㎡": "m²", "㎥": "m³", "㎢": "km²", "㎜²": "mm²" };
const romanNumerals = "ⅠⅡⅢⅣⅤⅥⅦⅧⅨⅩⅪⅫ";
/** NFKC would turn these into something that reads differently. */
const kept = new Set([..."⁰¹²³⁴⁵⁶⁷⁸⁹⁻", "…", "：", "，", "；", "！", "？", "（", "）", "～", "′", "″"]);
const circledNumber = /^[①-⒛]$/u;
const cluster = /\P{M}\p{M}*|\p{M}+/gsu;

export function toSource(content: string, offset: number): SourceText {
  const source: SourceText = { text: "", starts: [], ends: [] };
  for (const match of content.matchAll(cluster)) {
    const plain = toListNumber(match[0], source.text, content[match.index + match[0].length]) ?? toPlain(match[0]);
    const start = offset + match.index;
    source.text += plain;
    for (let index = 0; index < plain.length; index++) {
      source.starts.push(start);
      source.ends.push(start + match[0].length);
    }
  }
  return source;
}

/** ① and ⒈ at the start of a line or a clause number what follows and take a pause; elsewhere they are plain numbers. */
function toListNumber(character: string, before: string, next = ""): string | null {
  if (!circledNumber.test(character)) return null;
  const digits = character.normalize("NFKC").replace(/\D/g, "");
  const startsItem = !/[号路线楼班组级期年月日个\s、.]/.test(next);
  return startsItem && /(?:^|[\s。！？!?；;：:，,])$/.test(before) ? `${digits}、` : digits;
}

function toPlain(character: string): string {
  if (kept.has(character)) return character;
  const roman = romanNumerals.indexOf(character);
  if (roman >= 0) return String(roman + 1);
  return squareUnits[character] ?? character.normalize("NFKC");
}
