import { idempotencyKeyOf, jsonRoute, queryOf, readInput } from "~server/bff/json-route.server";
import type { CallInput } from "~server/bff/upstream.server";

/** Shown of one sound. */
const listedMax = 20;

/** `?source=`: the films of a sound. */
export const loader = jsonRoute(({ request, context: { upstream } }) =>
  upstream.call("videoList", { sourceId: queryOf(request).get("source") ?? "", page: 1, pageSize: listedMax }),
);

/** POST starts a film, or finds an equal one unless `reuse` is false; answers `{record}`. DELETE `{ids}` removes films. */
export const action = jsonRoute({
  POST: async ({ request, context: { upstream } }) => {
    const input = (await readInput(request)) as CallInput<"videoCreate">;
    return { record: await upstream.call("videoCreate", { reuse: true, ...input }, idempotencyKeyOf(request)) };
  },
  DELETE: async ({ request, context: { upstream } }) => {
    const { ids } = await readInput(request);
    await upstream.call("videoDelete", { ids: Array.isArray(ids) ? ids.map(String) : [] });
    return {};
  },
});
