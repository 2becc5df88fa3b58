import type { Context } from "hono";
import { COMPRESSIBLE_CONTENT_TYPE_REGEX } from "hono/utils/compress";
import { mediaHeaders } from "../bff/media-answer.server";
import type { MediaFile } from "../bff/media-file.server";
import { toWebStream } from "../web-stream";
import type { Visit } from "./visit";

/** Opens a file on the visitor's behalf, for as long as the visitor stays. */
export type OpenMedia = (reference: string, range: string | null) => Promise<MediaFile | null>;

/**
 * The authenticated blob GET, in front of Remix because its bytes need nothing of it. `?url=` a file the upstream named,
 * `&download=` the name to save it under; 204 when it is not to be had.
 */
export async function answerMedia(c: Context<Visit>, open: OpenMedia): Promise<Response> {
  const file = await open(c.req.query("url") ?? "", c.req.header("range") ?? null);
  if (!file) return c.body(null, 204);
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
