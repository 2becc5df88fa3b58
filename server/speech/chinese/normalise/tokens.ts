import { parseMarks } from "~server/contract/marks";
import { type DictionaryEntry, matchDictionary } from "../readings/dictionary";
import { normalise, type Token } from "./normalise";
import { strengths } from "./symbols";

const han = /^\p{Script=Han}$/u;

/** Splits content into tokens in reading order, applying marks and the account's dictionary. */
export function toTokens(content: string, dictionary: readonly DictionaryEntry[]): Token[] {
  const tokens: Token[] = [];
  let emphasisedFrom = 0;
  for (const mark of parseMarks(content)) {
    const { offset, length } = mark;
    if (mark.kind === "emphasis") {
      if (mark.edge === "end") for (const token of tokens.slice(emphasisedFrom)) token.isEmphasised = true;
      emphasisedFrom = tokens.length;
    } else if (mark.kind === "text") tokens.push(...tokensOfText(mark.text, offset, dictionary));
    else if (mark.kind === "pause")
      tokens.push({
        kind: "pause",
        text: content.slice(offset, offset + length),
        offset,
        length,
        pauseMs: mark.pauseMs,
      });
    else tokens.push({ kind: "char", text: mark.char, offset, length, pinyin: mark.pinyin });
  }
  return mergePauses(tokens);
}

function tokensOfText(text: string, offset: number, dictionary: readonly DictionaryEntry[]): Token[] {
  const tokens: Token[] = [];
  let from = 0;
  for (const match of matchDictionary(text, dictionary)) {
    tokens.push(...normalise(text.slice(from, match.offset), offset + from), ...tokensOfEntry(text, offset, match));
    from = match.offset + match.length;
  }
  tokens.push(...normalise(text.slice(from), offset + from));
  return tokens;
}

function tokensOfEntry(
  text: string,
  offset: number,
  match: { offset: number; length: number; syllables: string[] },
): Token[] {
  const word = text.slice(match.offset, match.offset + match.length);
  const characters = [...word];
  const isPerCharacter = characters.length === match.syllables.length && characters.every((each) => han.test(each));
  let at = offset + match.offset;
  return match.syllables.map((pinyin, index) => {
    const character = isPerCharacter ? (characters[index] ?? "") : word;
    const token: Token = { kind: "char", text: character, offset: at, length: character.length, pinyin };
    if (isPerCharacter) at += character.length;
    return token;
  });
}

/** Adjacent punctuation becomes one pause of the strongest kind; a pause mark absorbs punctuation next to it. */
function mergePauses(tokens: readonly Token[]): Token[] {
  const merged: Token[] = [];
  for (const token of tokens) {
    const last = merged.at(-1);
    const isMerged = last?.kind === "pause" && token.kind === "pause" && !(last.pauseMs && token.pauseMs);
    if (!isMerged) {
      merged.push({ ...token });
      continue;
    }
    last.length = token.offset + token.length - last.offset;
    last.pauseMs ??= token.pauseMs;
    last.strength = stronger(last.strength, token.strength);
  }
  return merged;
}

function stronger(left: Token["strength"], right: Token["strength"]): Token["strength"] {
  if (!left || !right) return left ?? right;
  return strengths.indexOf(left) > strengths.indexOf(right) ? left : right;
}
