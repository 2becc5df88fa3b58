import { idempotencyKeyOf, jsonRoute, queryOf, readInput } from "~server/bff/json-route.server";
import { UpstreamRefusal } from "~server/bff/refusal.server";
import { changeRole, createRole, deleteRole, readRoleView, revokeRole } from "~server/bff/roles.server";
import type { CallInput } from "~server/bff/upstream.server";

const roleIdOf = (request: Request) => queryOf(request).get("roleId") ?? "";

/** GET: the digital-human page's view for the same query, as `{view}`. */
export const loader = jsonRoute(async ({ request, context }) => {
  const view = await readRoleView(context, queryOf(request));
  if (!view) throw new UpstreamRefusal({ code: "not-found" });
  return { view };
});

/**
 * POST creates a role from a recording, with the speaker's consent; answers `{role}`. With `?revoke=` and a role's id it
 * takes back that consent; answers `{receipt}`. With `?roleId=`, PATCH changes the
 * fields given, `isPublic` among them, and DELETE removes the role and everything made with it.
 */
export const action = jsonRoute({
  POST: async ({ request, context: { upstream } }) => {
    const revoked = queryOf(request).get("revoke");
    if (revoked) return { receipt: await revokeRole(upstream, revoked, idempotencyKeyOf(request)) };
    const input = (await readInput(request)) as CallInput<"roleCreate">;
    return { role: await createRole(upstream, input, idempotencyKeyOf(request)) };
  },
  PATCH: async ({ request, context: { upstream } }) => {
    await changeRole(upstream, roleIdOf(request), await readInput(request));
    return {};
  },
  DELETE: async ({ request, context: { upstream } }) => {
    await deleteRole(upstream, roleIdOf(request));
    return {};
  },
});
