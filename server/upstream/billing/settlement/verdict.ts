import type { AttemptState, OrderState } from "../../db/tables/payments";
/** What people must look at, filed once however often it is met. */
export type MistakeKind =
  | "double"
  | "late"
  | "amount"
  | "conflict"
  | "unknown"
  | "merchant"
  | "refund"
  | "ours-missing"
  | "theirs-missing"
  | "state";

/**
 * `settled`: the order is paid by this attempt · `refund-due`: money nobody asked for, it goes back · `suspended`: kept
 * apart, nothing granted · `conflict`: one trade, two transactions · `same`: known already · `refused`: none of ours.
 */
export type Outcome = "settled" | "refund-due" | "suspended" | "conflict" | "same" | "refused";

export interface Verdict {
  outcome: Outcome;
  /** The attempt's state after it. */
  attempt: AttemptState;
  /** The order's state after it. */
  order: OrderState;
  mistake?: MistakeKind;
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
  /** Who we are at the gateway that says so. */
  merchant: { merchantId: string; appId: string };
}

const unpaid: ReadonlySet<AttemptState> = new Set(["INIT", "PENDING", "CLOSED"]);

/** The one rule of what a verified "paid" means, whoever says it, however late and however often. */
export function judge({ order, attempt, isBuyerGone = false, payment, merchant }: Case): Verdict {
  const same = { attempt: attempt.state, order: order.state };
  if (payment.merchantId !== merchant.merchantId || payment.appId !== merchant.appId) {
    return { ...same, outcome: "refused", mistake: "merchant" };
  }
  if (!unpaid.has(attempt.state)) {
    const isKnown = attempt.transactionId === payment.transactionId;
    return isKnown ? { ...same, outcome: "same" } : { ...same, outcome: "conflict", mistake: "conflict" };
  }
  if (payment.amountFen !== order.amountFen || payment.currency !== "CNY") {
    return { ...same, outcome: "suspended", attempt: "SUSPENSE", mistake: "amount" };
  }
  if (order.isPaid) return { ...same, outcome: "refund-due", attempt: "REFUND_DUE", mistake: "double" };
  if (isBuyerGone) return { ...same, outcome: "refund-due", attempt: "REFUND_DUE", mistake: "late" };
  const isLate = attempt.state === "CLOSED" || order.state === "CLOSED";
  const settled = { outcome: "settled", attempt: "PAID", order: "PAID" } as const;
  return isLate ? { ...settled, mistake: "late" } : settled;
}
