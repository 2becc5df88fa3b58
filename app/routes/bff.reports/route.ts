import type { ActionFunctionArgs } from "@remix-run/node";
import { refusalAnswer, refuse } from "~server/bff/refusal-answer.server";
import { reportRole } from "~server/bff/square.server";

/** `{roleId, reason}`: somebody thinks that this role should not be on the square. */
export async function action({ request, context: { upstream, session } }: ActionFunctionArgs) {
  const input = await request.json().catch(() => null);
  if (typeof input !== "object" || input === null) return refuse({ code: "bad-request" });
  try {
    await reportRole(upstream, input);
    return Response.json({});
  } catch (error) {
    return refusalAnswer(error, session);
  }
}
