import type { ActionFunctionArgs } from "@remix-run/node";
import { refusalAnswer, refuse } from "~server/bff/refusal-answer.server";
import { changeRole, deleteRole } from "~server/bff/roles.server";

/** PATCH changes what is given, `isPublic` among it; DELETE erases the role with all that was made of it. */
export async function action({ request, params: { roleId = "" }, context: { upstream, session } }: ActionFunctionArgs) {
  try {
    if (request.method === "DELETE") await deleteRole(upstream, roleId);
    else if (request.method === "PATCH") await changeRole(upstream, roleId, await changesIn(request));
    else return refuse({ code: "bad-request" });
    return Response.json({});
  } catch (error) {
    return refusalAnswer(error, session);
  }
}

async function changesIn(request: Request): Promise<Record<string, unknown>> {
  const input: unknown = await request.json().catch(() => null);
  return typeof input === "object" && input !== null ? { ...input } : {};
}
