import { parseMarks } from "~server/contract/marks";

/** A character that can be read in more than one way, where it stands in a line. */
export interface Polyphone {
  /** UTF-16. */
  offset: number;
  char: string;
  /** As it will be read here, tone as a digit. */
  reading: string;
  candidates: readonly string[];
  /** Everyday words for each candidate. */
  examples: readonly string[];
  /** The word around it, how that word is read, and which of its syllables this is; "" where unknown. */
  word?: string;
  wordReading?: string;
  wordAt?: number;
}

/** A stretch of a line as it is shown. The raw texts, joined, are the line's content. */
export type Piece =
  | { kind: "text"; raw: string; offset: number }
  | { kind: "polyphone"; raw: string; offset: number; polyphone: Polyphone }
  | { kind: "pause"; raw: string; offset: number; seconds: number }
  | { kind: "reading"; raw: string; offset: number; char: string; pinyin: string };

/** Cuts a line into what is shown: text, underlined polyphones, pauses and chosen readings. */
export function toPieces(content: string, polyphones: readonly Polyphone[] = []): Piece[] {
  return parseMarks(content).flatMap((mark): Piece[] => {
    const raw = content.slice(mark.offset, mark.offset + mark.length);
    const { offset } = mark;
    if (mark.kind === "pause") return [{ kind: "pause", raw, offset, seconds: mark.pauseMs / 1000 }];
    if (mark.kind === "reading") return [{ kind: "reading", raw, offset, char: mark.char, pinyin: mark.pinyin }];
    return underlined(raw, offset, polyphones);
  });
}

function underlined(raw: string, from: number, polyphones: readonly Polyphone[]): Piece[] {
  const pieces: Piece[] = [];
  let at = from;
  const to = from + raw.length;
  for (const polyphone of polyphones) {
    const { offset, char } = polyphone;
    if (offset < at || offset + char.length > to || raw.slice(offset - from, offset - from + char.length) !== char)
      continue;
    if (offset > at) pieces.push({ kind: "text", raw: raw.slice(at - from, offset - from), offset: at });
    pieces.push({ kind: "polyphone", raw: char, offset, polyphone });
    at = offset + char.length;
  }
  if (at < to) pieces.push({ kind: "text", raw: raw.slice(at - from), offset: at });
  return pieces;
}

/** The polyphones of a text that has been edited since they were found: what stands before and behind the edit is still there. */
export function movedPolyphones(polyphones: readonly Polyphone[], before: string, after: string): Polyphone[] {
  const most = Math.min(before.length, after.length);
  let head = 0;
  while (head < most && before[head] === after[head]) head++;
  let tail = 0;
  while (tail < most - head && before.at(-1 - tail) === after.at(-1 - tail)) tail++;
  const shift = after.length - before.length;
  return polyphones.flatMap((polyphone) => {
    const end = polyphone.offset + polyphone.char.length;
    if (end <= head) return [polyphone];
    return polyphone.offset >= before.length - tail ? [{ ...polyphone, offset: polyphone.offset + shift }] : [];
  });
}

/** Writes a chosen reading behind the character at `offset`, in place of one that is there; null takes it away. */
export function withReading(content: string, offset: number, pinyin: string | null): string {
  const mark = parseMarks(content).find((one) => one.kind === "reading" && one.offset === offset);
  const char = String.fromCodePoint(content.codePointAt(offset) ?? 0);
  const end = mark ? mark.offset + mark.length : offset + char.length;
  return content.slice(0, offset) + char + (pinyin === null ? "" : `(${pinyin})`) + content.slice(end);
}

export const pauseMark = (seconds: number) => `#${seconds}#`;

/** The mark that ends or begins at the caret, or that it stands in: what a deletion takes as a whole. */
export function markBeside(
  content: string,
  caret: number,
  side: "before" | "behind",
): { from: number; to: number } | null {
  for (const { kind, offset, length } of parseMarks(content)) {
    if (kind === "text") continue;
    // Deleting backwards at the end of a reading takes the reading and leaves its character.
    const from = kind === "reading" ? offset + String.fromCodePoint(content.codePointAt(offset) ?? 0).length : offset;
    const to = offset + length;
    const isBeside = side === "before" ? caret > from && caret <= to : caret >= from && caret < to;
    if (isBeside) return { from, to };
  }
  return null;
}

const contextReach = 6;

/**
 * A few characters around a place, for hearing it in context: at most to the ends of its clause. The place's character
 * gets the reading; `before` and `behind` are the words around it without marks.
 */
export function contextOf(content: string, offset: number, pinyin: string | null) {
  const units = toPieces(withReading(content, offset, pinyin)).flatMap(toUnits);
  const at = units.findIndex((unit) => unit.offset === offset);
  let from = at;
  while (from > 0 && at - from < contextReach && !units[from - 1]?.isEnd) from--;
  let to = at + 1;
  while (to < units.length && to - at <= contextReach && !units[to]?.isEnd) to++;
  const plain = (some: Unit[]) => some.map(({ char }) => char).join("");
  return {
    text: units
      .slice(from, to)
      .map(({ raw }) => raw)
      .join(""),
    before: plain(units.slice(from, at)),
    char: units[at]?.char ?? "",
    behind: plain(units.slice(at + 1, to)),
  };
}

interface Unit {
  raw: string;
  char: string;
  offset: number;
  isEnd: boolean;
}

function toUnits(piece: Piece): Unit[] {
  const { raw, offset } = piece;
  if (piece.kind === "pause") return [{ raw, char: "", offset, isEnd: true }];
  if (piece.kind === "reading") return [{ raw, char: piece.char, offset, isEnd: false }];
  let at = offset;
  return [...raw].map((char) => {
    at += char.length;
    return { raw: char, char, offset: at - char.length, isEnd: /[，。！？；：、,.!?;:\s]/.test(char) };
  });
}
