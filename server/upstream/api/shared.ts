import type { Context, MiddlewareHandler } from "hono";
import { calls, publicChanges } from "~server/contract/calls/table";
import { ok } from "~server/contract/codes";
import { createSharedReads, type PublicVersion } from "~server/public-reads";

/** Answers what is the same for every caller, from one query per second. */
export type AnswerShared = (c: Context, key: string, load: () => Promise<unknown>) => Promise<Response>;

const maxAgeMs = 1_000;
const jsonType = { "content-type": "application/json" };

/** Keeps the JSON text, which saves its serialisation too. `cache-control: no-cache` asks for the present state. */
export function createAnswerShared(version: PublicVersion): AnswerShared {
  const reads = createSharedReads<string>({ maxAgeMs, version });
  return async (c, key, load) => {
    const isFresh = c.req.header("cache-control") === "no-cache";
    const loadText = async () => JSON.stringify({ code: ok, data: await load(), msg: "" });
    return c.body(await reads.read(key, loadText, { isFresh }), 200, jsonType);
  };
}

const changingPaths = new Set([...publicChanges].map((name) => `/api/v1${calls[name].path}`));

/** Advances the version after each call that may change the square; also after a failed one, which may have changed a part. */
export function advanceOnPublicChange(version: PublicVersion): MiddlewareHandler {
  return async (c, next) => {
    if (c.req.method === "GET" || !changingPaths.has(c.req.path)) return next();
    await next();
    version.advance();
  };
}
