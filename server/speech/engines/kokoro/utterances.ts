import type { SpokenUnit } from "../../engine";
import { punctuationPauseMs } from "../../engine";
import { tokenId, toLatinTokens, toSyllableTokens } from "./phones";

/** Units that the model speaks in one go, and the exact silence around them. */
export interface Utterance {
  units: SpokenUnit[];
  pauseBeforeMs: number;
  pauseAfterMs: number;
}

/** About 9 s of speech: a sentence of more syllables is cut at a comma, so that no listener waits longer for a turn. */
const maxUnits = 40;
/** The first utterance of a request is short, for a quick first sound. */
const firstMaxUnits = 14;

const isSpoken = ({ kind }: SpokenUnit) => kind !== "pause";
const endsUtterance = ({ strength, pauseMs }: SpokenUnit) =>
  pauseMs !== undefined || (strength !== undefined && strength !== "comma");

/** Splits a request at exact pauses and ends of sentences, and long sentences at commas, else between words. */
export function splitUtterances(units: readonly SpokenUnit[], pace: number): Utterance[] {
  const utterances: Utterance[] = [];
  let leadingMs = 0;
  for (const sentence of splitSentences(units)) {
    const exactMs = sentence.reduce((sum, { pauseMs = 0 }) => sum + pauseMs, 0);
    if (!sentence.some(isSpoken)) {
      const last = utterances.at(-1);
      if (last) last.pauseAfterMs += exactMs;
      else leadingMs += exactMs;
      continue;
    }
    const limit = utterances.length === 0 ? firstMaxUnits : maxUnits;
    for (const part of splitLong(sentence, limit)) {
      utterances.push({ units: part, pauseBeforeMs: leadingMs, pauseAfterMs: exactMs || pauseAfter(part, pace) });
      leadingMs = 0;
    }
  }
  return utterances;
}

function splitSentences(units: readonly SpokenUnit[]): SpokenUnit[][] {
  const sentences: SpokenUnit[][] = [[]];
  for (const [i, unit] of units.entries()) {
    sentences.at(-1)?.push(unit);
    const next = units[i + 1];
    if (endsUtterance(unit) && next && (isSpoken(next) || next.pauseMs !== undefined)) sentences.push([]);
  }
  return sentences;
}

function pauseAfter(units: readonly SpokenUnit[], pace: number): number {
  const last = units.at(-1);
  return last?.kind === "pause" ? Math.round(punctuationPauseMs[last.strength ?? "comma"] / pace) : 0;
}

/** The first part ends within `firstLimit` units where a comma allows it; the others have at most `maxUnits`. */
function splitLong(units: SpokenUnit[], firstLimit: number): SpokenUnit[][] {
  const parts: SpokenUnit[][] = [];
  let rest = units;
  for (let limit = firstLimit; ; limit = maxUnits) {
    const cut = rest.filter(isSpoken).length > limit ? findCut(rest, limit) : null;
    if (cut === null) return [...parts, rest];
    parts.push(rest.slice(0, cut));
    rest = rest.slice(cut);
  }
}

/**
 * Index after the last comma within the limit, else after the next comma; without one, after the last word within
 * `maxUnits`. Null if no cut is needed.
 */
function findCut(units: readonly SpokenUnit[], limit: number): number | null {
  let spoken = 0;
  let [comma, word] = [0, 0];
  for (const [i, unit] of units.entries()) {
    if (isSpoken(unit)) spoken++;
    const next = units[i + 1];
    if (!next?.kind || !units.slice(i + 1).some(isSpoken)) break;
    if (unit.kind === "pause" && next.kind !== "pause" && (spoken <= limit || comma === 0)) comma = i + 1;
    if (spoken <= maxUnits && isSpoken(next) && !next.continuesWord) word = i + 1;
    if (spoken > maxUnits) break;
  }
  if (comma > 0) return comma;
  return units.filter(isSpoken).length > maxUnits && word > 0 ? word : null;
}

export interface TokenSpan {
  /** Index of the first token, and after the last one. */
  from: number;
  to: number;
  unit: SpokenUnit;
}

export interface UtteranceTokens {
  /** One character each. */
  tokens: string[];
  spans: TokenSpan[];
}

const marks = { comma: ",", sentence: ".", question: "?", exclamation: "!", paragraph: "." } as const;

/**
 * Writes an utterance as the model's tokens: words apart by a space, punctuation as it stands. `pronounce` gives eSpeak's
 * IPA of a Latin word. What has no tokens is left out; digits never reach the model.
 */
export function toTokens(units: readonly SpokenUnit[], pronounce: (word: string) => string): UtteranceTokens {
  const tokens: string[] = [];
  const spans: TokenSpan[] = [];
  for (const [i, unit] of units.entries()) {
    if (unit.kind === "pause") {
      appendMark(tokens, marks[unit.strength ?? "comma"]);
      continue;
    }
    const written = unit.kind === "latin" ? writeLatin(units, i, pronounce) : toSyllableTokens(unit.pinyin ?? "");
    if (!written) continue;
    if (tokens.length > 0 && tokens.at(-1) !== " " && !joinsPrevious(unit, units[i - 1])) tokens.push(" ");
    spans.push({ from: tokens.length, to: tokens.length + [...written].length, unit });
    tokens.push(...written);
  }
  if (tokens.at(-1) === " ") tokens.pop();
  return { tokens, spans };
}

/** The numbers that the model reads. */
export const toTokenIds = (tokens: readonly string[]): number[] => tokens.map((token) => tokenId(token) ?? 0);

function appendMark(tokens: string[], mark: string): void {
  if (tokens.at(-1) === " ") tokens.pop();
  const last = tokens.at(-1);
  if (last === undefined) return;
  if (!/^[,.?!]$/.test(last)) tokens.push(mark, " ");
  // The stronger of two marks ends the clause.
  else if (last === ",") tokens.splice(-1, 1, mark, " ");
  else tokens.push(" ");
}

const isLetter = (unit: SpokenUnit | undefined) => unit?.kind === "latin" && /^[A-Za-z]$/.test(unit.text);
const touches = (before: SpokenUnit | undefined, unit: SpokenUnit | undefined) =>
  before !== undefined && unit !== undefined && before.offset + before.length === unit.offset;

/** Syllables of one word, and the letters of an abbreviation. */
function joinsPrevious(unit: SpokenUnit, before: SpokenUnit | undefined): boolean {
  if (unit.kind === "syllable") return unit.continuesWord === true && before?.kind === "syllable";
  return isLetter(unit) && isLetter(before) && touches(before, unit);
}

/** Only the last letter of an abbreviation has the main stress. */
function writeLatin(units: readonly SpokenUnit[], at: number, pronounce: (word: string) => string): string {
  const unit = units[at] as SpokenUnit;
  const next = units[at + 1];
  const written = toLatinTokens(pronounce(unit.text));
  return isLetter(unit) && isLetter(next) && touches(unit, next) ? written.replace("ˈ", "ˌ") : written;
}
