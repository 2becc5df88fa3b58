import { Readable } from "node:stream";
import { Hono } from "hono";
import {
  dubCreateRequest,
  dubDeleteRequest,
  dubExportQuery,
  dubListQuery,
  dubQuoteRequest,
} from "~server/contract/calls/dubs";
import { toWebStream } from "~server/web-stream";
import { AppError } from "../errors";
import type { Dubs } from "../generations/dubs/dubs";
import type { ExportDub } from "../generations/dubs/export";
import { type Auth, idempotencyKeyOf } from "./auth";
import { answer } from "./envelope";
import { parse, parseQuery, readJson } from "./parse";

interface DubRouteParts {
  dubs: Dubs;
  exportDub: ExportDub;
  auth: Pick<Auth, "requireAccountOwner">;
}

/** Scripts spoken line by line, for accounts. */
export function createDubRoutes({ dubs, exportDub, auth }: DubRouteParts) {
  const { requireAccountOwner } = auth;
  return (
    new Hono()
      .post("/dubbing/create", async (c) => {
        const owner = await requireAccountOwner(c);
        const request = parseLines(dubCreateRequest, await readJson(c));
        return answer(c, await dubs.create(owner, request, idempotencyKeyOf(c)));
      })
      .post("/dubbing/quote", async (c) => {
        const owner = await requireAccountOwner(c);
        return answer(c, await dubs.quote(owner, parseLines(dubQuoteRequest, await readJson(c)).lines));
      })
      // Some callers send a GET body, which the host moves into the query.
      .get("/dubbing/list", async (c) =>
        answer(c, await dubs.list(await requireAccountOwner(c), parseQuery(c, dubListQuery))),
      )
      .post("/dubbing/del", async (c) => {
        const owner = await requireAccountOwner(c);
        const { dubbId, ids = [] } = parse(dubDeleteRequest, await readJson(c));
        await dubs.remove(owner, dubbId ? [dubbId, ...ids] : ids);
        return answer(c, {});
      })
      .get("/dubbing/export", async (c) => {
        const { fileName, mime, body } = await exportDub(await requireAccountOwner(c), parseQuery(c, dubExportQuery));
        c.header("content-type", mime);
        c.header("content-disposition", `attachment; filename*=UTF-8''${encodeURIComponent(fileName)}`);
        c.header("x-content-type-options", "nosniff");
        return c.newResponse(toWebStream(Readable.from(body)));
      })
  );
}

/** Throws text-empty or text-too-long with the `line` for a text of the wrong length, bad-request for other faults. */
function parseLines<T extends typeof dubCreateRequest | typeof dubQuoteRequest>(schema: T, body: unknown) {
  const issues = schema.safeParse(body).error?.issues ?? [];
  const issue = issues.find(({ path }) => path[0] === "lines" && path.at(-1) === "content");
  const data = { line: Number(issue?.path[1] ?? 0) };
  if (issue?.code === "too_small") throw new AppError("text-empty", "no text", { data });
  if (issue?.code === "too_big") throw new AppError("text-too-long", "text is too long", { data });
  return parse(schema, body) as ReturnType<T["parse"]>;
}
