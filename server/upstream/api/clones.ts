import { type Context, Hono } from "hono";
import { cloneCreateRequest, cloneDeleteRequest } from "~server/contract/calls/clones";
import { taskListQuery } from "~server/contract/calls/tasks";
import { trialCreateRequest, trialResultQuery } from "~server/contract/calls/trials";
import type { Clones } from "../generations/clones/clones";
import type { Trials } from "../generations/trials/trials";
import type { Owner } from "../owner";
import type { Recordings } from "../voices/recordings";
import { type Auth, addressOf, idempotencyKeyOf } from "./auth";
import { answer } from "./envelope";
import { parse, parseContent, parseQuery, readJson } from "./parse";

interface CloneRouteParts {
  recordings: Pick<Recordings, "agree">;
  clones: Clones;
  trials: Trials;
  auth: Auth;
}

interface AgreedRequest {
  voicePath?: string | undefined;
  consent?: { statementId: string } | undefined;
}

/** Texts spoken by a role or a recording: clones for accounts, trials for visitors too. */
export function createCloneRoutes({ recordings, clones, trials, auth }: CloneRouteParts) {
  /** Records the agreement that comes with a request. */
  const agree = async (c: Context, owner: Owner, { consent, voicePath }: AgreedRequest) => {
    if (!consent || !voicePath) return;
    await recordings.agree(owner, { voicePath, statementId: consent.statementId, address: addressOf(c) });
  };
  return new Hono()
    .post("/voice/create", async (c) => {
      const owner = await auth.requireAccountOwner(c);
      const request = parseContent(cloneCreateRequest, await readJson(c));
      await agree(c, owner, request);
      return answer(c, await clones.create(owner, request, idempotencyKeyOf(c)));
    })
    .get("/voice/list", async (c) => {
      const owner = await auth.requireAccountOwner(c);
      return answer(c, await clones.list(owner, parseQuery(c, taskListQuery)));
    })
    .post("/voice/del", async (c) => {
      const owner = await auth.requireAccountOwner(c);
      const { voiceId, ids = [] } = parse(cloneDeleteRequest, await readJson(c));
      await clones.remove(owner, voiceId ? [voiceId, ...ids] : ids);
      return answer(c, {});
    })
    .post("/voice/try/create", async (c) => {
      const caller = { owner: await auth.requireOwner(c), address: addressOf(c) };
      const request = parseContent(trialCreateRequest, await readJson(c));
      await agree(c, caller.owner, request);
      return answer(c, await trials.create(caller, request, idempotencyKeyOf(c)));
    })
    .get("/voice/try/result", async (c) => {
      const owner = await auth.requireOwner(c);
      return answer(c, await trials.result(owner, parseQuery(c, trialResultQuery).taskId ?? ""));
    });
}
