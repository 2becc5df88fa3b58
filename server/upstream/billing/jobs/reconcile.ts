import { dayBounds } from "../../calendar";
import { type BillLine, type Gateway, GatewayError } from "../../payments/gateway";
import { type Anomaly, type AnomalyKind, reportAnomaly } from "../anomalies";
import type { BillingParts } from "../parts";
import { findAttempt } from "../rows";
import type { BookForeignRefund } from "../settlement/foreign-refunds";
import type { SettlePayment } from "../settlement/settlement";

/**
 * Compares a gateway's bill of a day with our ledger: settles missing payments, records every difference. Throws
 * GatewayError after it has recorded what it found.
 */
export type CompareDay = (gateway: Gateway, day: string, signal?: AbortSignal) => Promise<Anomaly[]>;

interface Corrections {
  settle: SettlePayment;
  bookForeignRefund: BookForeignRefund;
}

export function createCompareDay(parts: BillingParts, corrections: Corrections): CompareDay {
  return async (gateway, day, signal) => {
    const found: Anomaly[] = [];
    try {
      await compareDay(parts, { ...corrections, gateway, day, signal, found });
    } finally {
      for (const anomaly of found) await reportAnomaly(parts, anomaly);
    }
    return found;
  };
}

/** Compares all gateways in use; an unreachable one does not stop the others. */
export type Reconcile = (day: string, signal?: AbortSignal) => Promise<Anomaly[]>;

export function createReconcile({ gateways }: Pick<BillingParts, "gateways">, compare: CompareDay): Reconcile {
  return async (day, signal) => {
    const found: Anomaly[] = [];
    const faults: GatewayError[] = [];
    for (const gateway of new Set(Object.values(gateways))) {
      try {
        found.push(...(await compare(gateway, day, signal)));
      } catch (error) {
        if (!(error instanceof GatewayError)) throw error;
        faults.push(error);
      }
    }
    const [fault] = faults;
    if (fault) throw fault;
    return found;
  };
}

interface Comparison extends Corrections {
  gateway: Gateway;
  day: string;
  signal: AbortSignal | undefined;
  /** Filled during the comparison, so that a failing gateway does not lose earlier differences. */
  found: Anomaly[];
}

async function compareDay(parts: BillingParts, comparison: Comparison): Promise<void> {
  const lines = await comparison.gateway.bill(comparison.day, comparison.signal);
  const linesOf = (wanted: BillLine["kind"]) => lines.filter(({ kind }) => kind === wanted);
  await comparePayments(parts, comparison, linesOf("payment"));
  await compareRefunds(parts, comparison, linesOf("refund"));
}

const difference = (kind: AnomalyKind, gateway: Gateway, { ref, orderId = null, ...detail }: Difference): Anomaly => ({
  kind,
  gateway: gateway.name,
  ref: `${gateway.name}:${ref}`,
  orderId,
  detail,
});
type Difference = { ref: string; orderId?: string | null } & Record<string, unknown>;

async function comparePayments(
  parts: BillingParts,
  { gateway, day, settle, signal, found }: Comparison,
  payments: BillLine[],
): Promise<void> {
  for (const line of payments) {
    const ours = await findAttempt(parts.db, gateway.name, line.outTradeNo);
    const { outTradeNo, transactionId, amountFen } = line;
    const seen = { ref: transactionId, outTradeNo, transactionId, amountFen, theirsFen: amountFen };
    if (ours?.paid_fen === undefined || ours.paid_fen === null) {
      found.push(difference("ours-missing", gateway, { ...seen, orderId: ours?.order_id ?? null }));
      const status = await gateway.query(line.outTradeNo, signal);
      if (status.state === "paid") await settle(gateway, status.payment);
    } else if (ours.paid_fen !== line.amountFen) {
      found.push(difference("amount", gateway, { ...seen, orderId: ours.order_id, oursFen: ours.paid_fen }));
    } else if (ours.transaction_id !== line.transactionId) {
      found.push(difference("conflict", gateway, { ...seen, orderId: ours.order_id, ours: ours.transaction_id }));
    }
  }
  const theirs = new Set(payments.map(({ outTradeNo }) => outTradeNo));
  const { from, to } = dayBounds(day);
  const paid = await parts.db
    .selectFrom("pay_attempt")
    .select(["out_trade_no", "order_id", "paid_fen"])
    .where("gateway", "=", gateway.name)
    .where("paid_at", ">=", from)
    .where("paid_at", "<", to)
    .execute();
  for (const { out_trade_no, order_id, paid_fen } of paid) {
    if (theirs.has(out_trade_no)) continue;
    found.push(difference("theirs-missing", gateway, { ref: out_trade_no, orderId: order_id, oursFen: paid_fen }));
  }
}

/**
 * Compares only refunds in the bill. Books a refund made in the gateway's console, and completes one of ours that the
 * gateway had reported as failed.
 */
async function compareRefunds(
  parts: BillingParts,
  { gateway, found, signal, bookForeignRefund }: Comparison,
  refunds: BillLine[],
): Promise<void> {
  const { db } = parts;
  for (const line of refunds) {
    const { refundNumber = "", outTradeNo, amountFen } = line;
    const ours = await db.selectFrom("pay_refund").selectAll().where("number", "=", refundNumber).executeTakeFirst();
    const isFollowed = ours?.state === "DUE" || ours?.state === "SENT" || ours?.state === "DONE";
    if (isFollowed && ours.amount_fen === amountFen) continue;
    const booked = await bookForeignRefund({ gateway, line, ours }, signal);
    found.push(
      difference("state", gateway, {
        ref: refundNumber || outTradeNo,
        outTradeNo,
        theirsFen: amountFen,
        oursFen: ours?.amount_fen ?? null,
        booked,
      }),
    );
  }
}
