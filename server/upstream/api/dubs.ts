import { Readable } from "node:stream";
import type { z } from "zod/v4";
import { toWebStream } from "~server/web-stream";
import { AppError } from "../errors";
import type { Dubs } from "../generations/dubs/dubs";
import type { ExportDub } from "../generations/dubs/export";
import type { Auth } from "./auth";
import { createCallRoutes, idsOf } from "./calls";
import { parse } from "./parse";

export interface DubRouteParts {
  dubs: Dubs;
  exportDub: ExportDub;
}

/** Scripts spoken line by line, for accounts. */
export const createDubRoutes = ({ dubs, exportDub }: DubRouteParts, auth: Auth) =>
  createCallRoutes(
    auth,
    {
      dubCreate: (request, { owner, idempotencyKey }) => dubs.create(owner, request, idempotencyKey),
      dubQuote: ({ lines }, { owner }) => dubs.quote(owner, lines),
      // Some callers send a GET body, which the host moves into the query.
      dubList: (query, { owner }) => dubs.list(owner, query),
      dubDelete: ({ dubbId, ids }, { owner }) => dubs.remove(owner, idsOf(dubbId, ids)),
      async dubExport(query, { owner, c }) {
        const { fileName, mime, body } = await exportDub(owner, query);
        c.header("content-type", mime);
        c.header("content-disposition", `attachment; filename*=UTF-8''${encodeURIComponent(fileName)}`);
        c.header("x-content-type-options", "nosniff");
        return c.newResponse(toWebStream(Readable.from(body)));
      },
    },
    { dubCreate: parseLines, dubQuote: parseLines },
  );

/** Throws text-empty or text-too-long with the `line` for a text of the wrong length, bad-request for other faults. */
function parseLines<T extends z.ZodType>(schema: T, body: unknown): z.output<T> {
  const issues = schema.safeParse(body).error?.issues ?? [];
  const issue = issues.find(({ path }) => path[0] === "lines" && path.at(-1) === "content");
  const data = { line: Number(issue?.path[1] ?? 0) };
  if (issue?.code === "too_small") throw new AppError("text-empty", "no text", { data });
  if (issue?.code === "too_big") throw new AppError("text-too-long", "text is too long", { data });
  return parse(schema, body);
}
