import type { ServerResponse } from "node:http";
import { pipeline, Readable } from "node:stream";
import type { ReadableStream as NodeReadableStream } from "node:stream/web";
import { constants, createBrotliCompress, createGzip } from "node:zlib";
import { RESPONSE_ALREADY_SENT } from "@hono/node-server/utils/response";
import type { Context, MiddlewareHandler } from "hono";
import { COMPRESSIBLE_CONTENT_TYPE_REGEX } from "hono/utils/compress";
import { toWebStream } from "../web-stream";
import type { WebEnv } from "./request";

const thresholdBytes = 1024;
const encoders = {
  // A 64 KiB window costs about a ninth of the default 4 MiB one for bodies the size of pages.
  br: () =>
    createBrotliCompress({
      flush: constants.BROTLI_OPERATION_FLUSH,
      params: { [constants.BROTLI_PARAM_QUALITY]: 5, [constants.BROTLI_PARAM_LGWIN]: 16 },
    }),
  gzip: () => createGzip({ flush: constants.Z_SYNC_FLUSH }),
};

/** Brotli or gzip that flushes every piece, so that streamed pages are not held back (hono/compress holds them). */
export const compress: MiddlewareHandler<WebEnv> = async (c, next) => {
  await next();
  const encoding = encodingFor(c.req.raw.headers.get("accept-encoding") ?? "", c.req.method, c.res);
  if (!encoding) return;
  const source = c.get("isWhole")
    ? await wholeBody(c)
    : c.res.body && Readable.fromWeb(c.res.body as NodeReadableStream);
  if (!source) return;
  const encoder = encoders[encoding]();
  pipeline(source, encoder, () => {}); // a visitor who left ends both
  c.res = new Response(toWebStream(encoder), c.res);
  c.res.headers.delete("content-length");
  c.res.headers.set("content-encoding", encoding);
  c.res.headers.append("vary", "Accept-Encoding");
};

/** The body to be compressed; null when it is too short for that, and stays as it is. */
async function wholeBody(c: Context<WebEnv>): Promise<Readable | null> {
  const { status, headers } = c.res;
  const bytes = new Uint8Array(await c.res.arrayBuffer());
  // Not merged with the answer it stands for, which would make a stream of it.
  c.res = undefined;
  c.res = new Response(bytes, { status, headers });
  return bytes.length < thresholdBytes ? null : Readable.from([bytes]);
}

function encodingFor(accept: string, method: string, { headers, status }: Response) {
  if (status === 206 || method === "HEAD" || headers.has("content-encoding")) return null;
  const length = headers.get("content-length");
  if (length && Number(length) < thresholdBytes) return null;
  if (!COMPRESSIBLE_CONTENT_TYPE_REGEX.test(headers.get("content-type") ?? "")) return null;
  return /\bbr\b/.test(accept) ? "br" : /\bgzip\b/.test(accept) ? "gzip" : null;
}

/**
 * A clone is a plain Response whichever came first, this module or a server: the library's own, where a server was first,
 * is one of the servers' light ones, and would be written out as an answer.
 */
const alreadySent = RESPONSE_ALREADY_SENT.clone();

/**
 * Outermost: an answer whose handler set `stream` goes to the socket by a pipe, with the headers all the others gave it.
 * Through web streams the same bytes cost several times the work.
 */
export const pipeStreams: MiddlewareHandler<WebEnv> = async (c, next) => {
  await next();
  const stream = c.get("stream");
  if (!stream) return;
  const { outgoing } = c.env ?? {};
  if (!outgoing) {
    c.res = new Response(toWebStream(stream), c.res);
    return;
  }
  const { status, headers } = c.res;
  const cookies = headers.getSetCookie();
  outgoing.writeHead(status, { ...Object.fromEntries(headers), ...(cookies.length > 0 && { "set-cookie": cookies }) });
  pipe(stream, outgoing);
  // Not merged with the answer it stands for.
  c.res = undefined;
  c.res = alreadySent;
};

/**
 * A visitor who left ends both, and so does an upstream that broke off. node's pipeline does the same, and aborts a signal
 * nobody has at the end of each, which takes longer than all the rest of a short answer.
 */
function pipe(stream: Readable, outgoing: ServerResponse) {
  stream.on("error", () => {});
  stream.once("close", () => stream.readableEnded || outgoing.destroy());
  outgoing.once("close", () => stream.destroy());
  if (stream.destroyed || outgoing.destroyed) {
    stream.destroy();
    outgoing.destroy();
  } else stream.pipe(outgoing);
}
