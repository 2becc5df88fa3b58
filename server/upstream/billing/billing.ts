import { sql } from "kysely";
import type { CallData, CallRequest } from "~server/contract/calls/table";
import { dayOf, toSeconds } from "../calendar";
import type { Db } from "../db/database";
import { AppError } from "../errors";
import {
  type Gateway,
  GatewayError,
  type Notification,
  type NotificationAnswer,
  NotificationError,
  type NotificationMessage,
  type Platform,
  type TradeType,
} from "../payments/gateway";
import { createCharacters, type Quota, readQuota, readStanding, startNextStep, usedOf } from "./characters";
import { redeemCode } from "./gifts";
import { createReconcileStep } from "./jobs/daily-reconcile";
import { createCloseStep, createExpireStep, createQueryStep } from "./jobs/inquiries";
import { createCompareDay, createReconcile } from "./jobs/reconcile";
import { createRefundStep } from "./jobs/refund";
import { createRepeatingJob, scheduleJob } from "./jobs/schedule";
import { listLedger, type Page } from "./ledger-list";
import { type Membership, readMembership, type Tier, tierAt } from "./membership";
import { createHandovers } from "./orders/handovers";
import { askInvoice } from "./orders/invoices";
import { linkOf, toCreated } from "./orders/link";
import { listOrders } from "./orders/list";
import { createClosing, placeOrder } from "./orders/orders";
import { askRefund, cancelOrder, createInquire, resultOf } from "./orders/status";
import { type BillingParts, gatewayNamed } from "./parts";
import { type Buyer, listProducts } from "./products";
import { createReferrals } from "./referrals";
import { createForeignRefunds } from "./settlement/foreign-refunds";
import { createSettlement, type SettlePayment } from "./settlement/settlement";

interface OrderRequest {
  accountId: string;
  productCode: string;
  platform: Platform;
  tradeType: TradeType;
  /** The gateway's own name of the payer; "" except for jsapi. */
  payer: string;
  /** Network address of the payer. */
  clientAddress: string;
  idempotencyKey: string | undefined;
}

export type Billing = ReturnType<typeof createBilling>;

/** Orders, payments, membership and characters of accounts. */
export function createBilling(parts: BillingParts) {
  const { db, queue, once, gateways, now } = parts;
  const settle = createSettlement(parts);
  const inquire = createInquire(parts, settle);
  const compareDay = createCompareDay(parts, { settle, bookForeignRefund: createForeignRefunds(parts) });
  const reconcile = createReconcile(parts, compareDay);
  return {
    products: async (accountId: string | null) => listProducts(db, await readBuyer(db, accountId, now())),
    /** Idempotent: the same open order and link for the same package and method. */
    async createOrder({ accountId, productCode, clientAddress, idempotencyKey, ...terms }: OrderRequest) {
      const gateway = gateways[terms.platform];
      if (!gateway) throw new AppError("failure", "no gateway for this method");
      const isInApp = terms.tradeType === "jsapi";
      if (isInApp && !(gateway.payers && terms.payer)) throw new AppError("bad-request", "unidentified payer");
      const method = { ...terms, payer: isInApp ? terms.payer : "", gateway: gateway.name };
      const request = { productCode, ...terms };
      const placed = await once(
        { owner: `account:${accountId}`, call: "order", key: idempotencyKey, request },
        async (trx) => (await placeOrder({ trx, queue, at: now() }, { accountId, productCode, method })).id,
      );
      queue.wake();
      return toCreated(await linkOf(parts, placed.answer, clientAddress));
    },
    /** The page that identifies the payer; "" where the method's gateway identifies none. */
    authorizeUrl: (platform: Platform, returnTo: string, state: string): string =>
      gateways[platform]?.payers?.authorizeUrl(returnTo, state) ?? "",
    /** The payer that a code names. Throws bad-request for a used or forged code. */
    identifyPayer: (platform: Platform, code: string) => identifyPayer(gateways[platform], code),
    handovers: createHandovers(parts),
    referrals: createReferrals(parts),
    result: (accountId: string, orderId: string) => resultOf(parts, inquire, { accountId, orderId }),
    /** Closes an open order unless it is paid. Returns the resulting status. Throws not-found. */
    cancelOrder: (accountId: string, orderId: string) => cancelOrder(parts, inquire, { accountId, orderId }),
    /** Puts a paid order on the operators' list. Throws not-found, or bad-request for what cannot be refunded. */
    askRefund: (accountId: string, orderId: string): Promise<void> => askRefund(parts, { accountId, orderId }),
    askInvoice: (accountId: string, request: CallRequest<"invoiceAsk">) => askInvoice(db, accountId, request, now()),
    /** Spends a redeem code. Throws redeem-wrong, redeem-expired, redeem-used or redeem-repeated. */
    redeem: (accountId: string, code: string) => redeemCode(db, { accountId, code, at: now() }),
    orders: (accountId: string, page: Page): Promise<CallData<"orders">> => listOrders(db, accountId, page),
    ledger: (accountId: string, page: Page): Promise<CallData<"ledger">> =>
      listLedger(db, { accountId, ...page }, now()),
    receiveNotification: createNotificationReceiver(parts, settle),
    /** Expiries in Unix seconds; `tier` is the one whose benefits hold now. */
    async membership(accountId: string): Promise<Membership & { tier: Tier | null }> {
      const membership = await readMembership(db, accountId, now());
      return { ...membership, tier: tierAt(membership, toSeconds(now())) };
    },
    quota: (accountId: string): Promise<Quota> => readQuota(db, accountId, now()),
    /** Starts the paid step of characters that is next. Throws bad-request where none is or the running one is not used. */
    startNextStep: (accountId: string) => db.transaction().execute((trx) => startNextStep(trx, accountId, now())),
    /** Character accounting for tasks. */
    characters: createCharacters(now),
    reconcile,
    /** For account deletion. */
    closing: createClosing(parts),
    /** Job handlers; `plan` enqueues the daily ones. */
    handlers: {
      "pay-query": createRepeatingJob(queue, "pay-query", createQueryStep(parts, inquire)),
      "pay-expire": createRepeatingJob(queue, "pay-expire", createExpireStep(parts, inquire)),
      "pay-close": createRepeatingJob(queue, "pay-close", createCloseStep(parts, inquire)),
      "pay-refund": createRepeatingJob(queue, "pay-refund", createRefundStep(parts)),
      "pay-reconcile": createRepeatingJob(queue, "pay-reconcile", createReconcileStep(parts, compareDay)),
    },
    async plan() {
      const names = new Set(Object.values(gateways).map(({ name }) => name));
      for (const of of names) await scheduleJob({ queue, trx: db }, "pay-reconcile", { of });
    },
  };
}

/** Throws bad-request for a used or forged code. */
async function identifyPayer(gateway: Gateway | undefined, code: string): Promise<string> {
  if (!gateway?.payers) throw new AppError("bad-request", "this method identifies no payers");
  try {
    return await gateway.payers.identify(code);
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error;
    if (error.fault === "refused") throw new AppError("bad-request", error.message, { cause: error });
    throw new AppError("timeout", error.message, { status: 504, cause: error });
  }
}

async function readBuyer(db: Db, accountId: string | null, now: Date): Promise<Buyer> {
  if (!accountId) return { tier: null, used: 0 };
  const { quota, ...membership } = await readStanding(db, accountId, now);
  return { tier: tierAt(membership, toSeconds(now)), used: usedOf(quota) };
}

/** Handles a gateway's notification; returns the gateway's own response format, after the commit. Throws not-found for an unknown gateway. */
type ReceiveNotification = (gatewayName: string, message: NotificationMessage) => Promise<NotificationAnswer>;

function createNotificationReceiver(parts: BillingParts, settle: SettlePayment): ReceiveNotification {
  const { db, now } = parts;

  const act = async (gateway: Gateway, notification: Notification): Promise<string> => {
    if (notification.kind === "payment") return settle(gateway, notification.payment);
    if (notification.kind === "refund") await checkRefunds(parts, gateway, notification.outTradeNo);
    return notification.kind;
  };

  return async (gatewayName, message) => {
    const gateway = gatewayNamed(parts, gatewayName);
    if (!gateway) throw new AppError("not-found", "no such gateway", { status: 404 });
    const outcome = await gateway.parseNotification(message).then(
      (notification) => act(gateway, notification),
      (error: unknown) => {
        if (error instanceof NotificationError) return error.reason;
        throw error;
      },
    );
    await count(db, { gateway: gateway.name, outcome, day: dayOf(now()) });
    const isRefused = ["refused", "forged", "stale", "unreadable"].includes(outcome);
    return gateway.dialect[isRefused ? "refused" : "accepted"];
  };
}

/** Runs the refund job at once: a refund notification is not trusted, the gateway is queried. */
async function checkRefunds({ db, queue }: BillingParts, gateway: Gateway, outTradeNo: string) {
  const refunds = await db
    .selectFrom("pay_refund as refund")
    .innerJoin("pay_attempt as attempt", "attempt.id", "refund.attempt_id")
    .select("refund.number")
    .where("attempt.out_trade_no", "=", outTradeNo)
    .where("attempt.gateway", "=", gateway.name)
    .where("refund.state", "in", ["DUE", "SENT"])
    .execute();
  for (const { number } of refunds) {
    await scheduleJob({ queue, trx: db }, "pay-refund", { of: number });
    await queue.hasten(db, { kind: "pay-refund", key: number });
  }
  queue.wake();
}

async function count(db: Db, { gateway, outcome, day }: { gateway: string; outcome: string; day: string }) {
  await sql`insert into notification_count (gateway, outcome, day, hits) values (${gateway}, ${outcome}, ${day}, 1)
    on conflict (gateway, outcome, day) do update set hits = notification_count.hits + 1`.execute(db);
}
