import { createHash } from "node:crypto";
import { Hono, type MiddlewareHandler } from "hono";
import type { Billing } from "../billing/billing";
import { AppError } from "../errors";
import type { Cashier, CashierView } from "../payments/gateways/sandbox/cashier";
import type { Auth } from "./auth";
import { createCallRoutes } from "./calls";
import { limitBody } from "./parse";
import type { AnswerShared } from "./public-answers";

/** Products, orders and the ledger. */
export const createPayRoutes = (billing: Billing, auth: Auth, answerShared: AnswerShared) =>
  createCallRoutes(auth, {
    async products(_, { c }) {
      const accountId = await auth.findAccount(c);
      // An account's list contains its own use and the size of its packs.
      return accountId === null
        ? answerShared(c, "products", () => billing.products(null))
        : billing.products(accountId);
    },
    async orderCreate(request, { accountId, address: clientAddress, idempotencyKey }) {
      const { pCode, sign, platform, tradeType = "native", payer = "" } = request;
      requireSign(pCode, sign);
      const caller = { accountId, clientAddress, idempotencyKey };
      const order = await billing.createOrder({ productCode: pCode, platform, tradeType, payer, ...caller });
      return { ...order, sign: md5(order.orderId) };
    },
    payResult({ orderId, sign }, { accountId }) {
      requireSign(orderId, sign);
      return billing.result(accountId, orderId);
    },
    orderCancel: ({ orderId }, { accountId }) => billing.cancelOrder(accountId, orderId),
    payAuthorize: ({ platform, returnTo, state }) => ({ url: billing.authorizeUrl(platform, returnTo, state) }),
    payPayer: async ({ platform, code }) => ({ payer: await billing.identifyPayer(platform, code) }),
    handoverCreate: ({ orderId }, { accountId }) => billing.handovers.create(accountId, orderId),
    handoverOpen: ({ token }) => billing.handovers.open(token),
    async handoverPay(request, { address: clientAddress }) {
      const tradeType = request.tradeType ?? "native";
      const order = await billing.handovers.pay({ ...request, tradeType, clientAddress });
      return { ...order, sign: md5(order.orderId) };
    },
    handoverShow: ({ pass }) => billing.handovers.show(pass),
    refundAsk: ({ orderId }, { accountId }) => billing.askRefund(accountId, orderId).then(() => null),
    invoiceAsk: (request, { accountId }) => billing.askInvoice(accountId, request).then(() => null),
    stepStart: (_, { accountId }) => billing.startNextStep(accountId).then(() => null),
    redeem: ({ code }, { accountId }) => billing.redeem(accountId, code),
    orders: (query, { accountId }) => billing.orders(accountId, query),
    referral: (_, { accountId }) => billing.referrals.show(accountId),
    ledger: (query, { accountId }) => billing.ledger(accountId, query),
  });

const limitNotification = limitBody(64 * 1024);

/** Notifications of gateways, which send no appid and expect answers in their own formats. */
export function createNotifyRoutes(billing: Pick<Billing, "receiveNotification">, rateGuard: MiddlewareHandler) {
  return new Hono().post("/pay/notify/:gateway", rateGuard, limitNotification, async (c) => {
    const message = { headers: c.req.raw.headers, body: await c.req.text() };
    const { status, contentType, body } = await billing.receiveNotification(c.req.param("gateway"), message);
    return c.body(body, status, { "content-type": contentType });
  });
}

/** The sandbox cashier. A payment link is the only secret: its holder may pay. */
export const createCashierRoutes = (cashier: Cashier, auth: Auth) =>
  createCallRoutes(auth, {
    cashier: async ({ id }) => toView(await cashier.show(id)),
    cashierPull: async ({ id, lever }) => toView(await cashier.pull(id, lever)),
  });

const toView = ({ id, subject, amountFen, platform, state, expiresAt }: CashierView) => {
  const expireAt = Math.floor(expiresAt.getTime() / 1000);
  return { id, subject, price: amountFen, platform, state, expireAt };
};

const md5 = (text: string) => createHash("md5").update(text).digest("hex");

/** Specification section 7. A checksum, not a secret. */
function requireSign(value: string, sign: string) {
  if (md5(value) !== sign.toLowerCase()) throw new AppError("bad-request", "sign does not match", { status: 400 });
}
