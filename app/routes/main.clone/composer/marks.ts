import { parseMarks } from "~server/contract/marks";

/** Text with a mark in it, and where the caret goes on. */
export interface Marked {
  content: string;
  caret: number;
}

/** A place in the text: UTF-16, as a text area tells it. */
export interface Selection {
  start: number;
  end: number;
}

/** A pause at the end of the selection, never inside another mark. */
export function withPause(content: string, { end }: Selection, seconds: number): Marked {
  const inside = parseMarks(content).find(
    ({ kind, offset, length }) => kind !== "text" && offset < end && end < offset + length,
  );
  const at = inside ? inside.offset + inside.length : end;
  const mark = `#${seconds}#`;
  return { content: content.slice(0, at) + mark + content.slice(at), caret: at + mark.length };
}

/** The character a reading would be for. */
export interface Spoken {
  char: string;
  offset: number;
  /** Of what stands in the text: the character and the reading it may already have. */
  length: number;
  /** The reading it has; "" without one. */
  pinyin: string;
}

/** The first Chinese character of the selection; without one, the character before the caret. */
export function spokenAt(content: string, { start, end }: Selection): Spoken | null {
  const inOrder = characters(content);
  if (start === end) return inOrder.filter(({ offset }) => offset < end).at(-1) ?? null;
  return inOrder.find(({ offset, length }) => offset + length > start && offset < end) ?? null;
}

function characters(content: string): Spoken[] {
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

/** The character with this reading; "" takes its reading away. */
export function withReading(content: string, { char, offset, length }: Spoken, pinyin: string): Marked {
  const mark = pinyin ? `${char}(${pinyin})` : char;
  return { content: content.slice(0, offset) + mark + content.slice(offset + length), caret: offset + mark.length };
}
