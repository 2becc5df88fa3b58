import { PassThrough, pipeline, type Readable } from "node:stream";
import { toWebStream } from "../web-stream";
import { peekFirstBytes, typeByName, withFilmType } from "./file-signature.server";
import { aheadBytes, type Incoming } from "./transport.server";

export interface MediaFile {
  /** 200, 206 or 416. */
  status: number;
  headers: Headers;
  /** Read it to its end or destroy it. */
  body: Readable | null;
}

export interface FileWatch {
  /** The media type by the first bytes; null if the file is not allowed. */
  typeOf(bytes: Uint8Array): string | null;
  maxBytes: number;
  onChunk(): void;
  onEnd(): void;
}

const passed = ["content-length", "content-range", "etag", "last-modified"];

/** A file could not be opened: the upstream's status if it refused, otherwise 502. */
export class MediaFailure extends Error {
  constructor(readonly status: number) {
    super(`no file: ${status}`);
    this.name = "MediaFailure";
  }
}

/** The upstream's response as a file for the browser. Throws MediaFailure if it is not allowed. */
export async function toMediaFile(incoming: Incoming, watch: FileWatch): Promise<MediaFile> {
  const { status } = incoming;
  const headers = new Headers({ "accept-ranges": "bytes" });
  for (const name of passed) {
    const value = incoming.header(name);
    if (value) headers.set(name, value);
  }
  if (status === 416) {
    drop(incoming.body);
    headers.delete("content-length");
    return { status, headers, body: null };
  }
  const isWhole = status === 200 || (status === 206 && /^bytes 0-/.test(headers.get("content-range") ?? ""));
  const length = lengthOf(headers);
  if ((status !== 200 && status !== 206) || (length ?? 0) > watch.maxBytes) {
    drop(incoming.body);
    throw new MediaFailure(status >= 400 && status <= 599 ? status : 502);
  }
  const body = length === null ? endAware(incoming.body) : incoming.body;
  body.once("close", watch.onEnd);
  const head = await peekFirstBytes(body, length ?? watch.maxBytes);
  const declared = typeByName(incoming.header("content-type"));
  const type = isWhole ? withFilmType(watch.typeOf(head), declared) : declared;
  if (!type) {
    drop(body);
    throw new MediaFailure(502);
  }
  headers.set("content-type", type);
  count(body, length ?? watch.maxBytes, watch.onChunk);
  return { status, headers, body };
}

function lengthOf(headers: Headers): number | null {
  const length = headers.get("content-length");
  return length !== null && /^\d+$/.test(length) ? Number(length) : null;
}

/** Without a content-length only a PassThrough shows whether the whole file has arrived. */
function endAware(body: Readable): Readable {
  // An error destroys both streams; the reader receives it.
  return pipeline(body, new PassThrough({ highWaterMark: aheadBytes }), () => {}).on("error", () => {});
}

/** Counts with a listener: another stream in between would double the cost. */
function count(body: Readable, maxBytes: number, onChunk: () => void) {
  let seen = 0;
  // Otherwise the listener would start the flow before the reader is attached.
  body.pause();
  body.on("data", (piece: Uint8Array) => {
    seen += piece.byteLength;
    onChunk();
    if (seen > maxBytes) body.destroy(new Error("file too long"));
  });
}

function drop(body: Readable) {
  body.on("error", () => {}).destroy();
}

/** Adds the response headers: nothing in the file may run; a download gets its name, in UTF-8 too (RFC 5987). */
export function mediaHeaders(file: MediaFile, download: string | null): Headers {
  const { headers } = file;
  headers.set("content-security-policy", "sandbox; default-src 'none'");
  headers.set("x-content-type-options", "nosniff");
  headers.set("content-disposition", download ? attachment(download) : "inline");
  return headers;
}

/** The response of a resource route; 204 without a file. */
export function mediaResponse(file: MediaFile | null, download: string | null): Response {
  if (!file) return new Response(null, { status: 204 });
  const body = file.body && toWebStream(file.body);
  return new Response(body, { status: file.status, headers: mediaHeaders(file, download) });
}

function attachment(name: string): string {
  const safe = name.replace(/[\p{Cc}\p{Cs}/\\:*?"<>|]/gu, "_").replace(/^\.+/, "_");
  const clean = [...safe].slice(0, 120).join("");
  const plain = clean.replace(/[^\x20-\x7e]|[%;]/g, "_");
  const encoded = encodeURIComponent(clean).replace(/['()*]/g, (char) => `%${char.charCodeAt(0).toString(16)}`);
  return `attachment; filename="${plain}"; filename*=UTF-8''${encoded}`;
}
