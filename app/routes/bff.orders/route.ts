import { cancelOrder, createOrder, parseOrderRequest, readOrderStatus } from "~server/bff/checkout.server";
import { idempotencyKeyOf, jsonRoute, queryOf, readInput } from "~server/bff/json-route.server";

const orderIdOf = (request: Request) => queryOf(request).get("orderId") ?? "";

/**
 * POST `{pCode, platform, isPhone, isInWechat}` creates an order; answers `{order, now}`, `now` in Unix seconds. With `?orderId=`, PATCH asks the gateway for
 * the order's PayStatus and DELETE closes the order.
 */
export const action = jsonRoute({
  POST: async ({ request, context: { upstream, session } }) => {
    const wechatPayer = session.values.wechat?.payer;
    const origin = { pageUrl: request.url, idempotencyKey: idempotencyKeyOf(request), wechatPayer };
    const order = await createOrder(upstream, parseOrderRequest(await readInput(request)), origin);
    return { order, now: Math.floor(Date.now() / 1000) };
  },
  PATCH: ({ request, context: { upstream } }) => readOrderStatus(upstream, orderIdOf(request)),
  DELETE: ({ request, context: { upstream } }) => cancelOrder(upstream, orderIdOf(request)),
});
