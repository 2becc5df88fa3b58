import { rm } from "node:fs/promises";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { Busboy, type BusboyFileStream, type BusboyHeaders } from "@fastify/busboy";
import { multipartFramingBytes } from "~server/contract/limits";
import { AppError, isStorageFull, storageFull } from "../errors";
import { writeNewFile } from "../new-file";

export interface ReceivedUpload {
  /** Path of the temporary file; gone after `remove`. */
  path: string;
  size: number;
  /** The sender's file name, cleaned. */
  name: string;
  fields: Record<string, string>;
  remove(): Promise<void>;
}

interface UploadLimits {
  maxBytes: number;
  /** Names a new temporary file in an existing folder. */
  temporaryPath(): string;
}

const nameMaxLength = 100;

const tooLarge = () => new AppError("too-large", "upload is too large", { status: 413 });
const malformed = (cause?: unknown) => new AppError("bad-request", "malformed multipart body", { status: 400, cause });

/**
 * Streams the part `file` of a multipart body to a temporary file, in constant memory. Throws too-large (413) before
 * reading where the length is declared, else as soon as it is exceeded; storage-full (507) where the disk is full;
 * bad-request for what is no such body. Leaves no file behind when it throws.
 */
export async function receiveUpload(
  request: Request,
  { maxBytes, temporaryPath }: UploadLimits,
): Promise<ReceivedUpload> {
  if (Number(request.headers.get("content-length") ?? 0) > maxBytes + multipartFramingBytes) throw tooLarge();
  if (!request.body) throw malformed();
  const path = temporaryPath();
  const remove = () => rm(path, { force: true });
  try {
    const body = Readable.fromWeb(request.body as Parameters<typeof Readable.fromWeb>[0]);
    const { name, size, fields } = await parseInto(path, { body, headers: request.headers, maxBytes });
    return { path, size, name, fields, remove };
  } catch (error) {
    await remove();
    if (error instanceof AppError) throw error;
    throw isStorageFull(error) ? storageFull(error) : malformed(error);
  }
}

interface Parsing {
  body: Readable;
  headers: Headers;
  maxBytes: number;
}

async function parseInto(path: string, { body, headers, maxBytes }: Parsing) {
  const limits = { files: 1, fileSize: maxBytes, fields: 10, fieldSize: 1024, parts: 12, headerPairs: 20 };
  const parser = new Busboy({ headers: Object.fromEntries(headers) as unknown as BusboyHeaders, limits });
  const fields: Record<string, string> = Object.create(null);
  let file: Promise<{ name: string; size: number }> | undefined;
  let part: BusboyFileStream | undefined;
  parser.on("field", (field, value) => {
    fields[field] = value;
  });
  parser.on("file", (field, stream, filename) => {
    if (field !== "file" || file) return void stream.resume();
    part = stream;
    stream.once("limit", () => parser.destroy(tooLarge()));
    file = write(stream, path).then((size) => ({ name: cleanName(filename), size }));
    file.catch((error) => parser.destroy(error));
  });
  await pipeline(body, parser).catch(async (error) => {
    // The parser does not end the part when it is destroyed: its file would stay open and on the disk.
    part?.destroy(error);
    await file?.catch(() => {});
    throw error;
  });
  if (!file) throw malformed();
  return { ...(await file), fields };
}

async function write(stream: BusboyFileStream, path: string): Promise<number> {
  let size = 0;
  stream.on("data", (piece: Buffer) => {
    size += piece.length;
  });
  await writeNewFile(stream, path, { mode: 0o600 });
  if (stream.truncated) throw tooLarge();
  return size;
}

/** The last part of a path, without control characters. */
function cleanName(name = ""): string {
  const last = name.replace(/^.*[\\/]/s, "").replace(/\p{C}/gu, "");
  return [...last].slice(0, nameMaxLength).join("").trim();
}
