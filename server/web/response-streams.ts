import type { ServerResponse } from "node:http";
import { pipeline, Readable } from "node:stream";
import type { ReadableStream as NodeReadableStream } from "node:stream/web";
import { constants, createBrotliCompress, createGzip } from "node:zlib";
import { RESPONSE_ALREADY_SENT } from "@hono/node-server/utils/response";
import type { MiddlewareHandler } from "hono";
import { COMPRESSIBLE_CONTENT_TYPE_REGEX } from "hono/utils/compress";
import { toWebStream } from "../web-stream";
import { encodingOf, type WebEnv } from "./request";

const thresholdBytes = 1024;
// For bodies of page size a 64 KiB window takes about a ninth of the CPU time of the default 4 MiB window.
const brotliParams = { [constants.BROTLI_PARAM_QUALITY]: 5, [constants.BROTLI_PARAM_LGWIN]: 16 };
const encoders = {
  br: () => createBrotliCompress({ flush: constants.BROTLI_OPERATION_FLUSH, params: brotliParams }),
  gzip: () => createGzip({ flush: constants.Z_SYNC_FLUSH }),
};
/** Compresses with Brotli or gzip and flushes every chunk; hono/compress buffers streamed pages. */
export const compress: MiddlewareHandler<WebEnv> = async (c, next) => {
  await next();
  const encoding = encodingOf(c);
  if (!encoding || !isCompressible(c.req.method, c.res)) return;
  const source = c.res.body && Readable.fromWeb(c.res.body as NodeReadableStream);
  if (!source) return;
  const encoder = encoders[encoding]();
  pipeline(source, encoder, () => {}); // destroys both when the client disconnects
  c.res = new Response(toWebStream(encoder), c.res);
  c.res.headers.delete("content-length");
  c.res.headers.set("content-encoding", encoding);
  c.res.headers.append("vary", "Accept-Encoding");
};

function isCompressible(method: string, { headers, status }: Response): boolean {
  const length = headers.get("content-length");
  if (status === 206 || method === "HEAD" || headers.has("content-encoding")) return false;
  if (length && Number(length) < thresholdBytes) return false;
  return COMPRESSIBLE_CONTENT_TYPE_REGEX.test(headers.get("content-type") ?? "");
}

/**
 * A clone, because the adapter replaces the global Response when a server is created: a RESPONSE_ALREADY_SENT made after
 * that is one of its lightweight responses and would be written to the socket.
 */
const alreadySent = RESPONSE_ALREADY_SENT.clone();

/**
 * Outermost middleware: pipes the `stream` variable to the socket under the response's headers. Web streams take several
 * times the CPU time for the same bytes.
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
  c.res = undefined;
  c.res = alreadySent;
};

/**
 * Destroys both ends when either closes early. Node's `pipeline` does the same, but aborts an unused signal at the end of
 * each stream, which takes longer than the rest of a short response.
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
