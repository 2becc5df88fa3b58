import { parseMarks } from "~server/contract/marks";

/** Quality of a split of the content at a position, worst first. */
type Cut = "never" | "anywhere" | "word" | "clause" | "sentence" | "paragraph";

const segmenter = new Intl.Segmenter("zh", { granularity: "word" });
const breaks: ReadonlyArray<[Cut, RegExp]> = [
  ["clause", /(?:[，,、:：—]|#[\d.]+#)["'”’」』）)】》\s]*/gu],
  ["sentence", /[。！？；…!?;]+["'”’」』）)】》\s]*|\.(?=\s|$)["'”’」』）)】》\s]*/gu],
  ["paragraph", /[\n\r\u2028\u2029]\s*/gu],
];
/** Numbers with separators, Latin words, addresses and grapheme clusters: never split inside. */
const unbreakable =
  /[\p{N}\p{Script=Latin}@](?:[\p{N}\p{Script=Latin}\p{M}@'’.,:：/_%+~-]|(?<=\d)\s(?=\d))*[\p{N}\p{Script=Latin}%]|[\s\S]\p{M}+|\S(?:\u200d\S)+/gu;

/** One entry per UTF-16 position and one for the end. */
function rateCuts(content: string): Cut[] {
  const cuts: Cut[] = new Array(content.length + 1).fill("never");
  for (const point of content.matchAll(/[\s\S]/gu)) cuts[point.index] = "anywhere";
  for (const { index } of segmenter.segment(content)) cuts[index] = "word";
  for (const [cut, pattern] of breaks)
    for (const { 0: text, index } of content.matchAll(pattern)) cuts[index + text.length] = cut;
  for (const { 0: text, index } of content.matchAll(unbreakable)) cuts.fill("never", index + 1, index + text.length);
  let emphasisFrom = 0;
  for (const { kind, offset, length, ...mark } of parseMarks(content)) {
    if (kind === "emphasis" && "edge" in mark) {
      if (mark.edge === "start") emphasisFrom = offset;
      else cuts.fill("never", emphasisFrom + 1, offset + length);
    }
    if (kind === "reading") cuts.fill("never", offset + 1, offset + length);
    if (kind === "pause") cuts.fill("never", offset, offset + length);
  }
  cuts[0] = "never";
  cuts[content.length] = "paragraph";
  return cuts;
}

export interface Segment {
  text: string;
  /** UTF-16 offset in the content. */
  offset: number;
}

export interface SegmentLimits {
  /** Target length in UTF-16 units; only a mark, a number or a Latin word may exceed it. */
  maxChars?: number;
  /** The first clause becomes the first segment when it is at most this long, which shortens the time to first audio. */
  firstMaxChars?: number;
}

/** Shorter sentences are joined to the next one. */
const minChars = 8;
const audible = /[\p{L}\p{N}]/u;
const pauseMark = /#[\d.]+#/g;
const isAudible = (text: string) => audible.test(text.replace(pauseMark, ""));

/**
 * Splits content into segments for synthesis: at paragraphs, then after sentence punctuation, then after commas, and
 * between words where a clause is too long. Never splits a mark, a number or a Latin word. Concatenated segments equal the
 * content; silent text stays with a neighbouring segment.
 */
export function splitSegments(content: string, { maxChars = 60, firstMaxChars = 12 }: SegmentLimits = {}): Segment[] {
  const cuts = rateCuts(content);
  const ends: number[] = [];
  let from = 0;
  while (from < content.length) {
    const first = ends.length === 0 ? firstClauseEnd(cuts, content, firstMaxChars) : null;
    from = first ?? segmentEnd(cuts, { from, maxChars });
    ends.push(from);
  }
  return mergeSilent(content, ends);
}

function firstClauseEnd(cuts: readonly Cut[], content: string, firstMaxChars: number): number | null {
  for (let at = 1; at <= firstMaxChars; at++) {
    const isClause = (cuts[at] ?? "never") in { clause: 1, sentence: 1, paragraph: 1 };
    if (isClause && isAudible(content.slice(0, at))) return at;
  }
  return null;
}

function segmentEnd(cuts: readonly Cut[], { from, maxChars }: { from: number; maxChars: number }): number {
  const last: Partial<Record<Cut, number>> = {};
  const limit = Math.min(from + maxChars, cuts.length - 1);
  for (let at = from + 1; at <= limit; at++) {
    const cut = cuts[at] ?? "never";
    if (cut === "paragraph" || (cut === "sentence" && at - from >= minChars)) return at;
    last[cut] = at;
  }
  if (limit === cuts.length - 1) return limit;
  const best = last.sentence ?? last.clause ?? last.word ?? last.anywhere;
  if (best !== undefined) return best;
  const next = cuts.findIndex((cut, at) => at > limit && cut !== "never");
  return next < 0 ? cuts.length - 1 : next;
}

function mergeSilent(content: string, ends: readonly number[]): Segment[] {
  const segments: Segment[] = [];
  let from = 0;
  for (const end of ends) {
    const text = content.slice(from, end);
    const last = segments.at(-1);
    if (last && !(isAudible(text) && isAudible(last.text))) last.text += text;
    else segments.push({ text, offset: from });
    from = end;
  }
  return segments;
}
