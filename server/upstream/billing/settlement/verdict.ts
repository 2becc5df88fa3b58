import type { AttemptState, OrderState } from "../../db/tables/payments";
import type { AnomalyKind } from "../anomalies";

/**
 * `settled`: this attempt pays the order · `refund-due`: surplus money that is returned · `suspended`: held, nothing is
 * granted · `conflict`: a second transaction of one trade · `same`: recorded before · `refused`: another merchant's.
 */
export type Outcome = "settled" | "refund-due" | "suspended" | "conflict" | "same" | "refused";

export interface Verdict {
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
