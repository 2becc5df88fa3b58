import type { Db } from "../../db/database";
import type { AttemptState, OrderState } from "../../db/tables/payments";
import type { Gateway, Payment } from "../../payments/gateway";
import { type Anomaly, type AnomalyKind, recordAnomaly, reportAnomaly } from "../anomalies";
import { scheduleJob } from "../jobs/schedule";
import { isClosed, writeLedger } from "../ledger";
import type { BillingParts } from "../parts";
import { type Attempt, findAttempt, lockAttempt, type Order, payableStates } from "../rows";
import { grantOrder } from "./grant";
import { addRefund } from "./refunds";

/** Records a verified payment. Idempotent, in any order and on any server; one transaction each. The caller acknowledges afterwards. */
export type SettlePayment = (gateway: Gateway, payment: Payment) => Promise<Outcome>;

interface Settlement {
  gateway: Gateway;
  payment: Payment;
  order: Order;
  attempt: Attempt;
  at: Date;
}

export function createSettlement(parts: BillingParts): SettlePayment {
  const { db, queue, now, alert } = parts;
  return async (gateway, payment) => {
    const known = await findAttempt(db, gateway.name, payment.outTradeNo);
    if (!known) {
      await reportAnomaly(parts, toAnomaly("unknown", { gateway, payment }));
      return "refused";
    }
    const { outcome, anomaly } = await db.transaction().execute(async (trx) => {
      const { order, attempt } = await lockAttempt(trx, known.id);
      return settle(trx, { gateway, payment, order, attempt, at: now() }, parts);
    });
    if (anomaly) alert(anomaly);
    queue.wake();
    return outcome;
  };
}

/** Returns the anomaly when it is a new one. */
async function settle(trx: Db, settlement: Settlement, { queue, referral, onPaid }: BillingParts) {
  const { gateway, payment, order, attempt, at } = settlement;
  const isBuyerGone = await isClosed(trx, order.account_id);
  const verdict = judgePayment({
    isBuyerGone,
    order: { state: order.state, amountFen: order.amount_fen, isPaid: order.paid_by !== null },
    attempt: { state: attempt.state, transactionId: attempt.transaction_id },
    payment,
    merchant: gateway,
  });
  if (verdict.attempt !== attempt.state) await recordArrival(trx, settlement, verdict.attempt);
  if (verdict.outcome === "settled") {
    await payOrder(trx, settlement);
    await grantOrder(trx, { order, at, referral });
    await closeSiblings({ trx, queue }, attempt);
    await onPaid(trx, order.id);
  }
  if (verdict.outcome === "refund-due") {
    const number = `${attempt.out_trade_no}R1`;
    const reason = isBuyerGone && order.paid_by === null ? "account-gone" : "double";
    await addRefund(
      { trx, queue },
      { number, attempt_id: attempt.id, amount_fen: payment.amountFen, reason, created_at: at },
    );
  }
  const anomaly = verdict.anomaly && toAnomaly(verdict.anomaly, { gateway, payment, orderId: order.id });
  const isNew = anomaly !== undefined && (await recordAnomaly(trx, anomaly, at));
  return { outcome: verdict.outcome, anomaly: isNew ? anomaly : undefined };
}

async function recordArrival(trx: Db, { payment, order, attempt, at }: Settlement, state: Attempt["state"]) {
  await trx
    .updateTable("pay_attempt")
    .set({ state, transaction_id: payment.transactionId, paid_fen: payment.amountFen, paid_at: payment.paidAt })
    .where("id", "=", attempt.id)
    .execute();
  await writeLedger(trx, {
    accountId: order.account_id,
    kind: "payment",
    orderId: order.id,
    ref: attempt.out_trade_no,
    amountFen: payment.currency === "CNY" ? payment.amountFen : 0,
    at,
  });
}

async function payOrder(trx: Db, { order, attempt, at }: Settlement) {
  const { numUpdatedRows } = await trx
    .updateTable("pay_order")
    .set({ state: "PAID", paid_by: attempt.id, paid_at: at })
    .where("id", "=", order.id)
    .where("paid_by", "is", null)
    .executeTakeFirst();
  if (numUpdatedRows !== 1n) throw new Error(`order ${order.id} is paid already`);
}

async function closeSiblings({ trx, queue }: { trx: Db; queue: BillingParts["queue"] }, { id, order_id }: Attempt) {
  const siblings = await trx
    .selectFrom("pay_attempt")
    .select("id")
    .where("order_id", "=", order_id)
    .where("id", "<>", id)
    .where("state", "in", payableStates)
    .execute();
  for (const sibling of siblings) await scheduleJob({ trx, queue }, "pay-close", { of: sibling.id });
}

function toAnomaly(
  kind: AnomalyKind,
  { gateway, payment, orderId = null }: { gateway: Gateway; payment: Payment; orderId?: string | null },
): Anomaly {
  const { outTradeNo, transactionId, amountFen, currency } = payment;
  const detail = { outTradeNo, transactionId, amountFen, currency };
  return { kind, gateway: gateway.name, ref: `${gateway.name}:${outTradeNo}:${transactionId}`, orderId, detail };
}

/**
 * `settled`: this attempt pays the order · `refund-due`: surplus money that is returned · `suspended`: held, nothing is
 * granted · `conflict`: a second transaction of one trade · `same`: recorded before · `refused`: another merchant's.
 */
type Outcome = "settled" | "refund-due" | "suspended" | "conflict" | "same" | "refused";

interface Verdict {
  outcome: Outcome;
  /** The attempt's state after it. */
  attempt: AttemptState;
  /** The order's state after it. */
  order: OrderState;
  anomaly?: AnomalyKind;
}

interface Claim {
  transactionId: string;
  amountFen: number;
  currency: string;
  merchantId: string;
  appId: string;
}

export interface Case {
  order: { state: OrderState; amountFen: number; isPaid: boolean };
  attempt: { state: AttemptState; transactionId: string | null };
  /** The buyer's account was deleted. */
  isBuyerGone?: boolean;
  payment: Claim;
  /** Our identity at the gateway. */
  merchant: { merchantId: string; appId: string };
}

const unpaid: ReadonlySet<AttemptState> = new Set(["INIT", "PENDING", "CLOSED"]);

/** Decides what a verified payment does to its attempt and order. Pure. */
export function judgePayment({ order, attempt, isBuyerGone = false, payment, merchant }: Case): Verdict {
  const same = { attempt: attempt.state, order: order.state };
  if (payment.merchantId !== merchant.merchantId || payment.appId !== merchant.appId) {
    return { ...same, outcome: "refused", anomaly: "merchant" };
  }
  if (!unpaid.has(attempt.state)) {
    const isKnown = attempt.transactionId === payment.transactionId;
    return isKnown ? { ...same, outcome: "same" } : { ...same, outcome: "conflict", anomaly: "conflict" };
  }
  if (payment.amountFen !== order.amountFen || payment.currency !== "CNY") {
    return { ...same, outcome: "suspended", attempt: "SUSPENSE", anomaly: "amount" };
  }
  if (order.isPaid) return { ...same, outcome: "refund-due", attempt: "REFUND_DUE", anomaly: "double" };
  if (isBuyerGone) return { ...same, outcome: "refund-due", attempt: "REFUND_DUE", anomaly: "late" };
  const isLate = attempt.state === "CLOSED" || order.state === "CLOSED";
  const settled = { outcome: "settled", attempt: "PAID", order: "PAID" } as const;
  return isLate ? { ...settled, anomaly: "late" } : settled;
}
