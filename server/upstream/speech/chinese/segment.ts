import { type Cut, gradeCuts } from "./cuts";

export interface Segment {
  text: string;
  /** UTF-16 place in the content. */
  offset: number;
}

export interface SegmentLimits {
  /** Longest segment wanted, in UTF-16 units; only a mark, a number or a Latin word may make one longer. */
  maxChars?: number;
  /** The first segment ends with its first clause when that is this short, so that the first sound comes early. */
  firstMaxChars?: number;
}

/** A sentence shorter than this goes on into the next one. */
const minChars = 8;
const audible = /[\p{L}\p{N}]/u;
const pauseMark = /#[\d.]+#/g;
const isAudible = (text: string) => audible.test(text.replace(pauseMark, ""));

/**
 * Splits content for work piece by piece: at paragraphs, then after 。！？；…, then after commas, and only where a
 * clause is too long between words. Never inside a mark, a number or a Latin word. The segments put together are the
 * content; what makes no sound stays with a neighbour.
 */
export function splitSegments(content: string, { maxChars = 60, firstMaxChars = 12 }: SegmentLimits = {}): Segment[] {
  const cuts = gradeCuts(content);
  const ends: number[] = [];
  let from = 0;
  while (from < content.length) {
    const first = ends.length === 0 ? firstClauseEnd(cuts, content, firstMaxChars) : null;
    from = first ?? segmentEnd(cuts, { from, maxChars });
    ends.push(from);
  }
  return joinSilent(content, ends);
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

function joinSilent(content: string, ends: readonly number[]): Segment[] {
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
