import { Readable } from "node:stream";
import type { CallRequest } from "~server/contract/calls/table";
import type { Db } from "../../db/database";
import { AppError } from "../../errors";
import type { MediaFile, MediaFiles } from "../../media/files";
import type { Timeline } from "../../speech/engine";
import type { Files, Owner } from "../../voices/ports";
import { toUuids } from "./parts";
import { type Cue, toCues } from "./subtitles/cues";
import { formatLrc, formatSrt, formatVtt } from "./subtitles/formats";
import { shownText } from "./subtitles/pieces";

type Format = CallRequest<"dubExport">["format"];

export interface Exported {
  /** File name people keep it under. */
  name: string;
  mime: string;
  body: AsyncIterable<Uint8Array>;
}

/** A finished dub for keeping. Throws not-found for one that is not the owner's, or not done. */
export type ExportDub = (owner: Owner, request: { dubbId: string; format: Format }) => Promise<Exported>;

interface Entry {
  name: string;
  size: number;
  open(): Promise<AsyncIterable<Uint8Array>>;
}

interface ExportParts {
  db: Db;
  files: Pick<Files, "read">;
  findFile: MediaFiles["find"];
  /** Through the choke point: throws for generated speech without its label. */
  openFile(file: MediaFile): Promise<AsyncIterable<Uint8Array>>;
  /** An archive as it is being read; what cannot be opened is left out. */
  zip(entries: Iterable<Entry>, leftOut: (name: string) => void): AsyncIterable<Uint8Array>;
}

const missing = () => new AppError("not-found", "no such dub", { status: 404 });
const idOf = (url: string) => url.slice(url.lastIndexOf("/") + 1).replace(/\..*$/, "");
const mimes = { srt: "application/x-subrip", lrc: "text/plain", vtt: "text/vtt" } as const;

/** Audio leaves with the audible mark alone, and behind the label's check. */
export function createDubExport(parts: ExportParts): ExportDub {
  const { db, findFile, openFile, zip } = parts;

  const fileAt = async (url: string | null, owner: Owner): Promise<MediaFile> => {
    const file = url ? await findFile(idOf(url), owner) : null;
    if (!file) throw missing();
    return file;
  };
  const linesAsZip = async (lines: LineRow[], owner: Owner) => {
    const width = Math.max(2, String(lines.length).length);
    const entries: Entry[] = [];
    for (const line of lines) {
      const file = await fileAt(line.mp3_url, owner);
      const number = String(line.number + 1).padStart(width, "0");
      const name = [number, safe(line.name ?? ""), safe(shownText(line.content), openingMax)].filter(Boolean).join("-");
      entries.push({ name: `${name}.${file.format}`, size: file.bytes, open: () => openFile(file) });
    }
    return zip(entries, (name) => {
      throw new AppError("failure", `${name} cannot be opened`, { status: 500 });
    });
  };

  return async (owner, { dubbId, format }) => {
    const dub = await findDone(db, owner, dubbId);
    if (!dub) throw missing();
    const lines = await linesOf(db, dub.id);
    const title = safe(dub.title) || safe(shownText(lines[0]?.content ?? ""), openingMax) || dub.id;
    const name = `${title}.${format}`;
    if (format === "zip") return { name, mime: "application/zip", body: await linesAsZip(lines, owner) };
    if (format === "mp3" || format === "wav") {
      const file = await fileAt(format === "mp3" ? dub.mp3_url : dub.wav_url, owner);
      return { name, mime: file.mime, body: await openFile(file) };
    }
    const text = formatCues(await cuesOf(parts, lines, dub.timeline_url), { format, title: dub.title });
    return { name, mime: `${mimes[format]}; charset=utf-8`, body: Readable.from([Buffer.from(text)]) };
  };
}

/** Characters of a line that its file is told by. */
const openingMax = 10;

/** Fit for file names anywhere; "" where nothing is left. */
function safe(text: string, max = 40): string {
  const kept = text.normalize("NFC").replace(/[^\p{L}\p{N}\p{M} _·-]+/gu, "");
  return [...kept.replace(/\s+/g, " ").trim()].slice(0, max).join("").trim();
}

function formatCues(cues: Cue[], { format, title }: { format: "srt" | "lrc" | "vtt"; title: string }): string {
  if (format === "srt") return formatSrt(cues);
  return format === "vtt" ? formatVtt(cues) : formatLrc(cues, title);
}

async function cuesOf({ files }: ExportParts, lines: LineRow[], timelineUrl: string | null): Promise<Cue[]> {
  const bytes = timelineUrl ? await files.read(idOf(timelineUrl)) : null;
  const units = bytes ? (JSON.parse(Buffer.from(bytes).toString()) as Timeline).units : [];
  const spoken = lines.map((line) => ({
    content: line.content,
    name: line.name ?? "",
    beginsMs: line.begins_ms ?? 0,
    durationMs: line.duration_ms ?? 0,
    startMs: line.start_ms,
    endMs: line.end_ms,
    overrunMs: line.overrun_ms,
  }));
  return toCues(spoken, units);
}

async function findDone(db: Db, owner: Owner, dubbId: string) {
  const [id] = toUuids([dubbId]);
  if (!id) return undefined;
  return db
    .selectFrom("dub")
    .innerJoin("rendition", "rendition.id", "dub.rendition_id")
    .select(["dub.id", "title", "mp3_url", "wav_url", "timeline_url"])
    .where("dub.id", "=", id)
    .where("dub.owner", "=", owner)
    .where("dub.status", "=", 2)
    .executeTakeFirst();
}

const linesOf = (db: Db, id: string) =>
  db
    .selectFrom("dub_line")
    .innerJoin("dub", "dub.id", "dub_line.dub_id")
    .leftJoin("role", (join) =>
      join
        .onRef("role.id", "=", "dub_line.role_id")
        .on((eb) => eb.or([eb("role.owner", "=", eb.ref("dub.owner")), eb("role.is_shown", "=", true)])),
    )
    .leftJoin("rendition", "rendition.id", "dub_line.rendition_id")
    .select(["number", "content", "begins_ms", "overrun_ms", "start_ms", "end_ms"])
    .select(["role.name", "duration_ms", "mp3_url"])
    .where("dub_id", "=", id)
    .orderBy("number")
    .execute();
type LineRow = Awaited<ReturnType<typeof linesOf>>[number];
