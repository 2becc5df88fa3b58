import { musicRanges, musicTracks } from "~server/contract/music";
import type { ScriptMusic } from "../editor/script";
import { hasBrokenEvent, isAss, isLrc, parseAss, parseLrc } from "./lyrics-and-ass";
import { musicRow, parseScript, toRows } from "./parse-script";
import type { Chapter, ParsedLine } from "./parsed-line";
import { hasBrokenTiming, isSubtitles } from "./subtitles";
import { type Decoded, decodeAs, decodeText, type Encoding } from "./text-encoding";
import type { MarkupParser } from "./unpack";

const maxBytes = 20 * 1024 * 1024;

type OpenFault = "too-large" | "unreadable" | "empty" | "not-now" | "encrypted";
type OpenedFile =
  | { ok: true; lines: ParsedLine[]; title: string; music: ScriptMusic | undefined }
  | { ok: true; chapters: Chapter[]; hasNotes: boolean }
  | { ok: false; reason: OpenFault }
  /** Times that cannot be read. */
  | { ok: false; reason: "broken-time"; number: number; row: string }
  /** The likeliest encoding is first. */
  | { ok: false; reason: "encoding"; choices: Decoded[] };

interface OpenOptions {
  /** The user's choice after the reason `encoding`. */
  encoding?: Encoding | undefined;
  parser?: MarkupParser;
}

/** Reads a script file in the browser, without an upload. `not-now`: the reader of its type could not be downloaded. */
export async function openScriptFile(file: File, { encoding, parser }: OpenOptions = {}): Promise<OpenedFile> {
  if (file.size > maxBytes) return { ok: false, reason: "too-large" };
  try {
    const bytes = new Uint8Array(await file.arrayBuffer());
    if (isZip(bytes))
      return await (/\.epub$/i.test(file.name) || isEpub(bytes)
        ? openBook(bytes, parser)
        : openWord(file, bytes, parser));
    const decoded = encoding ? { encoding, text: decodeAs(bytes, encoding) } : decodeText(bytes);
    if (!Array.isArray(decoded)) return openText(file, decoded.text);
    return decoded.length > 0
      ? { ok: false, reason: "encoding", choices: decoded }
      : { ok: false, reason: "unreadable" };
  } catch {
    return { ok: false, reason: "unreadable" };
  }
}

/** More than one control character in twenty. */
const isBinary = (text: string) =>
  text.includes("\0") || (text.match(/(?!\s)\p{Cc}/gu)?.length ?? 0) * 20 > text.length;

function openText(file: File, text: string): OpenedFile {
  if (isBinary(text)) return { ok: false, reason: "unreadable" };
  const lines = parseScriptFile(text);
  const isTimed = /\.(srt|vtt|ass|ssa)$/i.test(file.name) || lines.some(({ startMs }) => startMs !== undefined);
  const broken = isTimed ? findBrokenRow(text) : null;
  if (broken) return { ok: false, reason: "broken-time", ...broken };
  const title = file.name.replace(/\.[^.]+$/, "");
  return lines.length > 0 ? { ok: true, lines, title, music: parseMusic(text) } : { ok: false, reason: "empty" };
}

async function openWord(file: File, bytes: Uint8Array, parser?: MarkupParser): Promise<OpenedFile> {
  const reader = await import("./word").catch(() => null);
  if (!reader) return { ok: false, reason: "not-now" };
  const word = reader.readWord(bytes, parser);
  return "fault" in word ? { ok: false, reason: word.fault } : openText(file, word.text);
}

async function openBook(bytes: Uint8Array, parser?: MarkupParser): Promise<OpenedFile> {
  const reader = await import("./epub").catch(() => null);
  if (!reader) return { ok: false, reason: "not-now" };
  const book = reader.readEpub(bytes, parser);
  return "fault" in book ? { ok: false, reason: book.fault } : { ok: true, ...book };
}

/** The first entry of an EPUB is its type, stored without compression. */
const isEpub = (bytes: Uint8Array) =>
  new TextDecoder("latin1").decode(bytes.subarray(30, 58)) === "mimetypeapplication/epub+zip";

const isZip = (bytes: Uint8Array) => bytes[0] === 0x50 && bytes[1] === 0x4b;

/** Reads ASS, LRC, and what may be pasted too. */
export function parseScriptFile(text: string): ParsedLine[] {
  const rows = toRows(text);
  if (isAss(rows)) return parseAss(rows);
  return !isSubtitles(rows) && isLrc(rows) ? parseLrc(rows) : parseScript(text);
}

/** The first row whose times cannot be read: its cue would be spoken with the one before it, numbers and all. */
export function findBrokenRow(text: string): { number: number; row: string } | null {
  const rows = toRows(text);
  const isBroken = isAss(rows) ? hasBrokenEvent : hasBrokenTiming;
  const index = rows.findIndex(isBroken);
  return index < 0 ? null : { number: index + 1, row: rows[index]?.trim() ?? "" };
}

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
