import { Readable } from "node:stream";
import { type Context, Hono } from "hono";
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
  renditions: Pick<Renditions, "exportOf">;
}

const namePattern = /^([\w-]{1,64})\.(\w{1,8})$/;

/** The one way out for files. What was generated leaves for keeping only with the audible mark: `?download=1`. */
export function createFileRoutes({ auth, findFile, serveFile, renditions }: FileRouteParts) {
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
    return toResponse(c, await serveFile(file, conditionsOf(c)), isDownload ? file : null);
  });
}

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
  if (kept) c.header("content-disposition", `attachment; filename="${kept.id}.${kept.format}"`);
  return c.newResponse(stream && (Readable.toWeb(stream) as ReadableStream<Uint8Array>), status);
}
