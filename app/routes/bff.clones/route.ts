import { createClone, parseCloneQuery, readCloneView } from "~server/bff/generations.server";
import { idempotencyKeyOf, jsonRoute, queryOf, readInput } from "~server/bff/json-route.server";
import type { CallInput } from "~server/bff/upstream.server";

/** `?keyword=&status=&page=`: the page of clones and the allowance, as `{page, allowance}`. */
export const loader = jsonRoute(({ request, context }) => readCloneView(context, parseCloneQuery(queryOf(request))));

/** POST starts a clone; answers `{record}`. */
export const action = jsonRoute({
  POST: async ({ request, context: { upstream } }) => {
    const input = (await readInput(request)) as CallInput<"cloneCreate">;
    return { record: await createClone(upstream, input, idempotencyKeyOf(request)) };
  },
});
