import { Readable, Transform } from "node:stream";
import { pipeline } from "node:stream/promises";
import { calls } from "~server/contract/calls/table";
import { type Caller, headersOf } from "./caller.server";
import { createDeadline } from "./deadline.server";
import { fileAddress, publicLookup } from "./file-address.server";
import { signatureBytes, typeByBytes, typeByName, zipByBytes } from "./signature.server";
import { createNetworkTransport, type Incoming, type Transport } from "./transport.server";

export interface MediaFile {
  /** 200, 206 or 416. */
  status: number;
  headers: Headers;
  /** To be read to its end or destroyed. */
  body: Readable | null;
}

interface Options {
  base: string;
  transport: Transport;
  appId: string;
  fileOrigins: string[];
  maxBytes?: number;
  /** How long nothing may move. */
  idleMs?: number;
}

/** Read ahead of a slower listener. */
const aheadBytes = 256 * 1024;
const passed = ["content-length", "content-range", "etag", "last-modified"];

/** The authenticated blob GET (specification section 7): streams, with Range, what is truly sound, picture or timeline. */
export function createMediaClient({
  base,
  transport,
  appId,
  fileOrigins,
  maxBytes = 512 * 2 ** 20,
  idleMs = 20_000,
}: Options) {
  // Only where a listed origin is not the upstream itself does a name lead to an address nobody configured.
  const outward = fileOrigins.length > 0 ? createNetworkTransport(undefined, { lookup: publicLookup }) : transport;

  async function open(caller: Caller, { place, range, typeOf }: Wanted): Promise<MediaFile | null> {
    const deadline = createDeadline(idleMs, caller.signal);
    const headers: Record<string, string> = place.isOwn ? headersOf(caller, appId) : {};
    if (range && /^bytes=(\d+-\d*|-\d+)$/.test(range)) headers.range = range;
    try {
      const send = place.isOwn ? transport : outward;
      const incoming = await send({ method: "GET", url: place.url, headers, signal: deadline.signal });
      const file = await toMediaFile(incoming, { typeOf, maxBytes, onPiece: deadline.extend, onEnd: deadline.clear });
      if (!file?.body) deadline.clear();
      return file;
    } catch (error) {
      deadline.clear();
      throw error;
    }
  }

  const orNull = (file: Promise<MediaFile | null>) => file.catch(() => null);

  return {
    async openFile(caller: Caller, reference: string, range: string | null = null): Promise<MediaFile | null> {
      const place = fileAddress(reference, { base, fileOrigins });
      return place && orNull(open(caller, { place, range, typeOf: typeByBytes }));
    },
    /** All that belongs to the caller's account, as a zip; null on failure. */
    openArchive(caller: Caller): Promise<MediaFile | null> {
      const place = { url: new URL(`${base}/api/v1${calls.userExport.path}`), isOwn: true };
      return orNull(open(caller, { place, range: null, typeOf: zipByBytes }));
    },
    /** A finished dub; null on failure. */
    openExport(caller: Caller, dubbId: string, format: ExportFormat): Promise<MediaFile | null> {
      const query = new URLSearchParams({ dubbId, format });
      const place = { url: new URL(`${base}/api/v1${calls.dubExport.path}?${query}`), isOwn: true };
      return orNull(open(caller, { place, range: null, typeOf: exportTypes[format] }));
    },
  };
}

const soundByBytes = (bytes: Uint8Array) => /^audio\//.exec(typeByBytes(bytes) ?? "")?.input ?? null;
/** Words alone: whatever else they may be, the browser takes them for a file to save. */
const subtitle = (bytes: Uint8Array) => (bytes.includes(0) ? null : "text/plain; charset=utf-8");

const exportTypes = {
  mp3: soundByBytes,
  wav: soundByBytes,
  zip: zipByBytes,
  srt: subtitle,
  lrc: subtitle,
  vtt: subtitle,
};
export type ExportFormat = keyof typeof exportTypes;

interface Wanted {
  place: { url: URL; isOwn: boolean };
  range: string | null;
  /** The type by the first bytes; null for what may not pass. */
  typeOf(bytes: Uint8Array): string | null;
}

interface Watch extends Pick<Wanted, "typeOf"> {
  maxBytes: number;
  onPiece(): void;
  onEnd(): void;
}

async function toMediaFile(incoming: Incoming, watch: Watch): Promise<MediaFile | null> {
  const { status, body } = incoming;
  const headers = new Headers({ "accept-ranges": "bytes" });
  for (const name of passed) {
    const value = incoming.header(name);
    if (value) headers.set(name, value);
  }
  if (status === 416) {
    drop(body);
    headers.delete("content-length");
    return { status, headers, body: null };
  }
  const isWhole = status === 200 || (status === 206 && /^bytes 0-/.test(headers.get("content-range") ?? ""));
  if ((status !== 200 && status !== 206) || Number(headers.get("content-length") ?? 0) > watch.maxBytes) {
    drop(body);
    return null;
  }
  const counted = new Transform({ ...counting(watch), highWaterMark: aheadBytes });
  // Errors end the stream at both sides; whoever reads it learns of them there.
  counted.on("error", () => {});
  pipeline(body, counted).then(watch.onEnd, watch.onEnd);
  const head = await peek(counted);
  const type = isWhole ? watch.typeOf(head) : typeByName(incoming.header("content-type"));
  if (!type) {
    drop(counted);
    return null;
  }
  headers.set("content-type", type);
  return { status, headers, body: counted };
}

function counting({ maxBytes, onPiece }: Watch) {
  let seen = 0;
  return {
    transform(piece: Uint8Array, _encoding: string, done: (error: Error | null, piece?: Uint8Array) => void) {
      seen += piece.byteLength;
      onPiece();
      done(seen > maxBytes ? new Error("file too long") : null, piece);
    },
  };
}

/** The first bytes, which the stream still has. A very short piece of a range may end before 16 are there. */
async function peek(source: Transform): Promise<Uint8Array> {
  const pieces: Buffer[] = [];
  let size = 0;
  while (size < signatureBytes && !source.readableEnded) {
    if (source.errored) throw source.errored;
    const piece: Buffer | null = source.read();
    if (piece) {
      pieces.push(piece);
      size += piece.length;
    } else if (isOver(source)) break;
    else await change(source);
  }
  const head = Buffer.concat(pieces);
  // In the same turn as the last reading: the end is told in the next one, and after it nothing can be put back.
  if (size > 0) source.unshift(head);
  return head.subarray(0, signatureBytes);
}

/** All is read, though nobody was told yet. */
const isOver = (source: Transform) => source.writableFinished && source.readableLength === 0;

function change(source: Readable): Promise<void> {
  return new Promise((resolve) => {
    const events = ["readable", "end", "error", "close"];
    const seen = () => {
      for (const event of events) source.off(event, seen);
      resolve();
    };
    for (const event of events) source.on(event, seen);
  });
}

function drop(body: Readable) {
  body.on("error", () => {}).destroy();
}

/** Headers of the answer: nothing in the file may run, and a download gets its name, in UTF-8 too (RFC 5987). */
export function mediaHeaders(file: MediaFile, download: string | null): Headers {
  const headers = new Headers(file.headers);
  headers.set("content-security-policy", "sandbox; default-src 'none'");
  headers.set("x-content-type-options", "nosniff");
  headers.set("content-disposition", download ? attachment(download) : "inline");
  return headers;
}

/** The whole answer for a route of Remix. */
export function mediaAnswer(file: MediaFile | null, download: string | null): Response {
  if (!file) return new Response(null, { status: 204 });
  const body = file.body && (Readable.toWeb(file.body) as ReadableStream<Uint8Array>);
  return new Response(body, { status: file.status, headers: mediaHeaders(file, download) });
}

function attachment(name: string): string {
  const safe = name.replace(/[\p{Cc}\p{Cs}/\\:*?"<>|]/gu, "_").replace(/^\.+/, "_");
  const clean = [...safe].slice(0, 120).join("");
  const plain = clean.replace(/[^\x20-\x7e]|[%;]/g, "_");
  const encoded = encodeURIComponent(clean).replace(/['()*]/g, (char) => `%${char.charCodeAt(0).toString(16)}`);
  return `attachment; filename="${plain}"; filename*=UTF-8''${encoded}`;
}
