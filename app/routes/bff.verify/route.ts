import type { ActionFunctionArgs } from "@remix-run/node";
import { refusalAnswer } from "~server/bff/refusal-answer.server";

/** A file on its way to be compared: passed through, never kept here. */
export async function action({ request, context: { upstream, session } }: ActionFunctionArgs) {
  try {
    return Response.json({ verified: await upstream.upload("verify", request) });
  } catch (error) {
    return refusalAnswer(error, session);
  }
}
