import type { Selectable } from "kysely";
import type { Db } from "../../db/database";
import type { PayAttemptTable, PayOrderTable } from "../../db/tables/payments";
import type { Gateway, Payment } from "../../payments/gateway";
import { fileMistake } from "../anomalies";
import { plan } from "../jobs/schedule";
import { lockWallet, writeLedger } from "../ledger";
import { isClosed } from "../orders/orders";
import type { BillingParts, Mistake } from "../parts";
import { grantOrder } from "./grant";
import { judge, type MistakeKind, type Outcome } from "./verdict";
/**
 * The one door for "paid", whether a notification, a query or the day's bill says so. One transaction an event; the
 * caller acknowledges after it. Takes any event in any order, any number of times, on any number of servers.
 */
export type Door = (gateway: Gateway, payment: Payment) => Promise<Outcome>;

type Order = Selectable<PayOrderTable>;
type Attempt = Selectable<PayAttemptTable>;

interface Settlement {
  gateway: Gateway;
  payment: Payment;
  order: Order;
  attempt: Attempt;
  at: Date;
}

export function createDoor(parts: BillingParts): Door {
  const { db, queue, now, alert } = parts;

  const unknown = async (gateway: Gateway, payment: Payment): Promise<Outcome> => {
    const mistake = describe("unknown", { gateway, payment });
    if (await fileMistake(db, mistake, now())) alert(mistake);
    return "refused";
  };

  return async (gateway, payment) => {
    const known = await db
      .selectFrom("pay_attempt as attempt")
      .innerJoin("pay_order as order", "order.id", "attempt.order_id")
      .select(["attempt.id", "attempt.order_id", "order.account_id"])
      .where("attempt.out_trade_no", "=", payment.outTradeNo)
      .where("attempt.gateway", "=", gateway.name)
      .executeTakeFirst();
    if (!known) return unknown(gateway, payment);
    const { outcome, mistake } = await db.transaction().execute(async (trx) => {
      await lockWallet(trx, known.account_id);
      const order = await trx
        .selectFrom("pay_order")
        .selectAll()
        .where("id", "=", known.order_id)
        .executeTakeFirstOrThrow();
      const attempt = await trx
        .selectFrom("pay_attempt")
        .selectAll()
        .where("id", "=", known.id)
        .executeTakeFirstOrThrow();
      return enter(trx, { gateway, payment, order, attempt, at: now() }, parts);
    });
    if (mistake) alert(mistake);
    queue.wake();
    return outcome;
  };
}

/** Judges and books. Gives back the mistake where it is a new one. */
async function enter(trx: Db, settlement: Settlement, { queue }: BillingParts) {
  const { gateway, payment, order, attempt, at } = settlement;
  const isBuyerGone = await isClosed(trx, order.account_id);
  const verdict = judge({
    isBuyerGone,
    order: { state: order.state, amountFen: order.amount_fen, isPaid: order.paid_by !== null },
    attempt: { state: attempt.state, transactionId: attempt.transaction_id },
    payment,
    merchant: gateway,
  });
  if (verdict.attempt !== attempt.state) await bookArrival(trx, settlement, verdict.attempt);
  if (verdict.outcome === "settled") {
    await payOrder(trx, settlement);
    await grantOrder(trx, { order, at });
    await closeSiblings({ trx, queue }, attempt);
  }
  if (verdict.outcome === "refund-due") {
    const number = `${attempt.out_trade_no}R1`;
    await trx
      .insertInto("pay_refund")
      .values({
        number,
        attempt_id: attempt.id,
        amount_fen: payment.amountFen,
        reason: isBuyerGone && order.paid_by === null ? "account-gone" : "double",
        created_at: at,
        done_at: null,
      })
      .execute();
    await plan({ trx, queue }, "pay-refund", { of: number });
  }
  const mistake = verdict.mistake && describe(verdict.mistake, { gateway, payment, orderId: order.id });
  const isNew = mistake !== undefined && (await fileMistake(trx, mistake, at));
  return { outcome: verdict.outcome, mistake: isNew ? mistake : undefined };
}

async function bookArrival(trx: Db, { payment, order, attempt, at }: Settlement, state: Attempt["state"]) {
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
    .where("state", "in", ["INIT", "PENDING"])
    .execute();
  for (const sibling of siblings) await plan({ trx, queue }, "pay-close", { of: sibling.id });
}

function describe(
  kind: MistakeKind,
  { gateway, payment, orderId = null }: { gateway: Gateway; payment: Payment; orderId?: string | null },
): Mistake {
  const { outTradeNo, transactionId, amountFen, currency } = payment;
  const detail = { outTradeNo, transactionId, amountFen, currency };
  return { kind, gateway: gateway.name, ref: `${gateway.name}:${outTradeNo}:${transactionId}`, orderId, detail };
}
