import { jsonRoute, queryOf, readInput } from "~server/bff/json-route.server";
import type { CallInput } from "~server/bff/upstream.server";

/** GET: the verdict of the prompt `?promptId=`, as `{result}`. */
export const loader = jsonRoute(async ({ request, context: { upstream } }) => {
  const promptId = queryOf(request).get("promptId") ?? "";
  return { result: await upstream.call("proofResult", { promptId }) };
});

/**
 * POST creates a prompt to read aloud for `{roleId}` or `{voicePath}`; answers `{prompt}`. With `?submit` it has the
 * prompt read aloud in `{promptId, voicePath}` judged; answers `{result}`. With `?review` it asks operators to listen to it.
 */
export const action = jsonRoute({
  POST: async ({ request, context: { upstream } }) => {
    const query = queryOf(request);
    const input = await readInput(request);
    if (query.has("submit")) return { result: await upstream.call("proofSubmit", input as CallInput<"proofSubmit">) };
    if (query.has("review")) {
      await upstream.call("proofReview", input as CallInput<"proofReview">);
      return {};
    }
    return { prompt: await upstream.call("proofPrompt", input as CallInput<"proofPrompt">) };
  },
});
