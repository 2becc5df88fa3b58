import type { PreparedText, SpokenUnit } from "../engine";
import type { Token } from "./normalise/normalise";
import { toTokens } from "./normalise/tokens";
import type { DictionaryEntry } from "./readings/dictionary";
import { type ReadToken, readTokens } from "./readings/read";
import { applySandhi } from "./sandhi/sandhi";

export type { DictionaryEntry } from "./readings/dictionary";

/**
 * Converts text to speech units: expands numbers, dates, money and units, applies marks and the account's dictionary,
 * chooses readings in context and applies tone sandhi. Never throws; omits what cannot be spoken. Units are in reading
 * order; offsets and lengths are UTF-16 positions in `content`, shared by all units of an expanded number or symbol.
 * Latin text is NFKC-normalised; a single letter is spoken as its English name.
 */
export function prepareText(
  content: string,
  { dictionary = [] }: { dictionary?: readonly DictionaryEntry[] } = {},
): PreparedText {
  const tokens = readTokens(toTokens(content, dictionary));
  const units = applySandhi(tokens).map((token, i, all) => toUnit(token, all[i - 1], content));
  const isSilent = ({ kind, pauseMs }: SpokenUnit) => kind === "pause" && !pauseMs;
  const first = units.findIndex((unit) => !isSilent(unit));
  return { units: first < 0 ? [] : units.slice(first) };
}

function toUnit(token: ReadToken, before: ReadToken | undefined, content: string): SpokenUnit {
  const { kind, offset, length } = token;
  const text = content.slice(offset, offset + length);
  const emphasised = token.isEmphasised ? { isEmphasised: true as const } : {};
  if (kind === "latin") return { kind: "latin", text: token.text, offset, length, ...emphasised };
  if (kind === "pause") return { kind: "pause", text, offset, length, ...pauseFields(token) };
  const asked = token.isFixed ? { isAsked: true as const } : {};
  return {
    kind: "syllable",
    text,
    offset,
    length,
    pinyin: token.pinyin,
    tone: toneOf(token.pinyin),
    ...(before?.kind === "char" && before.word === token.word && { continuesWord: true }),
    ...asked,
    ...emphasised,
  };
}

function pauseFields({ pauseMs, strength }: Token): Pick<SpokenUnit, "pauseMs" | "strength"> {
  return { ...(pauseMs && { pauseMs }), ...(strength && { strength }) };
}

const toneOf = (pinyin = "") => Number(pinyin.at(-1)) as SpokenUnit["tone"];
