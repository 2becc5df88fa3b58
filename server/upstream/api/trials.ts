import { Hono, type MiddlewareHandler } from "hono";
import { trialCreateRequest, trialResultQuery } from "~server/contract/calls/trial";
import { AppError } from "../errors";
import type { Trials } from "../trials/trials";
import type { Auth } from "./auth";
import { addressOf, idempotencyKeyOf } from "./caller";
import { answer } from "./envelope";
import { parse, parseQuery, readJson } from "./parse";

interface TrialRouteParts {
  trials: Trials;
  auth: Auth;
  rateGuard: MiddlewareHandler;
}

export function createTrialRoutes({ trials, auth, rateGuard }: TrialRouteParts) {
  return new Hono()
    .post("/voice/try/create", rateGuard, async (c) => {
      const trier = { owner: await auth.requireOwner(c), address: addressOf(c) };
      const request = readRequest(await readJson(c));
      return answer(c, await trials.create(trier, request, idempotencyKeyOf(c)));
    })
    .get("/voice/try/result", async (c) => {
      const owner = await auth.requireOwner(c);
      return answer(c, await trials.result(owner, parseQuery(c, trialResultQuery).taskId));
    });
}

/** Text of the wrong length is a business answer of its own, not a malformed call. */
function readRequest(body: unknown) {
  const parsed = trialCreateRequest.safeParse(body);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues.find(({ path }) => path[0] === "content");
  if (issue?.code === "too_small") throw new AppError("text-empty", "no text");
  if (issue?.code === "too_big") throw new AppError("text-too-long", "text is too long");
  return parse(trialCreateRequest, body);
}
