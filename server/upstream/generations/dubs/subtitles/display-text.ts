import { parseMarks } from "~server/contract/marks";

/** A part of a line as it is displayed, with its place in the written text in UTF-16 units. */
export interface Piece {
  text: string;
  from: number;
  to: number;
}

/** Characters per cue. */
const charactersMax = 20;
const segmenter = new Intl.Segmenter("zh", { granularity: "word" });
const sentenceEnd = /[。！？!?；;…]["'”’」』）)】》]*$/u;
const clauseEnd = /[，,、：:—]["'”’」』）)】》]*$/u;
const closing = /^[\s。！？!?；;…，,、：:—"'”’」』）)】》]+$/u;

interface Word {
  text: string;
  from: number;
  to: number;
}

/** The line without pauses and readings, in one row. */
export function displayText(content: string): string {
  return wordsOf(content)
    .map(({ text }) => text)
    .join("")
    .replace(/\s+/g, " ")
    .trim();
}

/** Splits after sentences, then clauses, then words; a word longer than a cue stays whole. */
export function splitDisplayText(content: string): Piece[] {
  const pieces: Piece[] = [];
  let rest = wordsOf(content);
  while (rest.length > 0) {
    const count = lengthOfFirst(rest);
    const words = rest.slice(0, count);
    rest = rest.slice(count);
    const text = words
      .map((word) => word.text)
      .join("")
      .replace(/\s+/g, " ")
      .trim();
    const last = pieces.at(-1);
    const [first, end] = [words[0], words.at(-1)];
    if (!first || !end || text === "") continue;
    if (last && closing.test(text)) Object.assign(last, { text: last.text + text, to: end.to });
    else pieces.push({ text, from: first.from, to: end.to });
  }
  return pieces;
}

function lengthOfFirst(words: Word[]): number {
  let shown = "";
  let best = { sentence: 0, clause: 0, word: 0 };
  for (const [index, { text }] of words.entries()) {
    const isMore = [...`${shown}${text}`.trim()].length > charactersMax;
    if (isMore && index > 0 && !closing.test(text)) return best.sentence || best.clause || best.word || index;
    shown += text;
    const isOver = [...shown.trim()].length > charactersMax;
    if (sentenceEnd.test(shown)) best = { ...best, sentence: index + 1 };
    else if (clauseEnd.test(shown)) best = { ...best, clause: index + 1 };
    if (!isOver || best.word === 0) best = { ...best, word: index + 1 };
  }
  return words.length;
}

/** The displayed words with their places in the written text. */
function wordsOf(content: string): Word[] {
  let shown = "";
  const places: Array<{ from: number; to: number }> = [];
  const push = (text: string, from: number, to: number) => {
    shown += text;
    for (let i = 0; i < text.length; i++) places.push({ from, to });
  };
  for (const mark of parseMarks(content)) {
    const { offset, length } = mark;
    if (mark.kind === "reading") push(mark.char, offset, offset + length);
    if (mark.kind === "text")
      for (let i = 0; i < mark.text.length; i++) push(mark.text[i] ?? "", offset + i, offset + i + 1);
  }
  return [...segmenter.segment(shown)].map(({ segment, index }) => ({
    text: segment,
    from: places[index]?.from ?? 0,
    to: places[index + segment.length - 1]?.to ?? content.length,
  }));
}
