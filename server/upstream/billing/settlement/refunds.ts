import type { Insertable } from "kysely";
import type { Db } from "../../db/database";
import type { PaymentTables } from "../../db/tables/payments";
import { AppError } from "../../errors";
import type { Queue } from "../../jobs/queue";
import { resolveRefunded } from "../anomalies";
import { scheduleJob } from "../jobs/schedule";
import { lockWallet, writeLedger } from "../ledger";
import {
  type Attempt,
  getAttempt,
  getOrder,
  isLive,
  liveRefundStates,
  lockAttempt,
  type Order,
  type Refund,
} from "../rows";
import { packRefusal, restoreOrder, shortenOrder } from "./grant";

interface Decision {
  order: Pick<Order, "id" | "account_id">;
  /** All that is left of what was paid where absent. */
  refundFen?: number | undefined;
  at: Date;
}

/**
 * Decides a refund of a paid order and takes back its share of what was granted; the money is sent by the job. Throws
 * bad-request for more than is left, while another one is on its way, and for a pack with fewer characters left.
 */
export async function decideRefund(
  { trx, queue }: { trx: Db; queue: Queue },
  { order: { id, account_id }, refundFen, at }: Decision,
): Promise<Refund> {
  await lockWallet(trx, account_id);
  const order = await getOrder(trx, id);
  if (order.state !== "PAID" || !order.paid_by) throw new AppError("bad-request", "order is not paid");
  const left = order.amount_fen - order.refunded_fen;
  const amount = refundFen ?? left;
  if (!Number.isInteger(amount) || amount < 1 || amount > left) {
    throw new AppError("bad-request", `at most ${(left / 100).toFixed(2)} yuan of this order can be refunded`);
  }
  const attempt = await getAttempt(trx, order.paid_by);
  const number = await nextNumber(trx, attempt);
  if (!(await shortenOrder(trx, { order, refundFen: amount, number, at }))) throw await packRefusal(trx, order);
  await trx
    .updateTable("pay_order")
    .set({ refunded_fen: order.refunded_fen + amount, refund_asked_at: null, refund_declined: null })
    .where("id", "=", id)
    .execute();
  await trx.updateTable("pay_attempt").set({ state: "REFUND_DUE" }).where("id", "=", attempt.id).execute();
  return addRefund(
    { trx, queue },
    { number, attempt_id: attempt.id, amount_fen: amount, reason: "ops", created_at: at },
  );
}

/** Records a decided refund and schedules the job that sends its money. */
export async function addRefund(
  { trx, queue }: { trx: Db; queue: Queue },
  refund: Omit<Insertable<PaymentTables["pay_refund"]>, "done_at">,
): Promise<Refund> {
  const insert = trx.insertInto("pay_refund").values({ ...refund, done_at: null });
  const added = await insert.returningAll().executeTakeFirstOrThrow();
  await scheduleJob({ trx, queue }, "pay-refund", { of: refund.number });
  return added;
}

/** One at a time: the next number follows from those before it. Throws bad-request while one is on its way. */
export async function nextNumber(trx: Db, attempt: Attempt): Promise<string> {
  const earlier = await trx.selectFrom("pay_refund").select("state").where("attempt_id", "=", attempt.id).execute();
  if (earlier.some(isLive)) throw new AppError("bad-request", "a refund is on its way");
  return `${attempt.out_trade_no}R${earlier.length + 1}`;
}

interface RefundEnd {
  refund: Refund;
  at: Date;
  /** Only while no server may be sending it. */
  isUnsent?: boolean;
}

/** The money went back. False, and nothing changes, where the refund is over already. */
export async function completeRefund(trx: Db, ending: RefundEnd): Promise<boolean> {
  const { refund, at } = ending;
  const { attempt, order } = await lockAttempt(trx, refund.attempt_id);
  if (!(await endRefund(trx, "DONE", ending))) return false;
  await writeLedger(trx, {
    accountId: order.account_id,
    kind: "refund",
    orderId: order.id,
    ref: refund.number,
    amountFen: (await isInForeignCurrency(trx, attempt)) ? 0 : -refund.amount_fen,
    at,
  });
  await resolveRefunded(trx, { refund, attempt, at });
  // The attempt's own payment stays with the order: only a second transaction went back.
  if (refund.reason === "conflict") return true;
  await trx.updateTable("pay_attempt").set({ state: "REFUNDED" }).where("id", "=", attempt.id).execute();
  await trx
    .updateTable("pay_order")
    .set({ state: "REFUNDED" })
    .where("paid_by", "=", attempt.id)
    .whereRef("refunded_fen", "=", "amount_fen")
    .execute();
  return true;
}

/**
 * Ends a refund that sends no money: what it took back of the order is granted again, and a payment that no order wanted
 * waits in suspense. The caller has made sure that the gateway does not know the refund. False, and nothing changes, where
 * the refund is over already or a server may be sending it.
 */
export async function cancelRefund(trx: Db, { refund, at }: Omit<RefundEnd, "isUnsent">): Promise<boolean> {
  const { attempt, order } = await lockAttempt(trx, refund.attempt_id);
  if (!(await endRefund(trx, "CANCELLED", { refund, at, isUnsent: true }))) return false;
  if (refund.reason === "conflict") return true;
  if (order.paid_by !== attempt.id) {
    await trx.updateTable("pay_attempt").set({ state: "SUSPENSE" }).where("id", "=", attempt.id).execute();
    return true;
  }
  await restoreOrder(trx, { order, refundFen: refund.amount_fen, number: refund.number, at });
  const refundedFen = order.refunded_fen - refund.amount_fen;
  await trx.updateTable("pay_order").set({ refunded_fen: refundedFen }).where("id", "=", order.id).execute();
  await trx
    .updateTable("pay_attempt")
    .set({ state: refundedFen > 0 ? "REFUNDED" : "PAID" })
    .where("id", "=", attempt.id)
    .execute();
  return true;
}

async function endRefund(trx: Db, state: "DONE" | "CANCELLED", { refund, at, isUnsent }: RefundEnd): Promise<boolean> {
  let live = trx
    .updateTable("pay_refund")
    .set({ state, done_at: at, fault: null })
    .where("number", "=", refund.number)
    .where("state", "in", liveRefundStates);
  if (isUnsent) live = live.where((eb) => eb.or([eb("sending_until", "is", null), eb("sending_until", "<=", at)]));
  return (await live.executeTakeFirst()).numUpdatedRows === 1n;
}

/** The ledger is in yuan: a payment in another currency has the amount 0. */
async function isInForeignCurrency(trx: Db, { out_trade_no, order_id }: Attempt): Promise<boolean> {
  const arrival = await trx
    .selectFrom("ledger")
    .select("amount_fen")
    .where("order_id", "=", order_id)
    .where("kind", "=", "payment")
    .where("ref", "=", out_trade_no)
    .executeTakeFirst();
  return arrival?.amount_fen === 0;
}
