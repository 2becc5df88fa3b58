import { isMarkdown, toSpokenText } from "~/features/pasted/to-spoken-text";
import { isHeading } from "~server/contract/chapters";
import { openedFileMaxMb, scriptLinesMax } from "~server/contract/limits";
import { musicRanges, musicTracks } from "~server/contract/music";
import type { ScriptMusic } from "../editor/script";
import { keepCover } from "../projects/covers";
import { newProjectId } from "../projects/current";
import { hasBrokenEvent, isAss, isFramed, isLrc, parseAss, parseFramed, parseLrc } from "./lyrics-and-ass";
import type { Chapter, ParsedLine } from "./parsed-line";
import type { ImportedBook } from "./pending-import";
import { musicRow, parseScript, toRows } from "./script-text";
import { hasBrokenTiming, isSubtitles } from "./subtitles";
import type { MarkupParser } from "./unpack";

const maxBytes = openedFileMaxMb * 1024 * 1024;

type OpenFault = "too-large" | "unreadable" | "empty" | "not-now" | "encrypted";
type OpenedFile =
  /** `isTidied`: without the marks of Markdown. */
  | { ok: true; lines: ParsedLine[]; title: string; music: ScriptMusic | undefined; isTidied: boolean }
  | { ok: true; chapters: Chapter[]; withNotes: Chapter[] | null; book: ImportedBook }
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
        ? openBook(file, bytes, parser)
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
  const isTidied = /\.txt$/i.test(file.name) && isMarkdown(text) && toSpokenText(text) !== text;
  const lines = parseScriptFile(isTidied ? toSpokenText(text) : text);
  const isTimed = /\.(srt|vtt|ass|ssa)$/i.test(file.name) || lines.some(({ startMs }) => startMs !== undefined);
  const broken = isTimed ? findBrokenRow(text) : null;
  if (broken) return { ok: false, reason: "broken-time", ...broken };
  const title = titleOf(file);
  const chapters = isTimed || lines.length <= scriptLinesMax ? [] : cutChapters(lines, title);
  if (chapters.length > 1) return { ok: true, chapters, withNotes: null, book: toBook(title, "") };
  return lines.length > 0
    ? { ok: true, lines, title, music: parseMusic(text), isTidied }
    : { ok: false, reason: "empty" };
}

async function openWord(file: File, bytes: Uint8Array, parser?: MarkupParser): Promise<OpenedFile> {
  const reader = await import("./word").catch(() => null);
  if (!reader) return { ok: false, reason: "not-now" };
  const word = reader.readWord(bytes, parser);
  return "fault" in word ? { ok: false, reason: word.fault } : openText(file, word.text);
}

const titleOf = (file: File) => file.name.replace(/\.[^.]+$/, "");
const clip = (name: string) => [...name].slice(0, 100).join("");
const toBook = (title: string, author: string): ImportedBook => ({
  ...{ bookId: newProjectId(), book: clip(title) },
  ...(author && { author: clip(author) }),
});

/** Of a text of more lines than a script holds, by the titles among them. */
function cutChapters(lines: readonly ParsedLine[], title: string): Chapter[] {
  const chapters: Chapter[] = [];
  for (const line of lines) {
    const isTitle = line.name === null && isHeading(line.text);
    if (isTitle || chapters.length === 0) chapters.push({ title: isTitle ? line.text : title, lines: [] });
    chapters.at(-1)?.lines.push(line);
  }
  return chapters;
}

async function openBook(file: File, bytes: Uint8Array, parser?: MarkupParser): Promise<OpenedFile> {
  const reader = await import("./epub").catch(() => null);
  if (!reader) return { ok: false, reason: "not-now" };
  const book = reader.readEpub(bytes, parser);
  if ("fault" in book) return { ok: false, reason: book.fault };
  const { title, author, cover, ...read } = book;
  const named = toBook(title || titleOf(file), author);
  if (cover) await keepCover(named.bookId, cover);
  return { ok: true, ...read, book: named };
}

/** The first entry of an EPUB is its type, stored without compression. */
const isEpub = (bytes: Uint8Array) =>
  new TextDecoder("latin1").decode(bytes.subarray(30, 58)) === "mimetypeapplication/epub+zip";

const isZip = (bytes: Uint8Array) => bytes[0] === 0x50 && bytes[1] === 0x4b;

/** Reads ASS, LRC, MicroDVD, and what may be pasted too. */
export function parseScriptFile(text: string): ParsedLine[] {
  const rows = toRows(text);
  if (isAss(rows)) return parseAss(rows);
  if (isFramed(rows)) return parseFramed(rows);
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

const encodings = ["utf-8", "gb18030", "big5", "utf-16le", "utf-16be", "windows-1252"] as const;
export type Encoding = (typeof encodings)[number];

/** The most frequent characters, together about half of any Chinese text, and the punctuation beside them. */
const frequent = new Set(
  "的一是不了在人有我他这個个们們中来來上大为為和国國地到以说說时時要就出会會可也你对對生能而子那得于於着著下自之年过過发發后後作里裡用道行所然家种種事成方多经經么麼去法学學如都同现現当當没沒动動面起看定天分还還进進好小部其些主样樣理心她本前开開但因只从從想实實日军軍者意无無力它与與长長把机機十民第公此已工使情明性知全三又关關点點正业業外将將两兩高间間由问問很最重并物手应應战戰向头頭文体體政美相见見被利什二等产產或新己制身果加月话話合回特代内內信表化老给給世位次度门門任常先海通教儿兒原东東声聲提立及比员員解水名真论論处處走义義各入几幾口认認条條平系气氣题題活尔爾更别別打女变變四神总總何电電安少报報才结結反受目太量再感建务務做接必场場件计計管期市直德资資命山金指克许許统統区區至队隊形社便空决決治展马馬科司五基眼书書非则則听聽白却卻界达達光放强強即像难難且权權思王象完设設式色路记記南品住告类類求据據程北边邊死张張该該交规規万萬取拉格望觉覺术術领領共确確传傳师師观觀清今切院让讓识識候带帶导導争爭运運，。！？：；、“”「」…—（）",
);
/** Replaced, private and control characters, and rare ones that pairs of foreign bytes make. */
const unlikely = /(?!\s)[\p{Cc}\p{Co}\uFFFD\u3400-\u4DBF]/u;
const sampleLength = 4000;

/** From 1, each character beyond ASCII is frequent, to below 0, many are none. */
function scoreText(text: string): number {
  let [count, known, wrong] = [0, 0, 0];
  for (const char of text.slice(0, sampleLength)) {
    if (unlikely.test(char)) wrong += 1;
    else if (char > "\x7f") count += 1;
    if (frequent.has(char)) known += 1;
  }
  return (known - 3 * wrong) / Math.max(1, count + wrong);
}

/** Without the end mark of old DOS programs. */
export const decodeAs = (bytes: Uint8Array, encoding: Encoding) =>
  new TextDecoder(encoding).decode(bytes).replaceAll("\u001A", "");

/** How a text reads in an encoding. */
export interface Decoded {
  encoding: Encoding;
  text: string;
}
/** Below: none of the encodings reads as a text for certain. */
const scoreMin = 0.15;
const leadMin = 0.15;

/**
 * A file's text. Without a byte order mark and if it is not UTF-8, by how usual its characters are in an encoding;
 * where none is clearly the best, all that are possible, the likeliest first.
 */
export function decodeText(bytes: Uint8Array): Decoded | Decoded[] {
  const encoding = markOf(bytes) ?? (isUtf8(bytes) ? "utf-8" : findWide(bytes));
  if (encoding) return { encoding, text: decodeAs(bytes, encoding) };
  const found = encodings
    .map((possible) => ({ encoding: possible, text: decodeAs(bytes, possible) }))
    .map((decoded) => ({ decoded, score: scoreText(decoded.text) }))
    .sort((a, b) => b.score - a.score);
  const [best, next] = found;
  if (best && best.score >= scoreMin && best.score - (next?.score ?? 0) >= leadMin) return best.decoded;
  return found.filter(({ score }) => score >= 0).map(({ decoded }) => decoded);
}

function markOf([first, second]: Uint8Array): Encoding | null {
  if (first === 0xff && second === 0xfe) return "utf-16le";
  return first === 0xfe && second === 0xff ? "utf-16be" : null;
}

function isUtf8(bytes: Uint8Array): boolean {
  try {
    return !new TextDecoder("utf-8", { fatal: true }).decode(bytes).includes("\0");
  } catch {
    return false;
  }
}

/** UTF-16 of letters and digits: every other byte is 0. */
function findWide(bytes: Uint8Array): Encoding | null {
  const zeros = [0, 0];
  for (const [index, byte] of bytes.entries()) if (byte === 0) zeros[index % 2] = (zeros[index % 2] ?? 0) + 1;
  const [even = 0, odd = 0] = zeros;
  if (Math.max(even, odd) * 8 < bytes.length || Math.min(even, odd) * 8 > Math.max(even, odd)) return null;
  return odd > even ? "utf-16le" : "utf-16be";
}
