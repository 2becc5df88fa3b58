import { type ParsedLine, parseLine } from "./parsed-line";
import { type Cue, withoutRepeats } from "./rolling-captions";

const dayMs = 86_400_000;
/** As editors and translators leave it: with other dashes, with spaces, as one character. */
const arrow = "(?:[-‐-―−─ー]{1,3}\\s?>|=+>|[→⇒➔➡])";
const colon = "\\s*:\\s*";
/** A fourth number after a colon is milliseconds if it has three digits; two may be frames. */
const clock = (prefix: string) =>
  `(?:(?<${prefix}H>\\d{1,3})${colon})?(?<${prefix}M>\\d{1,2})${colon}(?<${prefix}S>\\d{1,2})(?:\\s*(?:[.,。]|:(?=\\d{3}\\b))\\s*(?<${prefix}F>\\d{1,9}))?`;
const timing = new RegExp(`^\\s*${clock("a")}\\s*${arrow}\\s*${clock("b")}(?:\\s+\\S.*)?$`);
const likeTiming = new RegExp(
  `^\\s*\\d{1,3}${colon}\\d.*(?:${arrow}|\\d${colon}\\d{1,2}${colon}\\d)|^[^:]{0,4}:.*${arrow}\\s*\\d{1,3}${colon}\\d`,
);

/** Full-width digits, colons, commas and arrows are read as their usual forms. */
const toUsualForm = (row: string) => row.normalize("NFKC").replace("&gt;", ">");

function parseTiming(row: string): Pick<Cue, "startMs" | "endMs"> | null {
  const groups = timing.exec(toUsualForm(row))?.groups;
  if (!groups) return null;
  const startMs = Math.min(toMs(groups, "a"), dayMs);
  return { startMs, endMs: Math.min(Math.max(toMs(groups, "b"), startMs), dayMs) };
}

const toMs = (groups: Record<string, string | undefined>, prefix: string) =>
  sumMs(groups[`${prefix}H`], groups[`${prefix}M`], groups[`${prefix}S`], groups[`${prefix}F`]);

/** Digits of the fraction are parts of a second, however many they are. */
export const sumMs = (hours = "0", minutes = "0", seconds = "0", fraction = "0") =>
  (Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds)) * 1000 + Math.round(Number(`0.${fraction}`) * 1000);

export const isSubtitles = (rows: readonly string[]) => rows.some((row) => parseTiming(row) !== null);

/** Whether a row is meant as times but cannot be read as such. */
export const hasBrokenTiming = (row: string) => parseTiming(row) === null && likeTiming.test(toUsualForm(row));

const isBlank = (row: string | undefined) => row === undefined || row.trim() === "";
/** The blocks of WebVTT that are not cues; a file may consist of several, each with its own head. */
const isComment = (row: string) => /^(NOTE|STYLE|REGION|WEBVTT)(\s|$)/.test(row);

/**
 * Reads SRT and WebVTT. Accepts missing cue numbers, short or dotted fractions, missing hours, and cues out of order or
 * without blank rows between them. Drops cue names, notes, styles, tags and positions; joins the rows of a cue.
 */
export function parseSubtitles(rows: readonly string[]): ParsedLine[] {
  const timings = rows.map(parseTiming);
  const isVtt = rows.find((row) => !isBlank(row))?.startsWith("WEBVTT") ?? false;
  const cues: Cue[] = [];
  let open: Cue | null = null;
  for (const [index, row] of rows.entries()) {
    const times = timings[index];
    if (times) {
      open = { ...times, rows: [] };
      cues.push(open);
      continue;
    }
    const isBlockStart = isBlank(rows[index - 1]);
    const isVttEnd = isVtt && row === "" && !open?.rows.every(isBlank);
    if (isVttEnd || (isBlockStart && isComment(row))) open = null;
    const isLabel = timings[index + 1] && (isBlockStart || /^\s*\d+\s*$/.test(row));
    if (!isLabel) open?.rows.push(row);
  }
  return toLines(cues);
}

const wordTime = /<\d{1,3}:\d{2}[\d:.]*>/;
const voiceTag = /^\s*<v(?:\.[^\s>]*)?\s+(?<name>[^<>]{1,80})>/;

/** The lines of cues as they are written, in order. */
export function toLines(cues: readonly Cue[]): ParsedLine[] {
  const hasWordTimes = cues.some(({ rows }) => rows.some((row) => wordTime.test(row)));
  const cleaned = cues
    .map(({ rows, ...cue }): Cue => {
      /** A voice tag of WebVTT names the speaker. */
      const voice = voiceTag.exec(rows[0] ?? "")?.groups?.name;
      return {
        ...cue,
        rows: rows.map(toWords).filter(Boolean),
        ...(voice && { name: decodeEntities(voice).trim() }),
      };
    })
    .filter(({ rows }) => rows.length > 0)
    .sort((a, b) => a.startMs - b.startMs);
  return withoutRepeats(cleaned, hasWordTimes)
    .map(({ name, rows, startMs, endMs }) => {
      const text = joinRows(rows);
      return { ...(name ? { name, text } : parseLine(text)), startMs, endMs };
    })
    .filter(({ text }) => text !== "");
}

/** Without tags, positions and the readings over characters. */
const toWords = (row: string) =>
  decodeEntities(row.replace(/<rt>.*?<\/rt>|<\/?[^<>]{0,90}>|\{\\[^{}]{0,80}\}/g, "")).trim();

const entities: Record<string, string> = {
  lt: "<",
  gt: ">",
  nbsp: " ",
  amp: "&",
  quot: '"',
  apos: "'",
  lrm: "",
  rlm: "",
};
const decodeEntities = (text: string) =>
  text.replace(/&(?:#(\d{1,6})|([a-z]{2,4}));/g, (all, code, name) =>
    code ? String.fromCodePoint(Number(code)) : (entities[name] ?? all),
  );

/** With a space only between two rows in Latin script. */
function joinRows(rows: readonly string[]): string {
  return rows.reduce((text, next) => {
    const needsSpace = /[\p{Script=Latin}\p{N},.!?;:]$/u.test(text) && /^[\p{Script=Latin}\p{N}]/u.test(next);
    return text + (needsSpace ? " " : "") + next;
  }, "");
}
