import { parseMarks } from "~server/contract/marks";

/** The text after an edit, and the caret position. */
export interface Marked {
  content: string;
  caret: number;
}

/** UTF-16 offsets of a text area. */
export interface Selection {
  start: number;
  end: number;
}

/** Inserts a pause at the end of the selection, or after the mark that contains it. */
export function withPause(content: string, { end }: Selection, seconds: number): Marked {
  const inside = parseMarks(content).find(
    ({ kind, offset, length }) => kind !== "text" && offset < end && end < offset + length,
  );
  const at = inside ? inside.offset + inside.length : end;
  const mark = `#${seconds}#`;
  return { content: content.slice(0, at) + mark + content.slice(at), caret: at + mark.length };
}

/** A Chinese character of the text. */
export interface Character {
  char: string;
  offset: number;
  /** UTF-16 length in the text, with the reading. */
  length: number;
  /** Its reading; "" for none. */
  pinyin: string;
}

/** The first Chinese character of the selection; without one, the character before the caret. */
export function findCharacter(content: string, { start, end }: Selection): Character | null {
  const inOrder = characters(content);
  if (start === end) return inOrder.filter(({ offset }) => offset < end).at(-1) ?? null;
  return inOrder.find(({ offset, length }) => offset + length > start && offset < end) ?? null;
}

function characters(content: string): Character[] {
  return parseMarks(content).flatMap((mark) => {
    if (mark.kind === "reading")
      return [{ char: mark.char, offset: mark.offset, length: mark.length, pinyin: mark.pinyin }];
    if (mark.kind === "pause") return [];
    return [...mark.text.matchAll(/\p{Script=Han}/gu)].map((match) => ({
      char: match[0],
      offset: mark.offset + match.index,
      length: match[0].length,
      pinyin: "",
    }));
  });
}

/** Sets the reading of a character; "" removes it. */
export function withReading(content: string, { char, offset, length }: Character, pinyin: string): Marked {
  const mark = pinyin ? `${char}(${pinyin})` : char;
  return { content: content.slice(0, offset) + mark + content.slice(offset + length), caret: offset + mark.length };
}
