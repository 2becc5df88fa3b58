import { idempotencyKeyOf, jsonRoute, readInput } from "~server/bff/json-route.server";
import { passedCalls } from "~server/bff/passed-calls.server";
import { UpstreamRefusal } from "~server/bff/refusal.server";
import type { CallInput } from "~server/bff/upstream.server";

/** POST a call's input; answers the call's data. For the calls of `passedCalls`. */
export const action = jsonRoute({
  POST: async ({ request, params, context: { upstream } }) => {
    const name = passedCalls.find((one) => one === params.name);
    if (!name) throw new UpstreamRefusal({ code: "not-found" });
    return upstream.call(name, (await readInput(request)) as CallInput<typeof name>, idempotencyKeyOf(request));
  },
});
