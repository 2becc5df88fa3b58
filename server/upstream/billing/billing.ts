import type { CallData } from "~server/contract/calls/table";
import { AppError } from "../errors";
import type { JobHandler } from "../jobs/handler";
import type { Platform, TradeType } from "../payments/gateway";
import { type Characters, createCharacters } from "./characters/characters";
import { type Quota, readQuota } from "./characters/quota";
import { type Closing, createClosing } from "./closing";
import { createChain } from "./jobs/chain";
import { createReconcileStep } from "./jobs/daily-reconcile";
import { createCloseStep, createExpireStep, createQueryStep } from "./jobs/inquiries";
import { plan } from "./jobs/plan";
import { createCompareDay, createReconcile, type Reconcile } from "./jobs/reconcile";
import { createRefundStep } from "./jobs/refund";
import { listLedger, type Page } from "./ledger";
import { readMembership } from "./membership/grants";
import { type Membership, type Tier, tierAt } from "./membership/membership";
import { toSeconds } from "./month";
import { createNotified, type Notified } from "./notifications";
import { createInquire } from "./orders/inquiry";
import { linkOf } from "./orders/link";
import { listOrders } from "./orders/list";
import { placeOrder } from "./orders/place";
import { cancelOrder, resultOf } from "./orders/result";
import type { BillingParts } from "./parts";
import { listProducts } from "./products";
import { createDoor } from "./settlement/door";

export interface OrderRequest {
  accountId: string;
  productCode: string;
  platform: Platform;
  tradeType: TradeType;
  /** Network address of the payer. */
  clientAddress: string;
  idempotencyKey: string | undefined;
}

export interface Billing {
  products(accountId: string | null): Promise<CallData<"products">>;
  /** The same order and link for the same package and method, however often and from wherever it is asked for. */
  createOrder(request: OrderRequest): Promise<Omit<CallData<"orderCreate">, "sign">>;
  /** Throws not-found for another account's order as for none. */
  result(accountId: string, orderId: string): Promise<CallData<"payResult">>;
  /** Closes an open order and answers how it stands then: paid, where the money was there already. Throws not-found. */
  cancelOrder(accountId: string, orderId: string): Promise<CallData<"payResult">>;
  orders(accountId: string, page: Page): Promise<CallData<"orders">>;
  ledger(accountId: string, page: Page): Promise<CallData<"ledger">>;
  notified: Notified;
  /** Expiries in Unix seconds; `tier` is the one whose benefits hold now. */
  membership(accountId: string): Promise<Membership & { tier: Tier | null }>;
  quota(accountId: string): Promise<Quota>;
  /** What tasks cost, for the nouns that run them. */
  characters: Characters;
  reconcile: Reconcile;
  /** For the end of an account. */
  closing: Closing;
  /** What works billing's jobs; `plan` sees to it that the daily ones are in the queue. */
  handlers: Record<string, JobHandler>;
  plan(): Promise<void>;
}

/** Orders, payments, membership and characters of accounts. */
export function createBilling(parts: BillingParts): Billing {
  const { db, queue, once, gateways, now } = parts;
  const door = createDoor(parts);
  const inquire = createInquire(parts, door);
  const compareDay = createCompareDay(parts, door);
  const reconcile = createReconcile(parts, compareDay);
  return {
    products: (accountId) => listProducts(db, accountId, now()),
    async createOrder({ accountId, productCode, platform, tradeType, clientAddress, idempotencyKey }) {
      const gateway = gateways[platform];
      if (!gateway) throw new AppError("failure", "no gateway for this method");
      const method = { gateway: gateway.name, platform, tradeType };
      const request = { productCode, platform, tradeType };
      const placed = await once(
        { owner: `account:${accountId}`, call: "order", key: idempotencyKey, request },
        async (trx) => (await placeOrder({ trx, queue, at: now() }, { accountId, productCode, method })).id,
      );
      if (placed.kind === "other-request") {
        throw new AppError("bad-request", "key of another request", { status: 409 });
      }
      queue.wake();
      const { order, url, urlExpiresAt } = await linkOf(parts, placed.answer, clientAddress);
      const expiries = {
        expireAt: toSeconds(order.expires_at),
        ...(urlExpiresAt && { urlExpireAt: toSeconds(urlExpiresAt) }),
      };
      return { orderId: order.id, url, ...expiries, price: order.amount_fen };
    },
    result: (accountId, orderId) => resultOf(parts, inquire, { accountId, orderId }),
    cancelOrder: (accountId, orderId) => cancelOrder(parts, inquire, { accountId, orderId }),
    orders: (accountId, page) => listOrders(db, accountId, page),
    ledger: (accountId, page) => listLedger(db, accountId, page),
    notified: createNotified(parts, door),
    async membership(accountId) {
      const membership = await readMembership(db, accountId, now());
      return { ...membership, tier: tierAt(membership, toSeconds(now())) };
    },
    quota: (accountId) => readQuota(db, accountId, now()),
    characters: createCharacters(now),
    reconcile,
    closing: createClosing(parts),
    handlers: {
      "pay-query": createChain(queue, "pay-query", createQueryStep(parts, inquire)),
      "pay-expire": createChain(queue, "pay-expire", createExpireStep(parts, inquire)),
      "pay-close": createChain(queue, "pay-close", createCloseStep(parts, inquire)),
      "pay-refund": createChain(queue, "pay-refund", createRefundStep(parts)),
      "pay-reconcile": createChain(queue, "pay-reconcile", createReconcileStep(parts, compareDay)),
    },
    async plan() {
      const names = new Set(Object.values(gateways).map(({ name }) => name));
      for (const of of names) await plan({ queue, trx: db }, "pay-reconcile", { of });
    },
  };
}
