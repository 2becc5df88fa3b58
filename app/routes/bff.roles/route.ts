import { jsonRoute, queryOf } from "~server/bff/json-route.server";
import { UpstreamRefusal } from "~server/bff/refusal.server";
import { readRoleView } from "~server/bff/roles.server";

/** The digital-human page's view for the same query, as `{view}`. */
export const loader = jsonRoute(async ({ request, context }) => {
  const view = await readRoleView(context, queryOf(request));
  if (!view) throw new UpstreamRefusal({ code: "not-found" });
  return { view };
});
