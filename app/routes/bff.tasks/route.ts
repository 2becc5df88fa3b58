import { changeTask } from "~server/bff/generations.server";
import { jsonRoute, readInput } from "~server/bff/json-route.server";

/** POST `{taskId, act}`: cancels a running task ("cancel") or runs a failed one again ("retry"). */
export const action = jsonRoute({
  POST: async ({ request, context: { upstream } }) => {
    await changeTask(upstream, await readInput(request));
    return {};
  },
});
