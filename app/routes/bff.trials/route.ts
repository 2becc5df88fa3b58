import { answering, idempotencyKeyOf, queryOf, readInput } from "~server/bff/answering.server";
import { createTrial, readTrial } from "~server/bff/trials.server";
import type { CallInput } from "~server/bff/upstream.server";

/** `?taskId=`: the state of a trial as `{progress}`. */
export const loader = answering(async ({ request, context: { upstream } }) => ({
  progress: await readTrial(upstream, queryOf(request).get("taskId") ?? ""),
}));

/** POST starts a trial; answers `{trial}`. */
export const action = answering({
  POST: async ({ request, context }) => {
    const input = (await readInput(request)) as CallInput<"trialCreate">;
    const { taskId, tryNum, tryMax } = await createTrial(context, input, idempotencyKeyOf(request));
    return { trial: { taskId, tryNum, tryMax } };
  },
});
