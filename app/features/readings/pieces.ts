import type { CallData } from "~server/contract/calls/table";
import { parseMarks } from "~server/contract/marks";

type CallRow = CallData<"readings">["list"][number];
/** A character of a line with more than one reading; the upstream may not tell its word and whether it is unsure. */
export type Polyphone = Partial<CallRow> & Pick<CallRow, "offset" | "char" | "reading" | "candidates" | "examples">;

/** A displayed part of a line. The `raw` texts of all pieces, joined, equal the line's content. */
export type Piece =
  | { kind: "text"; raw: string; offset: number }
  | { kind: "polyphone"; raw: string; offset: number; polyphone: Polyphone }
  | { kind: "pause"; raw: string; offset: number; seconds: number }
  | { kind: "reading"; raw: string; offset: number; char: string; pinyin: string }
  | { kind: "emphasis"; raw: string; offset: number; edge: "start" | "end" };

/** Splits a line into text, polyphones, pauses and chosen readings. */
export function toPieces(content: string, polyphones: readonly Polyphone[] = []): Piece[] {
  return parseMarks(content).flatMap((mark): Piece[] => {
    const raw = content.slice(mark.offset, mark.offset + mark.length);
    const { offset } = mark;
    if (mark.kind === "pause") return [{ kind: "pause", raw, offset, seconds: mark.pauseMs / 1000 }];
    if (mark.kind === "emphasis") return [{ kind: "emphasis", raw, offset, edge: mark.edge }];
    if (mark.kind === "reading") return [{ kind: "reading", raw, offset, char: mark.char, pinyin: mark.pinyin }];
    return splitPolyphones(raw, offset, polyphones);
  });
}

function splitPolyphones(raw: string, from: number, polyphones: readonly Polyphone[]): Piece[] {
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

/** The polyphones of a text after an edit: those before and after the edited range, at their new offsets. */
export function shiftPolyphones(polyphones: readonly Polyphone[], before: string, after: string): Polyphone[] {
  const shorter = Math.min(before.length, after.length);
  let head = 0;
  while (head < shorter && before[head] === after[head]) head++;
  let tail = 0;
  while (tail < shorter - head && before.at(-1 - tail) === after.at(-1 - tail)) tail++;
  const shift = after.length - before.length;
  return polyphones.flatMap((polyphone) => {
    const end = polyphone.offset + polyphone.char.length;
    if (end <= head) return [polyphone];
    return polyphone.offset >= before.length - tail ? [{ ...polyphone, offset: polyphone.offset + shift }] : [];
  });
}

/** Sets the reading of the character at `offset`; null removes it. */
export function withReading(content: string, offset: number, pinyin: string | null): string {
  const mark = parseMarks(content).find((one) => one.kind === "reading" && one.offset === offset);
  const char = String.fromCodePoint(content.codePointAt(offset) ?? 0);
  const end = mark ? mark.offset + mark.length : offset + char.length;
  return content.slice(0, offset) + char + (pinyin === null ? "" : `(${pinyin})`) + content.slice(end);
}

export const pauseMark = (seconds: number) => `#${seconds}#`;

/** The mark that a deletion at the caret removes as a whole, or null. */
export function findMarkAt(
  content: string,
  caret: number,
  side: "before" | "after",
): { from: number; to: number } | null {
  for (const { kind, offset, length } of parseMarks(content)) {
    if (kind === "text") continue;
    // Backspace after a reading removes the reading and keeps its character.
    const from = kind === "reading" ? offset + String.fromCodePoint(content.codePointAt(offset) ?? 0).length : offset;
    const to = offset + length;
    const isAtCaret = side === "before" ? caret > from && caret <= to : caret >= from && caret < to;
    if (isAtCaret) return { from, to };
  }
  return null;
}

/** The content without a mark; an emphasis goes with both its ends. */
export function withoutMark(content: string, { from, to }: { from: number; to: number }): string {
  const marks = parseMarks(content).filter(({ kind }) => kind === "emphasis");
  const at = marks.findIndex(({ offset }) => offset === from);
  const other = at < 0 ? undefined : marks[at % 2 === 0 ? at + 1 : at - 1];
  if (!other) return content.slice(0, from) + content.slice(to);
  const end = other.offset + other.length;
  return other.offset > from
    ? content.slice(0, from) + content.slice(to, other.offset) + content.slice(end)
    : content.slice(0, other.offset) + content.slice(end, from) + content.slice(to);
}

const contextMax = 6;

/**
 * Up to six characters on each side of an offset, within its clause. `text` includes the marks, with `pinyin` as the
 * reading at the offset; `before`, `char` and `after` are without marks.
 */
export function contextOf(content: string, offset: number, pinyin: string | null) {
  const units = toPieces(withReading(content, offset, pinyin)).flatMap(toUnits);
  const at = units.findIndex((unit) => unit.offset === offset);
  let from = at;
  while (from > 0 && at - from < contextMax && !units[from - 1]?.endsClause) from--;
  let to = at + 1;
  while (to < units.length && to - at <= contextMax && !units[to]?.endsClause) to++;
  const join = (key: "raw" | "char", some: PieceUnit[]) => some.map((unit) => unit[key]).join("");
  return {
    text: join("raw", units.slice(from, to)),
    before: join("char", units.slice(from, at)),
    char: units[at]?.char ?? "",
    after: join("char", units.slice(at + 1, to)),
  };
}

interface PieceUnit {
  raw: string;
  char: string;
  offset: number;
  endsClause: boolean;
}

function toUnits(piece: Piece): PieceUnit[] {
  const { raw, offset } = piece;
  if (piece.kind === "pause") return [{ raw, char: "", offset, endsClause: true }];
  // One mark of a pair would be read as text.
  if (piece.kind === "emphasis") return [];
  if (piece.kind === "reading") return [{ raw, char: piece.char, offset, endsClause: false }];
  let at = offset;
  return [...raw].map((char) => {
    at += char.length;
    return { raw: char, char, offset: at - char.length, endsClause: /[，。！？；：、,.!?;:\s]/.test(char) };
  });
}
