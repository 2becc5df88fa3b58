import { toSquareHuman } from "~/features/portrait/picture";
import { pageSize, parseFilter } from "~/features/square/filter";
import { jsonRoute, queryOf, readInput } from "~server/bff/json-route.server";
import { readSquare, reportRole } from "~server/bff/roles.server";

/** A further page of the square, by the page's own query, as `{humans, total}`. */
export const loader = jsonRoute(async ({ request, context: { upstream } }) => {
  const { list, total } = await readSquare(upstream, parseFilter(queryOf(request)), pageSize);
  return { humans: list.map(toSquareHuman), total };
});

/** POST `{roleId, reason}` reports a role of the square. */
export const action = jsonRoute({
  POST: async ({ request, context: { upstream } }) => {
    const { roleId, reason } = await readInput(request);
    await reportRole(upstream, { roleId, reason });
    return {};
  },
});
