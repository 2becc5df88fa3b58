/**
 * What one generation costs: Unicode code points after NFC that are neither white space nor part of a mark.
 * The character that carries a reading counts, its reading does not.
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

/** Letters that no engine is given, each once: kana, hangul, Cyrillic, Thai, Arabic and others. */
export function findUnreadLetters(content: string): string[] {
  const letters = content.normalize("NFKC").match(/\p{L}/gu) ?? [];
  return [...new Set(letters.filter((letter) => !readableLetter.test(letter)))];
}

/**
 * A stretch of content: plain text, a pause `#0.5#`, or a character with its reading `(xing2)` behind it, also in full-width
 * brackets. Offsets are UTF-16.
 */
export type Mark =
  | { kind: "text"; text: string; offset: number; length: number }
  | { kind: "pause"; pauseMs: number; offset: number; length: number }
  | { kind: "reading"; char: string; pinyin: string; offset: number; length: number };

const pauseMinMs = 100;
const pauseMaxMs = 10_000;

const initials = "zh|ch|sh|[bpmfdtnlgkhjqxrzcsyw]";
const finals = "[iuvü]?(?:ang?|eng?|ai|ei|ao|ou|a|o|e)|i?ong|ing?|iu|[uvü]n|ui|[iuvü]|er";
const reading = `(?<char>\\p{Script=Han})[(（](?<pinyin>(?:${initials})?(?:${finals})r?[1-5])[)）]`;
const pause = "#(?<seconds>\\d{1,2}(?:\\.\\d{1,3})?)#";

/**
 * Splits content into text and marks, in order and without gaps; the lengths add up to the content's.
 * A malformed mark (out of range, not a syllable, no character before it) stays plain text. ü is written v or ü.
 */
export function parseMarks(content: string): Mark[] {
  const pattern = new RegExp(`${pause}|${reading}`, "gu");
  const marks: Mark[] = [];
  let plainFrom = 0;
  for (let match = pattern.exec(content); match; match = pattern.exec(content)) {
    const mark = toMark(match);
    if (!mark) {
      pattern.lastIndex = match.index + 1;
      continue;
    }
    pushText(marks, content, { from: plainFrom, to: match.index });
    marks.push(mark);
    plainFrom = pattern.lastIndex;
  }
  pushText(marks, content, { from: plainFrom, to: content.length });
  return marks;
}

function toMark(match: RegExpExecArray): Mark | null {
  const { seconds, char, pinyin } = match.groups ?? {};
  const place = { offset: match.index, length: match[0].length };
  if (char && pinyin) return { kind: "reading", char, pinyin: pinyin.replace("ü", "v"), ...place };
  const pauseMs = Math.round(Number(seconds) * 1000);
  return pauseMs >= pauseMinMs && pauseMs <= pauseMaxMs ? { kind: "pause", pauseMs, ...place } : null;
}

function pushText(marks: Mark[], content: string, { from, to }: { from: number; to: number }) {
  if (to > from) marks.push({ kind: "text", text: content.slice(from, to), offset: from, length: to - from });
}
