import { Readable } from "node:stream";
import { type Context, Hono } from "hono";
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
import type { Auth } from "./auth";
import { idempotencyKeyOf } from "./caller";
import { answer } from "./envelope";
import { parse, parseQuery, readJson } from "./parse";

export interface DubRouteParts {
  dubs: Dubs;
  /** Reads audio through the choke point alone. */
  exportDub: ExportDub;
}

interface Guards {
  auth: Pick<Auth, "requireAccount">;
}

/** Scripts spoken line by line, for accounts. */
export function createDubRoutes({ dubs, exportDub, auth }: DubRouteParts & Guards) {
  const ownerOf = async (c: Context) => `account:${await auth.requireAccount(c)}` as const;
  return (
    new Hono()
      .post("/dubbing/create", async (c) => {
        const owner = await ownerOf(c);
        const request = parseLines(dubCreateRequest, await readJson(c));
        return answer(c, await dubs.create(owner, request, idempotencyKeyOf(c)));
      })
      .post("/dubbing/quote", async (c) => {
        const owner = await ownerOf(c);
        return answer(c, await dubs.quote(owner, parseLines(dubQuoteRequest, await readJson(c)).lines));
      })
      // Also sent as a GET's body, which the host puts into the query.
      .get("/dubbing/list", async (c) => answer(c, await dubs.list(await ownerOf(c), parseQuery(c, dubListQuery))))
      .post("/dubbing/del", async (c) => {
        const owner = await ownerOf(c);
        const { dubbId, ids = [] } = parse(dubDeleteRequest, await readJson(c));
        await dubs.remove(owner, dubbId ? [dubbId, ...ids] : ids);
        return answer(c, {});
      })
      .get("/dubbing/export", async (c) => {
        const { name, mime, body } = await exportDub(await ownerOf(c), parseQuery(c, dubExportQuery));
        c.header("content-type", mime);
        c.header("content-disposition", `attachment; filename*=UTF-8''${encodeURIComponent(name)}`);
        c.header("x-content-type-options", "nosniff");
        return c.newResponse(toWebStream(Readable.from(body)));
      })
  );
}

/** Text of the wrong length is a business answer of its own that names its line, not a malformed call. */
function parseLines<T extends typeof dubCreateRequest | typeof dubQuoteRequest>(schema: T, body: unknown) {
  const issues = schema.safeParse(body).error?.issues ?? [];
  const issue = issues.find(({ path }) => path[0] === "lines" && path.at(-1) === "content");
  const data = { line: Number(issue?.path[1] ?? 0) };
  if (issue?.code === "too_small") throw new AppError("text-empty", "no text", { data });
  if (issue?.code === "too_big") throw new AppError("text-too-long", "text is too long", { data });
  return parse(schema, body) as ReturnType<T["parse"]>;
}
