import { answering, readInput } from "~server/bff/answering.server";
import { changeTask } from "~server/bff/generations.server";

/** POST `{taskId, act}`: cancels a running task ("cancel") or runs a failed one again ("retry"). */
export const action = answering({
  POST: async ({ request, context: { upstream } }) => {
    await changeTask(upstream, await readInput(request));
    return {};
  },
});
