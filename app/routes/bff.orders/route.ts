import type { ActionFunctionArgs } from "@remix-run/node";
import { createOrder, parseWish } from "~server/bff/checkout.server";
import { refusalAnswer } from "~server/bff/refusal-answer.server";

/** JSON `{pCode, platform, isPhone}`; answers `{order}` or `{refusal}`. */
export async function action({ request, context: { upstream, session } }: ActionFunctionArgs) {
  try {
    const wish = parseWish(await request.json().catch(() => null));
    return Response.json({ order: await createOrder(upstream, wish, request.url) });
  } catch (error) {
    return refusalAnswer(error, session);
  }
}
