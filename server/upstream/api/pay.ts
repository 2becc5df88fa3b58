import { createHash } from "node:crypto";
import { type Context, Hono, type MiddlewareHandler } from "hono";
import { bodyLimit } from "hono/body-limit";
import {
  cashierQuery,
  cashierRequest,
  orderCancelRequest,
  orderCreateRequest,
  orderListQuery,
  payResultRequest,
} from "~server/contract/calls/payments";
import { ledgerQuery } from "~server/contract/calls/users";
import type { Billing } from "../billing/billing";
import { AppError } from "../errors";
import type { Cashier, CashierView } from "../payments/gateways/sandbox/cashier";
import { addressOf, idempotencyKeyOf } from "./caller";
import { answer } from "./envelope";
import { parse, parseQuery, readJson } from "./parse";

interface PayRouteParts {
  billing: Billing;
  /** The caller's account; throws login-expired. */
  requireAccount(c: Context): Promise<string> | string;
  /** The caller's account; null where nobody is logged in. */
  findAccount(c: Context): Promise<string | null>;
}

/** Packages, orders and what became of the caller's money. */
export function createPayRoutes({ billing, requireAccount, findAccount }: PayRouteParts) {
  return new Hono()
    .get("/pay/product", async (c) => answer(c, await billing.products(await findAccount(c))))
    .post("/pay/order/qrcode", async (c) => {
      const accountId = await requireAccount(c);
      const { pCode, sign, platform, tradeType = "native" } = parse(orderCreateRequest, await readJson(c));
      requireSign(pCode, sign);
      const payer = { clientAddress: addressOf(c), idempotencyKey: idempotencyKeyOf(c) };
      const order = await billing.createOrder({ accountId, productCode: pCode, platform, tradeType, ...payer });
      return answer(c, { ...order, sign: md5(order.orderId) });
    })
    .post("/pay/result", async (c) => {
      const accountId = await requireAccount(c);
      const { orderId, sign } = parse(payResultRequest, await readJson(c));
      requireSign(orderId, sign);
      return answer(c, await billing.result(accountId, orderId));
    })
    .post("/pay/order/cancel", async (c) => {
      const accountId = await requireAccount(c);
      const { orderId } = parse(orderCancelRequest, await readJson(c));
      return answer(c, await billing.cancelOrder(accountId, orderId));
    })
    .get("/pay/orders", async (c) =>
      answer(c, await billing.orders(await requireAccount(c), parseQuery(c, orderListQuery))),
    )
    .get("/users/ledger", async (c) =>
      answer(c, await billing.ledger(await requireAccount(c), parseQuery(c, ledgerQuery))),
    );
}

const limitNotification = bodyLimit({
  maxSize: 64 * 1024,
  onError: () => {
    throw new AppError("too-large", "body is too large", { status: 413 });
  },
});

/** Where gateways bring their notifications. They know no appid and speak dialects of their own. */
export function createNotifyRoutes(billing: Pick<Billing, "receiveNotification">, rateGuard: MiddlewareHandler) {
  return new Hono().post("/pay/notify/:gateway", rateGuard, limitNotification, async (c) => {
    const message = { headers: c.req.raw.headers, body: await c.req.text() };
    const { status, contentType, body } = await billing.receiveNotification(c.req.param("gateway"), message);
    return c.body(body, status, { "content-type": contentType });
  });
}

/** Whoever has a payment link of the sandbox may pay; the link is the secret. */
export function createCashierRoutes(cashier: Cashier) {
  return new Hono()
    .get("/sandbox/cashier", async (c) => answer(c, toView(await cashier.show(parseQuery(c, cashierQuery).id))))
    .post("/sandbox/cashier", async (c) => {
      const { id, lever } = parse(cashierRequest, await readJson(c));
      return answer(c, toView(await cashier.pull(id, lever)));
    });
}

const toView = ({ id, subject, amountFen, platform, state, expiresAt }: CashierView) => {
  const expireAt = Math.floor(expiresAt.getTime() / 1000);
  return { id, subject, price: amountFen, platform, state, expireAt };
};

const md5 = (text: string) => createHash("md5").update(text).digest("hex");

/** Specification section 7. It keeps nothing secret; it tells a mangled call from a whole one. */
function requireSign(value: string, sign: string) {
  if (md5(value) !== sign.toLowerCase()) throw new AppError("bad-request", "sign does not match", { status: 400 });
}
