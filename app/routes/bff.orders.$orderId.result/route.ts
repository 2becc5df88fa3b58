import type { ActionFunctionArgs } from "@remix-run/node";
import { askResult } from "~server/bff/checkout.server";
import { refusalAnswer } from "~server/bff/refusal-answer.server";

/** Answers a `PayStatus` or `{refusal}`. An action, since asking may ask the gateway. */
export async function action({ params, context: { upstream, session } }: ActionFunctionArgs) {
  try {
    return Response.json(await askResult(upstream, params.orderId ?? ""));
  } catch (error) {
    return refusalAnswer(error, session);
  }
}
