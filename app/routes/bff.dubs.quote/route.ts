import type { ActionFunctionArgs } from "@remix-run/node";
import { refusalAnswer, refuse } from "~server/bff/refusal-answer.server";

/** What a dub of `{lines}` would take: characters, changed lines, and what the account may do. Makes nothing. */
export async function action({ request, context: { upstream, session } }: ActionFunctionArgs) {
  const input = await request.json().catch(() => null);
  if (typeof input !== "object" || input === null) return refuse({ code: "bad-request" });
  try {
    return Response.json(await upstream.call("dubQuote", input));
  } catch (error) {
    return refusalAnswer(error, session);
  }
}
