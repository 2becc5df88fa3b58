import type { SpokenUnit } from "../../../engine";
import { toMnemonic } from "./mnemonics";

export interface Markup {
  text: string;
  /** For each unit, the characters of the markup it covers (from 1, as eSpeak counts). */
  spans: Array<{ from: number; to: number }>;
}

/** Syllables as mnemonics in double brackets, Latin words as they are written. */
export function toMarkup(units: SpokenUnit[], ending: string): Markup {
  const spans: Markup["spans"] = [];
  let text = "";
  let length = 0;
  for (const unit of units) {
    const piece = ` ${spell(unit)}`;
    const size = Array.from(piece).length;
    spans.push({ from: length + 1, to: length + size });
    text += piece;
    length += size;
  }
  return { text: `${text}${ending}`, spans };
}

/** Among other letters eSpeak takes a lone A for the article; spelt so, it is the letter's name. */
const letterA = "eigh";

function spell({ kind, pinyin, text }: SpokenUnit): string {
  if (kind === "latin" && /^a$/i.test(text)) return letterA;
  if (kind === "latin") return text.replace(/[^\p{L}\p{N}'’.+-]+/gu, " ").trim();
  const mnemonic = toMnemonic(pinyin ?? "");
  return mnemonic ? `[[${mnemonic}]]` : "";
}
