import type { ActionFunctionArgs } from "@remix-run/node";
import { logIn, readUser } from "~server/bff/accounts.server";
import { refusalAnswer, refuse } from "~server/bff/refusal-answer.server";

/** Logs in and answers with the account's refreshed state; null when only that could not be read. */
export async function action({ request, context }: ActionFunctionArgs) {
  const input = await request.json().catch(() => null);
  if (typeof input !== "object" || input === null) return refuse({ code: "bad-request" });
  try {
    await logIn(context, input);
  } catch (error) {
    return refusalAnswer(error, context.session);
  }
  return Response.json({ user: await readUser(context).catch(() => null) });
}
