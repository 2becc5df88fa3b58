import { createHash } from "node:crypto";
import { Hono, type MiddlewareHandler } from "hono";
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
import { type Auth, addressOf, idempotencyKeyOf } from "./auth";
import { answer } from "./envelope";
import { parse, parseQuery, readJson } from "./parse";
import type { AnswerShared } from "./shared";

interface PayRouteParts {
  billing: Billing;
  auth: Pick<Auth, "requireAccount" | "findAccount">;
  answerShared: AnswerShared;
}

/** Products, orders and the ledger. */
export function createPayRoutes({ billing, auth: { requireAccount, findAccount }, answerShared }: PayRouteParts) {
  return new Hono()
    .get("/pay/product", async (c) => {
      const accountId = await findAccount(c);
      // An account's list contains its own use and the size of its packs.
      if (accountId !== null) return answer(c, await billing.products(accountId));
      return answerShared(c, "products", () => billing.products(null));
    })
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

/** Notifications of gateways, which send no appid and expect answers in their own formats. */
export function createNotifyRoutes(billing: Pick<Billing, "receiveNotification">, rateGuard: MiddlewareHandler) {
  return new Hono().post("/pay/notify/:gateway", rateGuard, limitNotification, async (c) => {
    const message = { headers: c.req.raw.headers, body: await c.req.text() };
    const { status, contentType, body } = await billing.receiveNotification(c.req.param("gateway"), message);
    return c.body(body, status, { "content-type": contentType });
  });
}

/** The sandbox cashier. A payment link is the only secret: its holder may pay. */
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

/** Specification section 7. A checksum, not a secret. */
function requireSign(value: string, sign: string) {
  if (md5(value) !== sign.toLowerCase()) throw new AppError("bad-request", "sign does not match", { status: 400 });
}
