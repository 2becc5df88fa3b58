import type { Context } from "hono";
import { COMPRESSIBLE_CONTENT_TYPE_REGEX } from "hono/utils/compress";
import { type MediaFile, mediaHeaders } from "../bff/media-file.server";
import { toWebStream } from "../web-stream";
import type { Visit } from "./visit";

/** Opens a file on the visitor's behalf, for as long as the visitor stays. */
export type OpenMedia = (
  reference: string,
  range: string | null,
  onFailure: (status: number) => void,
) => Promise<MediaFile | null>;

/**
 * The authenticated blob GET, in front of Remix because its bytes need nothing of it. `?url=` a file the upstream named,
 * `&download=` the name to save it under. What is not to be had is an empty answer: its status tells a page why, and 204
 * keeps the browser on the page where a link was to save it.
 */
export async function answerMedia(c: Context<Visit>, open: OpenMedia): Promise<Response> {
  let status = 502;
  const file = await open(c.req.query("url") ?? "", c.req.header("range") ?? null, (failed) => {
    status = failed;
  });
  if (!file) return new Response(null, { status: c.req.query("download") === undefined ? status : 204 });
  const headers = mediaHeaders(file, c.req.query("download") ?? null);
  const answer = (body: ReadableStream | null) => new Response(body, { status: file.status, headers });
  if (!file.body) return answer(null);
  if (c.req.method === "HEAD") {
    // Nobody reads the body of a HEAD; the upstream must not wait for it.
    file.body.destroy();
    return answer(null);
  }
  // A timeline is words, which are worth compressing on their way.
  if (COMPRESSIBLE_CONTENT_TYPE_REGEX.test(headers.get("content-type") ?? "")) return answer(toWebStream(file.body));
  c.set("stream", file.body);
  return answer(null);
}
