import type { Context, MiddlewareHandler } from "hono";
import { calls, publicChanges } from "~server/contract/calls/table";
import { createSharedReads, type PublicVersion } from "~server/public-reads";
import { answerText, textOf } from "./envelope";

/** Answers what is the same for every caller, from one query per second. */
export type AnswerShared = (c: Context, key: string, load: () => Promise<unknown>) => Promise<Response>;

const maxAgeMs = 1_000;

/** Keeps the JSON text, which saves its serialisation too. `cache-control: no-cache` asks for the present state. */
export function createAnswerShared(version: PublicVersion): AnswerShared {
  const reads = createSharedReads<string>({ maxAgeMs, version });
  return async (c, key, load) => {
    const isFresh = c.req.header("cache-control") === "no-cache";
    return answerText(c, await reads.read(key, async () => textOf(await load()), { isFresh }));
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
