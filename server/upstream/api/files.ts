import { type Context, Hono } from "hono";
import { toWebStream } from "~server/web-stream";
import { AppError } from "../errors";
import type { MediaFile, MediaFiles } from "../media/files";
import type { ServedFile, ServeRequest } from "../media/serve";
import type { Renditions } from "../voices/renditions";
import type { Auth } from "./auth";

export interface FileRouteParts {
  auth: Pick<Auth, "findOwner">;
  findFile: MediaFiles["find"];
  /** The choke point: checks the label and opens the bytes. */
  serveFile(file: MediaFile, request: ServeRequest): Promise<ServedFile>;
  /** The same check, and an address in the bucket instead of the bytes; null where links are not wanted. */
  linkFile(file: MediaFile, fileName?: string): Promise<string | null>;
  renditions: Pick<Renditions, "exportOf">;
}

const namePattern = /^([\w-]{1,64})\.(\w{1,8})$/;

/**
 * The one way out for files. What was generated leaves for keeping only with the audible mark: `?download=1`.
 * `?link=1` asks for a short-lived address in the bucket: 307, or the bytes where there are no such addresses.
 */
export function createFileRoutes({ auth, findFile, serveFile, linkFile, renditions }: FileRouteParts) {
  return new Hono().get("/files/:name", async (c) => {
    const [, asked, format] = namePattern.exec(c.req.param("name")) ?? [];
    if (!asked || !format) throw missing();
    const isDownload = c.req.query("download") === "1";
    // Whoever may not have the file asked for learns nothing of its exports either.
    const reader = await auth.findOwner(c);
    const found = await findFile(asked, reader);
    const id = found && isDownload ? await renditions.exportOf(asked, format) : asked;
    const file = id === asked ? found : id && (await findFile(id, reader));
    if (!file || file.format !== format) throw missing();
    const link = c.req.query("link") === "1" ? await linkFile(file, isDownload ? nameOf(file) : undefined) : null;
    if (link) return c.redirect(link, 307);
    return toResponse(c, await serveFile(file, conditionsOf(c)), isDownload ? file : null);
  });
}

const nameOf = ({ id, format }: MediaFile) => `${id}.${format}`;
const missing = () => new AppError("not-found", "no such file", { status: 404 });

const conditionsOf = (c: Context): ServeRequest => ({
  range: c.req.header("range"),
  ifRange: c.req.header("if-range"),
  ifNoneMatch: c.req.header("if-none-match"),
  headOnly: c.req.method === "HEAD",
});

function toResponse(c: Context, { status, headers, stream }: ServedFile, kept: MediaFile | null): Response {
  for (const [name, value] of Object.entries(headers)) c.header(name, value);
  // Files never change under their id; whose they are is checked on every visit all the same.
  c.header("cache-control", "private, no-cache");
  if (kept) c.header("content-disposition", `attachment; filename="${nameOf(kept)}"`);
  return c.newResponse(stream && toWebStream(stream), status);
}
