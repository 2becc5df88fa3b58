import type { ServerResponse } from "node:http";
import type { Readable } from "node:stream";
import { RESPONSE_ALREADY_SENT } from "@hono/node-server/utils/response";
import type { MiddlewareHandler } from "hono";
import { toWebStream } from "../web-stream";
import type { Visit } from "./visit";

/**
 * A clone is a plain Response whichever came first, this module or a server: the library's own, where a server was first,
 * is one of the servers' light ones, and would be written out as an answer.
 */
const alreadySent = RESPONSE_ALREADY_SENT.clone();

/**
 * Outermost: an answer whose handler set `stream` goes to the socket by a pipe, with the headers all the others gave it.
 * Through web streams the same bytes cost several times the work.
 */
export const pipeStreams: MiddlewareHandler<Visit> = async (c, next) => {
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
