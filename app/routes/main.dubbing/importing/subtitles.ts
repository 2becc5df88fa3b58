import { type ParsedLine, parseLine, readDirections } from "./parsed-line";

/** Rows of a subtitle with its times. */
export interface Cue {
  startMs: number;
  endMs: number;
  /** Without blank rows. */
  rows: string[];
  name?: string;
}

const dayMs = 86_400_000;
/** As editors and translators leave it: with other dashes, with spaces, as one character. */
const arrow = "(?:[-‐-―−─ー]{1,3}\\s?>|=+>|[→⇒➔➡])";
const colon = "\\s*:\\s*";
/** A fourth number after a colon is milliseconds if it has three digits; two may be frames. */
const clock = (prefix: string) =>
  `(?:(?<${prefix}H>\\d{1,3})${colon})?(?<${prefix}M>\\d{1,2})${colon}(?<${prefix}S>\\d{1,2})(?:\\s*(?:[.,。]|:(?=\\d{3}\\b))\\s*(?<${prefix}F>\\d{1,9}))?`;
const timing = new RegExp(`^\\s*${clock("a")}\\s*${arrow}\\s*${clock("b")}(?:\\s+\\S.*)?$`);
const likeTiming = new RegExp(
  `^\\s*\\d{1,3}${colon}\\d{1,2}\\s*[:.,]\\s*\\w.*(?:${arrow}|\\d${colon}\\d{1,2}${colon}\\d)|^[^:]{0,4}:.*${arrow}\\s*\\d{1,3}${colon}\\d{1,2}\\s*[:.,]\\s*\\d`,
);

/** Full-width digits, colons, commas and arrows are read as their usual forms. */
const toUsualForm = (row: string) => row.normalize("NFKC").replace("&gt;", ">");

function parseTiming(row: string): Pick<Cue, "startMs" | "endMs"> | null {
  const groups = timing.exec(toUsualForm(row))?.groups;
  // A text may say "3:00 → 4:00".
  const isSure = row.includes("-->") || (groups?.aH && groups.bH) || (groups?.aF && groups.bF);
  if (!groups || !isSure) return null;
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
      return { ...(name ? { name, ...readDirections(text) } : parseLine(text)), startMs, endMs };
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
export function joinRows(rows: readonly string[]): string {
  return rows.reduce((text, next) => {
    const needsSpace = /[\p{Script=Latin}\p{N},.!?;:]$/u.test(text) && /^[\p{Script=Latin}\p{N}]/u.test(next);
    return text + (needsSpace ? " " : "") + next;
  }, "");
}

/** A pause between two cues that still counts as rolling on. */
const gapMaxMs = 500;
/** Tools show a finished row for a few milliseconds before the next one rolls in. */
const flashMaxMs = 100;

/**
 * Machine captions roll: a cue repeats the rows of the cue before it and adds a row or some words. Returns every row
 * once. Ordinary subtitles stay as they are: there two people may say the same.
 */
function withoutRepeats(cues: readonly Cue[], hasWordTimes: boolean): Cue[] {
  const repeats = cues.map((cue, index) => findRepeat(cues[index - 1], cue));
  const signs = repeats.filter((repeat) => repeat?.isRolling).length;
  if (!hasWordTimes && (signs < 2 || signs * 2 < cues.length - 1)) return [...cues];
  const shown: Cue[] = [];
  for (const [index, cue] of cues.entries()) {
    const repeat = repeats[index];
    const last = shown.at(-1);
    const added = cue.rows.slice(repeat?.rows ?? 0);
    if (repeat && last) {
      last.rows.push((last.rows.pop() ?? "") + repeat.grown);
      last.endMs = Math.max(last.endMs, added.length > 0 ? cue.startMs : cue.endMs);
    }
    if (added.length > 0) shown.push({ ...cue, rows: added });
  }
  return shown;
}

/** How many of the first rows a cue repeats from the end of the cue before it, and what its last one adds to it. */
function findRepeat(before: Cue | undefined, cue: Cue) {
  if (!before || cue.startMs > before.endMs + gapMaxMs) return null;
  for (let rows = Math.min(before.rows.length, cue.rows.length); rows > 0; rows--) {
    const tail = before.rows.slice(-rows);
    const begun = tail[rows - 1] ?? "";
    const isRepeat = tail.every((row, at) => (at < rows - 1 ? row === cue.rows[at] : cue.rows[at]?.startsWith(row)));
    if (!isRepeat) continue;
    const grown = cue.rows[rows - 1]?.slice(begun.length) ?? "";
    const isFlash = [before, cue].some(({ startMs, endMs }) => endMs - startMs <= flashMaxMs);
    return { rows, grown, isRolling: grown !== "" || cue.rows.length > rows || isFlash };
  }
  return null;
}
