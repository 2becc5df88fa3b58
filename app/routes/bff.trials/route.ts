import { idempotencyKeyOf, jsonRoute, queryOf, readInput } from "~server/bff/json-route.server";
import { createTrial, readTrial } from "~server/bff/trials.server";
import type { CallInput } from "~server/bff/upstream.server";

/** `?taskId=`: the state of a trial as `{progress}`. */
export const loader = jsonRoute(async ({ request, context: { upstream } }) => ({
  progress: await readTrial(upstream, queryOf(request).get("taskId") ?? ""),
}));

/** POST starts a trial; answers `{trial}`. */
export const action = jsonRoute({
  POST: async ({ request, context }) => {
    const input = (await readInput(request)) as CallInput<"trialCreate">;
    const { taskId, tryNum, tryMax } = await createTrial(context, input, idempotencyKeyOf(request));
    return { trial: { taskId, tryNum, tryMax } };
  },
});
