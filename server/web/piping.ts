import { pipeline, Readable } from "node:stream";
import { RESPONSE_ALREADY_SENT } from "@hono/node-server/utils/response";
import type { MiddlewareHandler } from "hono";
import type { Visit } from "./visit";

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
    c.res = new Response(Readable.toWeb(stream) as ReadableStream, c.res);
    return;
  }
  const { status, headers } = c.res;
  const cookies = headers.getSetCookie();
  outgoing.writeHead(status, { ...Object.fromEntries(headers), ...(cookies.length > 0 && { "set-cookie": cookies }) });
  pipeline(stream, outgoing, () => {}); // a visitor who left ends both, and so does an upstream that broke off
  // Not merged with the answer it stands for.
  c.res = undefined;
  c.res = RESPONSE_ALREADY_SENT;
};
