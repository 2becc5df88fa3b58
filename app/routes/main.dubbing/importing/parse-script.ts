import { musicRanges, musicTracks } from "~server/contract/music";
import type { ScriptMusic } from "../editor/script";
import type { Chapter, ParsedLine } from "./script-files";

export type { Chapter, ParsedLine };

const nameMax = 12;
/** Names have no punctuation or spaces inside; brackets around a name are accepted. */
const withColon =
  /^\s*(?:[【[「『(（]\s*)?(?<name>[\p{L}\p{N}·•・_-]{1,20}?)\s*(?:[】\]」』)）]\s*)?[：:]\s*(?<text>.*)$/u;
/** Format of `writeScript` in script-files.ts: a name may contain spaces and is as long as a role's. */
const withFullBrackets =
  /^\s*【\s*(?!重读\s*】)(?<name>[^【】，。！？、；：,!?;:\n]{1,20}?)\s*】\s*[：:]?\s*(?<text>\S.*)$/u;
/** [重读] is a mark of the text. */
const withBrackets =
  /^\s*[【[]\s*(?!重读\s*[】\]])(?<name>[\p{L}\p{N}·•・_-]{1,20}?)\s*[】\]]\s*[：:]?\s*(?<text>\S.*)$/u;

const notName = /^(\d+|https?|ftp|mailto|第[\d零〇一二三四五六七八九十百千两]+[章节回集幕场段课页部卷篇条])$/i;

/** Reads `name: text` and `[name] text`. A number, chapter, time, URL or long clause before a colon is not a name. */
function parseLine(line: string): ParsedLine {
  const full = withFullBrackets.exec(line)?.groups;
  if (full?.name && full.text && /[\p{L}\p{N}\p{Extended_Pictographic}]/u.test(full.name))
    return { name: full.name, text: full.text.trim() };
  const found = (withBrackets.exec(line) ?? withColon.exec(line))?.groups;
  const { name = "", text = "" } = found ?? {};
  const isName = found && [...name].length <= nameMax && !notName.test(name);
  const isTime = /^\s*\d{1,2}[：:]\d{2}/.test(line);
  if (!isName || isTime || text.startsWith("//")) return { name: null, text: line.trim() };
  return { name, text: text.trim() };
}

/** Reads SRT, WebVTT or plain text, whichever the text is. */
export const parseScript = (text: string): ParsedLine[] => {
  const rows = text.replace(/^\uFEFF/, "").split(/\r\n|[\n\r]/);
  return rows.some((row) => timing.test(row)) ? parseSubtitles(rows) : parsePlainText(text.replace(musicRow, ""));
};

/** Format of `writeScript` in script-files.ts; in WebVTT a note, which other programs ignore. */
const musicRow = /^\uFEFF?(?:NOTE )?\[music\] (\{.*\})\r?$/m;

/** The music of an exported script. */
export function parseMusic(text: string): ScriptMusic | undefined {
  try {
    const stored = JSON.parse(musicRow.exec(text)?.[1] ?? "");
    const track = musicTracks.find((one) => one === stored.track);
    if (!track || (track === "own" && typeof stored.musicPath !== "string")) return undefined;
    const settingOf = ([name, { min, max, preset }]: [string, { min: number; max: number; preset: number }]) =>
      [name, Math.min(max, Math.max(min, Number(stored[name] ?? preset) || 0))] as const;
    const settings = Object.fromEntries(Object.entries(musicRanges).map(settingOf)) as Record<
      keyof typeof musicRanges,
      number
    >;
    if (track !== "own") return { track, ...settings };
    return { track, ...settings, musicPath: stored.musicPath, name: String(stored.name ?? "").slice(0, 100) };
  } catch {
    return undefined;
  }
}

/** One line per row, without blank rows. A name alone in its row speaks the next row. */
function parsePlainText(text: string): ParsedLine[] {
  const lines: ParsedLine[] = [];
  let pending: { name: string; raw: string } | null = null;
  /** A name without a text after it is a text. */
  const addPending = () => {
    if (pending) lines.push({ name: null, text: pending.raw });
    pending = null;
  };
  for (const raw of text.split(/\r\n|[\n\r\u2028\u2029\v\f]/)) {
    if (raw.trim() === "") continue;
    const line = parseLine(raw);
    if (line.name !== null) addPending();
    if (line.name !== null && line.text === "") {
      pending = { name: line.name, raw: raw.trim() };
      continue;
    }
    lines.push(pending ? { ...line, name: pending.name } : line);
    pending = null;
  }
  addPending();
  return lines;
}

const timePattern = (prefix: string) =>
  `(?:(?<${prefix}H>\\d{1,3}):)?(?<${prefix}M>\\d{1,2}):(?<${prefix}S>\\d{1,2})(?:[,.，](?<${prefix}F>\\d{1,3}))?`;
const timing = new RegExp(`^\\s*${timePattern("a")}\\s*--?>\\s*${timePattern("b")}(?:\\s+\\S.*)?$`);
const dayMs = 86_400_000;

function toMs(groups: Record<string, string | undefined>, prefix: string): number {
  const part = (name: string) => Number(groups[prefix + name] ?? 0);
  const fraction = (groups[`${prefix}F`] ?? "").padEnd(3, "0");
  return (part("H") * 3600 + part("M") * 60 + part("S")) * 1000 + Number(fraction);
}

/**
 * Accepts missing cue numbers, short or dotted fractions, missing hours, and cues out of order or without blank rows
 * between them. Drops tags and positions; joins the rows of a cue.
 */
function parseSubtitles(rows: string[]): ParsedLine[] {
  const cues: Array<{ startMs: number; endMs: number; rows: string[] }> = [];
  rows.forEach((row, index) => {
    const groups = timing.exec(row)?.groups;
    if (groups) {
      const startMs = Math.min(toMs(groups, "a"), dayMs);
      cues.push({ startMs, endMs: Math.min(Math.max(toMs(groups, "b"), startMs), dayMs), rows: [] });
    } else if (!isCueNumber(rows, index)) cues.at(-1)?.rows.push(row);
  });
  return cues
    .map(({ rows: text, ...times }) => ({ ...parseCue(text), ...times }))
    .filter((line) => line.text !== "")
    .sort((a, b) => a.startMs - b.startMs);
}

/** A voice tag of WebVTT names the speaker. */
function parseCue(rows: readonly string[]): ParsedLine {
  const voice = /^\s*<v(?:\.[^\s>]*)?\s+(?<name>[^<>]{1,80})>/.exec(rows[0] ?? "")?.groups?.name;
  const text = joinRows(rows);
  return voice ? { name: decodeEntities(voice).trim(), text } : parseLine(text);
}

const entities = { lt: "<", gt: ">", nbsp: " ", amp: "&" } as const;
const decodeEntities = (text: string) =>
  text.replace(/&(lt|gt|nbsp|amp);/g, (_, name: keyof typeof entities) => entities[name]);

const isCueNumber = (rows: string[], index: number) =>
  /^\s*\d+\s*$/.test(rows[index] ?? "") && timing.test(rows[index + 1] ?? "");

/** With a space only between two rows in Latin script. */
function joinRows(rows: readonly string[]): string {
  const texts = rows.map((row) => decodeEntities(row.replace(/<\/?[^<>]{0,90}>|\{\\[^{}]{0,80}\}/g, "")).trim());
  return texts.filter(Boolean).reduce((text, next) => {
    const needsSpace = /[\p{Script=Latin}\p{N},.!?;:]$/u.test(text) && /^[\p{Script=Latin}\p{N}]/u.test(next);
    return text + (needsSpace ? " " : "") + next;
  }, "");
}

export const acceptedFiles = ".txt,.srt,.vtt,.docx,.epub";
const maxBytes = 20 * 1024 * 1024;

export const acceptedSounds = ".mp3,.wav,.m4a,.flac,.ogg,.opus,.webm";
/** A sound by its type or its name: some systems tell no type. */
export const isSoundFile = ({ type, name }: Pick<File, "type" | "name">) =>
  /^audio\//.test(type) || /\.(mp3|wav|m4a|flac|ogg|opus)$/i.test(name);

type OpenFault = "too-large" | "unreadable" | "empty" | "not-now" | "encrypted";
type OpenedFile =
  | { ok: true; lines: ParsedLine[]; title: string; music: ScriptMusic | undefined }
  | { ok: true; chapters: Chapter[] }
  | { ok: false; reason: OpenFault };

/** Reads a script file in the browser, without an upload. `not-now`: the reader of its type could not be downloaded. */
export async function openScriptFile(file: File): Promise<OpenedFile> {
  if (file.size > maxBytes) return { ok: false, reason: "too-large" };
  try {
    const bytes = new Uint8Array(await file.arrayBuffer());
    if (isZip(bytes) && (/\.epub$/i.test(file.name) || isEpub(bytes))) return await openBook(bytes);
    const reader = isZip(bytes) ? await loadWordReader() : null;
    if (isZip(bytes) && !reader) return { ok: false, reason: "not-now" };
    const text = reader
      ? (await reader.extractRawText({ arrayBuffer: bytes.slice().buffer })).value
      : decodeText(bytes);
    if (text.includes("\0")) return { ok: false, reason: "unreadable" };
    const lines = parseScript(text);
    // Its numbers and broken times would become lines.
    const hasBrokenTimes = text.includes("-->") && lines.some(({ startMs }) => startMs === undefined);
    if (hasBrokenTimes && /\.(srt|vtt)$/i.test(file.name)) return { ok: false, reason: "unreadable" };
    const title = file.name.replace(/\.[^.]+$/, "");
    return lines.length > 0 ? { ok: true, lines, title, music: parseMusic(text) } : { ok: false, reason: "empty" };
  } catch {
    return { ok: false, reason: "unreadable" };
  }
}

async function openBook(bytes: Uint8Array): Promise<OpenedFile> {
  const reader = await import("./script-files").catch(() => null);
  if (!reader) return { ok: false, reason: "not-now" };
  const book = reader.readEpub(bytes);
  return "fault" in book ? { ok: false, reason: book.fault } : { ok: true, chapters: book.chapters };
}

/** The first entry of an EPUB is its type, stored without compression. */
const isEpub = (bytes: Uint8Array) =>
  new TextDecoder("latin1").decode(bytes.subarray(30, 58)) === "mimetypeapplication/epub+zip";

const isZip = (bytes: Uint8Array) => bytes[0] === 0x50 && bytes[1] === 0x4b;

const loadWordReader = () =>
  import("mammoth/mammoth.browser.min.js").then(
    ({ default: mammoth }) => mammoth,
    () => null,
  );

/** UTF-8, UTF-16 with a byte order mark, else GB 18030, the encoding of older Chinese Windows programs. */
export function decodeText(bytes: Uint8Array): string {
  const [first, second] = bytes;
  if (first === 0xff && second === 0xfe) return new TextDecoder("utf-16le").decode(bytes);
  if (first === 0xfe && second === 0xff) return new TextDecoder("utf-16be").decode(bytes);
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder("gb18030").decode(bytes);
  }
}
