import { idempotencyKeyOf, jsonRoute, queryOf, readInput } from "~server/bff/json-route.server";
import { createTrial, readTrial } from "~server/bff/trials.server";
import type { CallInput } from "~server/bff/upstream.server";

/** `?taskId=`: the state of a trial. */
export const loader = jsonRoute(({ request, context: { upstream } }) =>
  readTrial(upstream, queryOf(request).get("taskId") ?? ""),
);

/** POST starts a trial. */
export const action = jsonRoute({
  POST: async ({ request, context }) => {
    const input = (await readInput(request)) as CallInput<"trialCreate">;
    return createTrial(context, input, idempotencyKeyOf(request));
  },
});
