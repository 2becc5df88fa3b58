import type { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { AppError } from "../errors";
import type { MediaFile } from "./files";
import { readLabels } from "./label/label";
import type { ByteRange, MediaStore } from "./store";

/** One range by RFC 9110; null for several or malformed ranges, which are answered with the whole file. */
export function parseRange(header: string | undefined, size: number): ByteRange | "unsatisfiable" | null {
  const [, first = "", last = ""] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header?.trim() ?? "") ?? [];
  if (first === "" && last === "") return null;
  if (first === "") {
    const length = Math.min(Number(last), size);
    return length === 0 ? "unsatisfiable" : { start: size - length, end: size - 1 };
  }
  const start = Number(first);
  const end = last === "" ? size - 1 : Math.min(Number(last), size - 1);
  if (last !== "" && Number(last) < start) return null;
  return start >= size ? "unsatisfiable" : { start, end };
}

export interface ServeRequest {
  range?: string | undefined;
  ifRange?: string | undefined;
  ifNoneMatch?: string | undefined;
  /** For HEAD: headers without a body. */
  headOnly?: boolean;
}

export interface ServedFile {
  status: 200 | 206 | 304 | 416;
  headers: Record<string, string>;
  /** Null for 304, 416 and HEAD; otherwise the caller reads it to its end or destroys it. */
  stream: Readable | null;
}

/**
 * Every file response is made here. Generated speech whose AI-content label is missing, damaged, doubled or belongs to
 * another file throws AppError 'failure' (500) for any range. Recordings are not generated and carry no label;
 * `MediaFiles.find` returns them to their owner only. Throws not-found when the bytes are gone.
 */
export async function serveFile(store: MediaStore, file: MediaFile, request: ServeRequest = {}): Promise<ServedFile> {
  const size = await requireServable(store, file);
  // A file never changes under its id.
  const etag = `"${file.id}"`;
  const headers = { etag, "accept-ranges": "bytes", "content-type": file.mime, "x-content-type-options": "nosniff" };
  if (matches(request.ifNoneMatch, etag)) return { status: 304, headers, stream: null };
  const isSame = request.ifRange === undefined || request.ifRange === etag;
  const range = isSame ? parseRange(request.range, size) : null;
  if (range === "unsatisfiable") {
    return { status: 416, headers: { ...headers, "content-range": `bytes */${size}` }, stream: null };
  }
  const length = range ? range.end - range.start + 1 : size;
  const stream = request.headOnly ? null : await store.open(file.storage_key, range ?? undefined);
  const sized = { ...headers, "content-length": String(length) };
  if (!range) return { status: 200, headers: sized, stream };
  return { status: 206, headers: { ...sized, "content-range": `bytes ${range.start}-${range.end}/${size}` }, stream };
}

/** A signed store URL of the file, after the same label check; null when the store gives none. */
export async function linkFile(store: MediaStore, file: MediaFile, fileName?: string): Promise<string | null> {
  if (!store.link) return null;
  await requireServable(store, file);
  return store.link(file.storage_key, { mime: file.mime, ...(fileName && { fileName }) });
}

/** Returns the file's size; throws if the file may not be served. */
async function requireServable(store: MediaStore, file: MediaFile): Promise<number> {
  const size = await store.size(file.storage_key);
  if (size === null) throw new AppError("not-found", "the file's bytes are gone", { status: 404 });
  if (size !== file.bytes) throw refusal(file, "its size changed");
  if (file.kind === "speech") await requireLabel(store, file);
  return size;
}

/** The whole file for an archive; read it to its end or destroy it. */
export async function openServed(store: MediaStore, file: MediaFile): Promise<Readable> {
  const { stream } = await serveFile(store, file);
  if (!stream) throw refusal(file, "it came without bytes");
  return stream;
}

async function requireLabel(store: MediaStore, file: MediaFile): Promise<void> {
  const key = file.storage_key;
  const read = async (start: number, end: number) => {
    const last = Math.min(end, file.bytes - 1);
    return start > last ? new Uint8Array(0) : buffer(await store.open(key, { start, end: last }));
  };
  const labels = await readLabels({ size: file.bytes, read });
  const [label] = labels;
  if (labels.length !== 1 || label === undefined) throw refusal(file, `it carries ${labels.length} labels`);
  if (label === "damaged") throw refusal(file, "its label is damaged");
  if (label.Label !== "1" || label.ProduceID !== file.produce_id) throw refusal(file, "its label is another file's");
}

const refusal = (file: MediaFile, why: string) =>
  new AppError("failure", `file ${file.id} is not served: ${why}`, { status: 500 });

const matches = (header: string | undefined, etag: string) =>
  header !== undefined && (header === "*" || header.split(",").some((tag) => tag.trim().replace(/^W\//, "") === etag));
