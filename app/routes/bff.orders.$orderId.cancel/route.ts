import type { ActionFunctionArgs } from "@remix-run/node";
import { cancelOrder } from "~server/bff/checkout.server";
import { refusalAnswer } from "~server/bff/refusal-answer.server";

/** Closes an open order; answers a `PayStatus` or `{refusal}`. */
export async function action({ params, context: { upstream, session } }: ActionFunctionArgs) {
  try {
    return Response.json(await cancelOrder(upstream, params.orderId ?? ""));
  } catch (error) {
    return refusalAnswer(error, session);
  }
}
