import { parseSpeaker, type RoughLine } from "./parse-script";

const time = "(?:(?<H>\\d{1,3}):)?(?<M>\\d{1,2}):(?<S>\\d{1,2})(?:[,.，](?<F>\\d{1,3}))?";
const timing = new RegExp(`^\\s*${named("a")}\\s*--?>\\s*${named("b")}(?:\\s+\\S.*)?$`);
const dayMs = 86_400_000;

function named(prefix: string) {
  return time.replace(/<(\w)>/g, `<${prefix}$1>`);
}

function toMs(groups: Record<string, string | undefined>, prefix: string): number {
  const part = (name: string) => Number(groups[prefix + name] ?? 0);
  const fraction = (groups[`${prefix}F`] ?? "").padEnd(3, "0");
  return (part("H") * 3600 + part("M") * 60 + part("S")) * 1000 + Number(fraction || 0);
}

/** Whether a text has subtitle times at all. */
export const looksLikeSubtitles = (text: string) => text.split(/\r\n|[\n\r]/).some((line) => timing.test(line));

/**
 * Reads SRT and WebVTT as they are found in the wild: numbers may be missing, fractions short or behind a dot, hours left
 * out, cues out of order or without an empty line between them. Tags and placing are dropped, a cue's lines are joined.
 */
export function parseSubtitles(text: string): RoughLine[] {
  const cues: Array<{ startMs: number; endMs: number; words: string[] }> = [];
  const rows = text.replace(/^\uFEFF/, "").split(/\r\n|[\n\r]/);
  rows.forEach((row, index) => {
    const groups = timing.exec(row)?.groups;
    if (groups) {
      const startMs = Math.min(toMs(groups, "a"), dayMs);
      cues.push({ startMs, endMs: Math.min(Math.max(toMs(groups, "b"), startMs), dayMs), words: [] });
    } else if (!isNumberOfNext(rows, index)) cues.at(-1)?.words.push(row);
  });
  return cues
    .map(({ words, ...times }) => ({ ...parseSpeaker(joined(words)), ...times }))
    .filter((line) => line.text !== "")
    .sort((a, b) => a.startMs - b.startMs);
}

const isNumberOfNext = (rows: string[], index: number) =>
  /^\s*\d+\s*$/.test(rows[index] ?? "") && timing.test(rows[index + 1] ?? "");

/** Words of two rows belong together: with a blank only where both sides are not Chinese. */
function joined(rows: readonly string[]): string {
  const words = rows.map((row) =>
    row
      .replace(/<\/?[^<>]{0,40}>|\{\\[^{}]{0,80}\}/g, "")
      .replace(/&amp;/g, "&")
      .replace(/&lt;/g, "<")
      .replace(/&gt;/g, ">")
      .replace(/&nbsp;/g, " ")
      .trim(),
  );
  return words.filter(Boolean).reduce((text, next) => {
    const needsBlank = /[\p{Script=Latin}\p{N},.!?;:]$/u.test(text) && /^[\p{Script=Latin}\p{N}]/u.test(next);
    return text + (needsBlank ? " " : "") + next;
  }, "");
}
