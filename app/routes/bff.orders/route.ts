import type { ActionFunctionArgs } from "@remix-run/node";
import { createOrder, parseWish } from "~server/bff/checkout.server";
import { idempotencyKeyOf } from "~server/bff/idempotency.server";
import { refusalAnswer } from "~server/bff/refusal-answer.server";

/** JSON `{pCode, platform, isPhone}`; answers `{order}` or `{refusal}`. The header idempotency-key names the wish. */
export async function action({ request, context: { upstream, session } }: ActionFunctionArgs) {
  try {
    const wish = parseWish(await request.json().catch(() => null));
    const asked = { pageUrl: request.url, idempotencyKey: idempotencyKeyOf(request.headers) };
    return Response.json({ order: await createOrder(upstream, wish, asked) });
  } catch (error) {
    return refusalAnswer(error, session);
  }
}
