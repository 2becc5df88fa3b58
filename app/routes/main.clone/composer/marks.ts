import { type Character, type Marked, parseMarks, type Selection } from "~server/contract/marks";

/** Inserts a pause at the end of the selection, or after the mark that contains it. */
export function withPause(content: string, { end }: Selection, seconds: number): Marked {
  const inside = parseMarks(content).find(
    ({ kind, offset, length }) => kind !== "text" && offset < end && end < offset + length,
  );
  const at = inside ? inside.offset + inside.length : end;
  const mark = `#${seconds}#`;
  return { content: content.slice(0, at) + mark + content.slice(at), caret: at + mark.length };
}

/** Sets the reading of a character; "" removes it. */
export function withReading(content: string, { char, offset, length }: Character, pinyin: string): Marked {
  const mark = pinyin ? `${char}(${pinyin})` : char;
  return { content: content.slice(0, offset) + mark + content.slice(offset + length), caret: offset + mark.length };
}
