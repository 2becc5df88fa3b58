import { type Context, Hono } from "hono";
import { convertedFormats } from "~server/contract/calls/tasks";
import { toWebStream } from "~server/web-stream";
import { AppError } from "../errors";
import type { MediaFile } from "../media/files";
import type { ServedFile, ServeRequest } from "../media/serve";
import type { Owner } from "../owner";
import type { Auth } from "./auth";
import type { ApiParts } from "./parts";

interface FileRequest {
  isDownload: boolean;
  reader: Owner | null;
}

const namePattern = /^([\w-]{1,64})\.(\w{1,8})$/;

/**
 * Serves files. `?download=1` answers generated speech with the audible mark only. A sound's address with the ending of
 * a format that is encoded on demand answers that download; 503 says that it takes longer, and asking again finds it. `?link=1` redirects (307) to a
 * short-lived address in the bucket, or answers the bytes where the store has no such addresses.
 */
export function createFileRoutes({ files, renditions, conversions }: ApiParts, auth: Pick<Auth, "findOwner">) {
  const idToServe = async (found: MediaFile, format: string, { isDownload, reader }: FileRequest) => {
    const converted = convertedFormats.find((one) => one === format && found.format !== format);
    if (converted) return conversions.find(found.id, converted, reader);
    return isDownload ? renditions.exportOf(found.id, format) : found.id;
  };
  return new Hono().get("/files/:name", async (c) => {
    const [, requested, format] = namePattern.exec(c.req.param("name")) ?? [];
    if (!requested || !format) throw missing();
    const isDownload = c.req.query("download") === "1";
    // A reader without access to the file gets no access to its downloads.
    const reader = await auth.findOwner(c);
    const found = await files.find(requested, reader);
    const id = found && (await idToServe(found, format, { isDownload, reader }));
    const file = id === requested ? found : id && (await files.find(id, reader));
    if (!file || file.format !== format) throw missing();
    const link = c.req.query("link") === "1" ? await files.link(file, isDownload ? nameOf(file) : undefined) : null;
    if (link) return c.redirect(link, 307);
    return toResponse(c, await files.serve(file, conditionsOf(c)), isDownload ? file : null);
  });
}

const nameOf = ({ id, format }: MediaFile) => `${id}.${format}`;
const missing = () => new AppError("not-found", "no such file", { status: 404 });

export const conditionsOf = (c: Context): ServeRequest => ({
  range: c.req.header("range"),
  ifRange: c.req.header("if-range"),
  ifNoneMatch: c.req.header("if-none-match"),
  headOnly: c.req.method === "HEAD",
});

/** The file as a response; `attachment` is saved instead of shown. */
export function toResponse(
  c: Context,
  { status, headers, stream }: ServedFile,
  attachment: MediaFile | null,
): Response {
  for (const [name, value] of Object.entries(headers)) c.header(name, value);
  // A file never changes, but its access does: clients must revalidate.
  c.header("cache-control", "private, no-cache");
  if (attachment) c.header("content-disposition", `attachment; filename="${nameOf(attachment)}"`);
  return c.newResponse(stream && toWebStream(stream), status);
}
