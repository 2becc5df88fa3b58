import { Hono } from "hono";
import { trialCreateRequest, trialResultQuery } from "~server/contract/calls/trials";
import type { Trials } from "../generations/trials/trials";
import type { Auth } from "./auth";
import { addressOf, idempotencyKeyOf } from "./caller";
import { answer } from "./envelope";
import { parseContent, parseQuery, readJson } from "./parse";

interface TrialRouteParts {
  trials: Trials;
  auth: Auth;
}

export function createTrialRoutes({ trials, auth }: TrialRouteParts) {
  return new Hono()
    .post("/voice/try/create", async (c) => {
      const trier = { owner: await auth.requireOwner(c), address: addressOf(c) };
      const request = parseContent(trialCreateRequest, await readJson(c));
      return answer(c, await trials.create(trier, request, idempotencyKeyOf(c)));
    })
    .get("/voice/try/result", async (c) => {
      const owner = await auth.requireOwner(c);
      return answer(c, await trials.result(owner, parseQuery(c, trialResultQuery).taskId ?? ""));
    });
}
