import { Hono } from "hono";
import { cloneCreateRequest, cloneDeleteRequest } from "~server/contract/calls/clones";
import { taskListQuery } from "~server/contract/calls/tasks";
import type { Clones } from "../generations/clones/clones";
import type { Auth } from "./auth";
import { idempotencyKeyOf } from "./caller";
import { answer } from "./envelope";
import { parse, parseContent, parseQuery, readJson } from "./parse";

interface CloneRouteParts {
  clones: Clones;
  auth: Pick<Auth, "requireAccount">;
}

/** Texts spoken by a role or a recording, for accounts. */
export function createCloneRoutes({ clones, auth }: CloneRouteParts) {
  return new Hono()
    .post("/voice/create", async (c) => {
      const owner = `account:${await auth.requireAccount(c)}` as const;
      const request = parseContent(cloneCreateRequest, await readJson(c));
      return answer(c, await clones.create(owner, request, idempotencyKeyOf(c)));
    })
    .get("/voice/list", async (c) => {
      const owner = `account:${await auth.requireAccount(c)}` as const;
      return answer(c, await clones.list(owner, parseQuery(c, taskListQuery)));
    })
    .post("/voice/del", async (c) => {
      const owner = `account:${await auth.requireAccount(c)}` as const;
      const { voiceId, ids = [] } = parse(cloneDeleteRequest, await readJson(c));
      await clones.remove(owner, voiceId ? [voiceId, ...ids] : ids);
      return answer(c, {});
    });
}
