import type { ActionFunctionArgs } from "@remix-run/node";
import { sendCode } from "~server/bff/accounts.server";
import { refusalAnswer, refuse } from "~server/bff/refusal-answer.server";

/** Sends a login code to a phone. */
export async function action({ request, context }: ActionFunctionArgs) {
  const input = await request.json().catch(() => null);
  if (typeof input !== "object" || input === null) return refuse({ code: "bad-request" });
  try {
    return Response.json({ sent: await sendCode(context, input.phone) });
  } catch (error) {
    return refusalAnswer(error, context.session);
  }
}
