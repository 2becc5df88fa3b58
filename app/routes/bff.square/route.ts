import { toSquareHuman } from "~/features/portrait/picture";
import { pageSize, parseFilter } from "~/features/square/filter";
import { jsonRoute, queryOf } from "~server/bff/json-route.server";
import { readSquare } from "~server/bff/roles.server";

/** A further page of the square, by the page's own query, as `{humans, total, isUncounted}`. */
export const loader = jsonRoute(async ({ request, context: { upstream } }) => {
  const { list, total, isUncounted } = await readSquare(upstream, parseFilter(queryOf(request)), pageSize);
  return { humans: list.map(toSquareHuman), total, isUncounted };
});
