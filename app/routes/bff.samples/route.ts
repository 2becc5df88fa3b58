import type { ActionFunctionArgs } from "@remix-run/node";
import { textOf } from "~server/bff/json.server";
import { refusalAnswer } from "~server/bff/refusal-answer.server";

/** A few characters in a role's voice, to hear how they are read, as `{sample}`. */
export async function action({ request, context: { upstream, session } }: ActionFunctionArgs) {
  const input = (await request.json().catch(() => null)) as { content?: unknown; roleId?: unknown } | null;
  try {
    const content = textOf(input?.content);
    const roleId = typeof input?.roleId === "string" ? input.roleId : undefined;
    return Response.json({ sample: await upstream.call("sample", { content, roleId }) });
  } catch (error) {
    return refusalAnswer(error, session);
  }
}
