import { Readable } from "node:stream";
import type { CallRequest } from "~server/contract/calls/table";
import { isHeading } from "~server/contract/chapters";
import { fileIdOf } from "~server/contract/file-address";
import type { Timeline } from "../../../speech/engine";
import type { Db } from "../../db/database";
import { AppError } from "../../errors";
import type { MediaFile, MediaFiles } from "../../media/files";
import type { Owner } from "../../owner";
import type { Files } from "../../voices/ports";
import type { Book, BookSound } from "./books";
import { type ChapterColumn, dubsOfBook } from "./chapters";
import { type DoneDub, findDone, toSpokenLine } from "./list";
import { type Cue, toCues } from "./subtitles/cues";
import { displayText } from "./subtitles/display-text";
import { isSubtitleFormat, subtitleFormats } from "./subtitles/formats";

type LineRow = DoneDub["lines"][number];

/** A finished dub as a file. Throws not-found for another owner's dub and for one that is not done. */
export type ExportDub = ReturnType<typeof createDubExport>;

interface ExportEntry {
  name: string;
  size: number;
  open(): Promise<AsyncIterable<Uint8Array>>;
}

interface ExportParts {
  db: Db;
  files: Pick<Files, "read"> & Pick<MediaFiles, "openLabelled">;
  findFile: MediaFiles["find"];
  /** Throws for generated speech without its label. */
  openFile(file: MediaFile): Promise<AsyncIterable<Uint8Array>>;
  /** Encodes an audiobook and returns its path. Throws timeout (503) where asking again finds it. */
  encodeBook(book: Book): Promise<string>;
  /** Streams an archive; reports entries that cannot be opened. */
  zip(entries: Iterable<ExportEntry>, onLeftOut: (name: string) => void): AsyncIterable<Uint8Array>;
}

const missing = () => new AppError("not-found", "no such dub", { status: 404 });

/** Audio leaves with the audible mark only, after the label check. */
export function createDubExport(parts: ExportParts) {
  const { db, openFile, zip } = parts;

  const getFile = async ({ downloads }: Pick<LineRow, "downloads">, format: string, owner: Owner) => {
    const id = fileIdOf(downloads?.find((download) => download.format === format)?.url ?? "");
    const file = id && (await parts.findFile(id, owner));
    if (!file) throw missing();
    return file;
  };
  const entryOf = async (row: Pick<LineRow, "downloads">, name: string, owner: Owner): Promise<ExportEntry> => {
    const file = await getFile(row, "mp3", owner);
    return { name: `${name}.${file.format}`, size: file.bytes, open: () => openFile(file) };
  };
  /** What a video editor imports: the whole sound, its subtitles, and the sound of each line. */
  const partsAsZip = async (dub: DoneDub, title: string, owner: Owner) => {
    const { lines } = dub;
    const width = Math.max(2, String(lines.length).length);
    const subtitles = Buffer.from(subtitleFormats.srt.write(await cuesOf(parts, lines, dub.timeline_url)));
    const entries: ExportEntry[] = [
      await entryOf(dub, title, owner),
      { name: `${title}.srt`, size: subtitles.length, open: async () => Readable.from([subtitles]) },
    ];
    for (const line of lines) {
      const number = String(line.number + 1).padStart(width, "0");
      const words = [number, toFileName(line.name ?? ""), toFileName(displayText(line.content), openingMax)];
      entries.push(await entryOf(line, words.filter(Boolean).join("-"), owner));
    }
    return zip(entries, (name) => {
      throw new AppError("failure", `${name} cannot be opened`, { status: 500 });
    });
  };

  /** The whole book of a chapter, or the dub alone, with the titles among its lines as chapters. */
  const toBook = async (dub: DoneDub, title: string, owner: Owner): Promise<Book> => {
    const column = dub.chapter as ChapterColumn | null;
    const dubs = column ? await dubsOfBook(db, owner, column.bookId) : [dub];
    const sounds: BookSound[] = [];
    for (const one of dubs) {
      const wav = await getFile(one, "wav", owner);
      const chapters = column
        ? [{ startMs: 0, title: one.title || String(sounds.length + 1) }]
        : toChapters(dub.lines, title);
      sounds.push({ wav, seconds: one.duration_ms / 1000, chapters });
    }
    const covers = dubs.flatMap(({ chapter }) => (chapter as ChapterColumn | null)?.coverId ?? []);
    return { title: column?.book || title, author: column?.author ?? "", coverId: covers[0] ?? null, sounds };
  };

  return async (owner: Owner, { dubbId, format }: CallRequest<"dubExport">) => {
    const dub = await findDone(db, owner, dubbId);
    if (!dub) throw missing();
    const { lines } = dub;
    const title = toFileName(dub.title) || toFileName(displayText(lines[0]?.content ?? ""), openingMax) || dub.id;
    const fileName = `${title}.${format}`;
    if (format === "zip") return { fileName, mime: "application/zip", body: await partsAsZip(dub, title, owner) };
    if (format === "m4b") {
      const book = await toBook(dub, title, owner);
      const body = await parts.files.openLabelled(await parts.encodeBook(book), format);
      return { fileName: `${toFileName(book.title) || title}.m4b`, mime: "audio/mp4", body };
    }
    if (isSubtitleFormat(format)) {
      const { mime, write } = subtitleFormats[format];
      const text = write(await cuesOf(parts, lines, dub.timeline_url), dub.title);
      return { fileName, mime: `${mime}; charset=utf-8`, body: Readable.from([Buffer.from(text)]) };
    }
    const file = await getFile(dub, format, owner);
    return { fileName, mime: file.mime, body: await openFile(file) };
  };
}

/** The titles among the lines; what stands before the first one is a chapter of the dub's name. */
function toChapters(lines: readonly LineRow[], title: string) {
  const headings = lines.flatMap(({ content, begins_ms }) => {
    const text = displayText(content).trim();
    return isHeading(text) ? [{ startMs: begins_ms ?? 0, title: text }] : [];
  });
  return headings[0]?.startMs === 0 ? headings : [{ startMs: 0, title }, ...headings];
}

/** Characters of a line's text in its file name. */
const openingMax = 10;

/** Characters that every file system accepts; "" if none are left. */
function toFileName(text: string, max = 40): string {
  const accepted = text.normalize("NFC").replace(/[^\p{L}\p{N}\p{M} _·-]+/gu, "");
  return [...accepted.replace(/\s+/g, " ").trim()].slice(0, max).join("").trim();
}

async function cuesOf({ files }: ExportParts, lines: LineRow[], timelineUrl: string | null): Promise<Cue[]> {
  const id = fileIdOf(timelineUrl ?? "");
  const units = id ? (JSON.parse(Buffer.from(await files.read(id)).toString()) as Timeline).units : [];
  return toCues(lines.map(toSpokenLine), units);
}
