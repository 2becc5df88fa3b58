/**
 * Cost of one generation: Unicode code points after NFC that are neither white space nor part of a mark. The character
 * that carries a reading counts, its reading does not.
 */
export function countCharacters(content: string): number {
  let count = 0;
  for (const mark of parseMarks(content.normalize("NFC"))) {
    if (mark.kind === "reading") count += 1;
    if (mark.kind === "text") for (const point of mark.text) count += /\s/u.test(point) ? 0 : 1;
  }
  return count;
}

/** の is read as 的; Greek letters have Chinese names. */
const readableLetter = /[\p{Script=Han}\p{Script=Latin}\p{Script=Greek}\p{Script=Common}の]/u;

/** Without modifier letters: ー lengthens a kana and is not spoken alone. */
const spoken = /[\p{N}\p{Script=Han}\p{Script=Latin}\p{Script=Greek}の]/u;

/** Letters that no engine is given, each once: kana, hangul, Cyrillic, Thai, Arabic and others. */
export function findUnreadLetters(content: string): string[] {
  const letters = content.normalize("NFKC").match(/\p{L}/gu) ?? [];
  return [...new Set(letters.filter((letter) => !readableLetter.test(letter)))];
}

/** Whether anything is spoken: a letter that is read or a digit, outside of pause marks. */
export function hasReadableText(content: string): boolean {
  return parseMarks(content.normalize("NFKC")).some(
    (mark) => mark.kind === "reading" || (mark.kind === "text" && spoken.test(mark.text)),
  );
}

/**
 * A stretch of content: plain text, a pause `#0.5#`, a character with its reading `(xing2)` behind it, also in full-width
 * brackets, or the start or end of an emphasis `[重读]…[/重读]`. Offsets are UTF-16.
 */
export type Mark =
  | { kind: "text"; text: string; offset: number; length: number }
  | { kind: "pause"; pauseMs: number; offset: number; length: number }
  | { kind: "reading"; char: string; pinyin: string; offset: number; length: number }
  | { kind: "emphasis"; edge: "start" | "end"; offset: number; length: number };

export const emphasisMarks = { start: "[重读]", end: "[/重读]" } as const;
/** UTF-16 units between the two marks; a segment is never split inside. */
export const emphasisMax = 60;

const pauseMinMs = 100;
const pauseMaxMs = 10_000;

const initials = "zh|ch|sh|[bpmfdtnlgkhjqxrzcsyw]";
const finals = "[iuvü]?(?:ang?|eng?|ai|ei|ao|ou|a|o|e)|i?ong|ing?|iu|[uvü]n|ui|[iuvü]|er";
const reading = `(?<char>\\p{Script=Han})[(（](?<pinyin>(?:${initials})?(?:${finals})r?[1-5])[)）]`;
/** In one row and not nested. */
const emphasis = `\\[重读\\](?<emphasised>(?:(?!\\[/?重读\\])[^\\n\\r]){1,${emphasisMax}})\\[/重读\\]`;
/** `*#06#` is a code to dial. */
const pause = "(?<!\\*)#(?<seconds>\\d{1,2}(?:\\.\\d{1,3})?)#";

/**
 * Splits content into text and marks, in order and without gaps; the lengths add up to the content's.
 * A malformed mark (out of range, not a syllable, no character before it, an emphasis of nothing) stays plain text.
 * ü is written v or ü.
 */
export function parseMarks(content: string): Mark[] {
  const pattern = new RegExp(`${pause}|${reading}|${emphasis}`, "gu");
  const marks: Mark[] = [];
  let plainFrom = 0;
  for (let match = pattern.exec(content); match; match = pattern.exec(content)) {
    const found = toMarks(match);
    if (!found) {
      pattern.lastIndex = match.index + 1;
      continue;
    }
    pushText(marks, content, { from: plainFrom, to: match.index });
    marks.push(...found);
    plainFrom = pattern.lastIndex;
  }
  pushText(marks, content, { from: plainFrom, to: content.length });
  return marks;
}

function toMarks(match: RegExpExecArray): Mark[] | null {
  const { seconds, char, pinyin, emphasised } = match.groups ?? {};
  if (emphasised !== undefined) return /[\p{L}\p{N}]/u.test(emphasised) ? emphasisOf(emphasised, match.index) : null;
  const place = { offset: match.index, length: match[0].length };
  if (char && pinyin) return [{ kind: "reading", char, pinyin: pinyin.replace("ü", "v"), ...place }];
  const pauseMs = Math.round(Number(seconds) * 1000);
  return pauseMs >= pauseMinMs && pauseMs <= pauseMaxMs ? [{ kind: "pause", pauseMs, ...place }] : null;
}

function emphasisOf(text: string, offset: number): Mark[] {
  const { start, end } = emphasisMarks;
  const from = offset + start.length;
  return [
    { kind: "emphasis", edge: "start", offset, length: start.length },
    ...parseMarks(text).map((mark) => ({ ...mark, offset: mark.offset + from })),
    { kind: "emphasis", edge: "end", offset: from + text.length, length: end.length },
  ];
}

function pushText(marks: Mark[], content: string, { from, to }: { from: number; to: number }) {
  if (to > from) marks.push({ kind: "text", text: content.slice(from, to), offset: from, length: to - from });
}

/** The text without marks. */
export const plainText = (content: string): string =>
  parseMarks(content)
    .map((mark) => (mark.kind === "text" ? mark.text : mark.kind === "reading" ? mark.char : ""))
    .join("");

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

/**
 * Emphasises the selection, without one the character before the caret; removes the emphasis that it is in. Null where
 * nothing can be emphasised: nothing selected, too much, or more than one row.
 */
export function withEmphasis(content: string, { start, end }: Selection): Marked | null {
  const { start: opening, end: closing } = emphasisMarks;
  const marks = parseMarks(content);
  const opens = marks.filter((mark) => mark.kind === "emphasis" && mark.edge === "start");
  const closes = marks.filter((mark) => mark.kind === "emphasis" && mark.edge === "end");
  for (const [at, { offset: from }] of opens.entries()) {
    const to = closes[at]?.offset ?? from;
    const after = to + closing.length;
    // A caret behind the mark is where setting it leaves the caret.
    if (end <= from || start > after || (start === after && end > start)) continue;
    const inner = content.slice(from + opening.length, to);
    return { content: content.slice(0, from) + inner + content.slice(to + closing.length), caret: from + inner.length };
  }
  const one = start === end ? findCharacter(content, { start, end }) : null;
  const place = one ? { from: one.offset, to: one.offset + one.length } : { from: start, to: end };
  for (const { kind, offset, length } of marks) {
    if (kind === "text") continue;
    if (offset < place.from && place.from < offset + length) place.from = offset;
    if (offset < place.to && place.to < offset + length) place.to = offset + length;
  }
  const chosen = content.slice(place.from, place.to);
  if (chosen.length > emphasisMax || /[\n\r]/.test(chosen) || !/[\p{L}\p{N}]/u.test(chosen)) return null;
  const marked = `${opening}${chosen}${closing}`;
  return {
    content: content.slice(0, place.from) + marked + content.slice(place.to),
    caret: place.from + marked.length,
  };
}

/** A Chinese character of the text. */
interface Character {
  offset: number;
  /** UTF-16 length in the text, with the reading. */
  length: number;
}

/** The first Chinese character of the selection; without one, the character before the caret. */
function findCharacter(content: string, { start, end }: Selection): Character | null {
  const inOrder = characters(content);
  if (start === end) return inOrder.filter(({ offset }) => offset < end).at(-1) ?? null;
  return inOrder.find(({ offset, length }) => offset + length > start && offset < end) ?? null;
}

function characters(content: string): Character[] {
  return parseMarks(content).flatMap((mark) => {
    if (mark.kind === "reading") return [{ offset: mark.offset, length: mark.length }];
    if (mark.kind !== "text") return [];
    return [...mark.text.matchAll(/\p{Script=Han}/gu)].map((match) => ({
      offset: mark.offset + match.index,
      length: match[0].length,
    }));
  });
}

/** Settings that change a line's sound, so that it is made and paid for again. Pauses and places are not among them. */
export interface LineSound {
  roleId: string;
  content: string;
  speed?: number | undefined;
  pitch?: number | undefined;
  volume?: number | undefined;
  genre?: number | undefined;
  ext?: Record<string, number | undefined> | undefined;
  emotionPath?: string | undefined;
}

/** The same for two lines exactly when they sound the same; the browser and the upstream count with it what a change costs. */
export function lineKey({
  roleId,
  content,
  speed = 1,
  pitch = 0,
  volume = 0,
  genre = 0,
  ext,
  emotionPath,
}: LineSound): string {
  const weights =
    genre === 2
      ? Object.entries(ext ?? {})
          .filter(([, weight]) => weight)
          .sort()
      : [];
  const tone = genre === 1 ? (emotionPath ?? "") : "";
  return JSON.stringify([roleId, content.normalize("NFC").trim(), speed, pitch, volume, genre, weights, tone]);
}
