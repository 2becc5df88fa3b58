import { dayBounds } from "../../calendar";
import { type BillLine, type Gateway, GatewayError } from "../../payments/gateway";
import { fileMistake } from "../anomalies";
import type { BillingParts, Mistake } from "../parts";
import { bookForeignRefund } from "../settlement/foreign-refunds";
import type { Door } from "../settlement/settlement";
import type { MistakeKind } from "../settlement/verdict";

/**
 * Compares a gateway's bill of a day with our books; what we missed goes through the door, every difference is filed.
 * Throws GatewayError once all has been compared and filed that could be.
 */
export type CompareDay = (gateway: Gateway, day: string, signal?: AbortSignal) => Promise<Mistake[]>;

export function createCompareDay(parts: BillingParts, door: Door): CompareDay {
  const { db, now, alert } = parts;
  return async (gateway, day, signal) => {
    const found: Mistake[] = [];
    try {
      await compareDay(parts, { gateway, day, door, signal, found });
    } finally {
      for (const mistake of found) if (await fileMistake(db, mistake, now())) alert(mistake);
    }
    return found;
  };
}

/** The same for all gateways in use; one that is away does not keep the others from being compared. */
export type Reconcile = (day: string, signal?: AbortSignal) => Promise<Mistake[]>;

export function createReconcile({ gateways }: Pick<BillingParts, "gateways">, compare: CompareDay): Reconcile {
  return async (day, signal) => {
    const found: Mistake[] = [];
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

interface Comparison {
  gateway: Gateway;
  day: string;
  door: Door;
  signal: AbortSignal | undefined;
  /** Grows as it goes: what was found before a gateway went away is filed all the same. */
  found: Mistake[];
}

async function compareDay(parts: BillingParts, comparison: Comparison): Promise<void> {
  const lines = await comparison.gateway.bill(comparison.day, comparison.signal);
  const linesOf = (wanted: BillLine["kind"]) => lines.filter(({ kind }) => kind === wanted);
  await comparePayments(parts, comparison, linesOf("payment"));
  await compareRefunds(parts, comparison, linesOf("refund"));
}

const difference = (kind: MistakeKind, gateway: Gateway, { ref, orderId = null, ...detail }: Difference): Mistake => ({
  kind,
  gateway: gateway.name,
  ref: `${gateway.name}:${ref}`,
  orderId,
  detail,
});
type Difference = { ref: string; orderId?: string | null } & Record<string, unknown>;

async function comparePayments(
  parts: BillingParts,
  { gateway, day, door, signal, found }: Comparison,
  payments: BillLine[],
): Promise<void> {
  for (const line of payments) {
    const ours = await findAttempt(parts, gateway, line.outTradeNo);
    const { outTradeNo, transactionId, amountFen } = line;
    const seen = { ref: transactionId, outTradeNo, transactionId, amountFen, theirsFen: amountFen };
    if (ours?.paid_fen === undefined || ours.paid_fen === null) {
      found.push(difference("ours-missing", gateway, { ...seen, orderId: ours?.order_id ?? null }));
      const status = await gateway.query(line.outTradeNo, signal);
      if (status.state === "paid") await door(gateway, status.payment);
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

const findAttempt = ({ db }: BillingParts, gateway: Gateway, outTradeNo: string) =>
  db
    .selectFrom("pay_attempt")
    .selectAll()
    .where("out_trade_no", "=", outTradeNo)
    .where("gateway", "=", gateway.name)
    .executeTakeFirst();

/**
 * Refunds are compared one way round: money that left. A refund that was made in the gateway's console is booked, and one
 * of ours that the gateway gave up is completed where the bill has it.
 */
async function compareRefunds(
  parts: BillingParts,
  { gateway, found, signal }: Comparison,
  refunds: BillLine[],
): Promise<void> {
  const { db } = parts;
  for (const line of refunds) {
    const { refundNumber = "", outTradeNo, amountFen } = line;
    const ours = await db.selectFrom("pay_refund").selectAll().where("number", "=", refundNumber).executeTakeFirst();
    const isFollowed = ours?.state === "DUE" || ours?.state === "SENT" || ours?.state === "DONE";
    if (isFollowed && ours.amount_fen === amountFen) continue;
    const booked = await bookForeignRefund(parts, { gateway, line, ours }, signal);
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
