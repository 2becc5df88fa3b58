import type { PreparedText, SpokenUnit } from "../engine";
import type { Token } from "./normalise/normalise";
import { toTokens } from "./normalise/tokens";
import type { DictionaryEntry } from "./readings/dictionary";
import { type ReadToken, readTokens } from "./readings/read";
import { applySandhi } from "./sandhi/sandhi";

export type { DictionaryEntry } from "./readings/dictionary";

/**
 * Makes text ready to be spoken: numbers, dates, money, units and the like written out, marks and the account's
 * dictionary obeyed, every character read in its context, tones as they sound next to each other. Never throws; what
 * cannot be spoken is left out. Units come in reading order; offsets and lengths are UTF-16 places in `content`, and
 * several units share one place where a number or symbol is read out. A Latin unit's text is in plain (NFKC) letters;
 * one of a single letter is to be said as that letter's English name.
 */
export function prepareText(
  content: string,
  { dictionary = [] }: { dictionary?: readonly DictionaryEntry[] } = {},
): PreparedText {
  const pieces = readTokens(toTokens(content, dictionary));
  const units = applySandhi(pieces).map((piece) => toUnit(piece, content));
  const isSilent = ({ kind, pauseMs }: SpokenUnit) => kind === "pause" && !pauseMs;
  const first = units.findIndex((unit) => !isSilent(unit));
  return { units: first < 0 ? [] : units.slice(first) };
}

function toUnit(piece: ReadToken, content: string): SpokenUnit {
  const { kind, offset, length } = piece;
  const text = content.slice(offset, offset + length);
  if (kind === "latin") return { kind: "latin", text: piece.text, offset, length };
  if (kind === "pause") return { kind: "pause", text, offset, length, ...definedOf(piece) };
  const asked = piece.isPinned ? { isAsked: true as const } : {};
  return { kind: "syllable", text, offset, length, pinyin: piece.pinyin, tone: toneOf(piece.pinyin), ...asked };
}

function definedOf({ pauseMs, strength }: Token): Pick<SpokenUnit, "pauseMs" | "strength"> {
  return { ...(pauseMs && { pauseMs }), ...(strength && { strength }) };
}

const toneOf = (pinyin = "") => Number(pinyin.at(-1)) as SpokenUnit["tone"];
