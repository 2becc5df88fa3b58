import type { Selectable } from "kysely";
import type { Db } from "../../db/database";
import type { PayRefundTable } from "../../db/tables/billing";
import { AppError } from "../../errors";
import type { Queue } from "../../jobs/queue";
import { plan } from "../jobs/plan";
import { writeLedger } from "../ledger";
import type { Attempt, Order } from "../orders/place";
import { lockWallet } from "../wallet";
import { shortenOrder } from "./grant";

export type Refund = Selectable<PayRefundTable>;

interface Decision {
  order: Pick<Order, "id" | "account_id">;
  /** All that is left of what was paid where absent. */
  refundFen?: number | undefined;
  at: Date;
}

/**
 * Decides a refund of a paid order and takes back its share of what was granted; the money is sent by the job. Throws
 * bad-request for more than is left, while another one is on its way, and for a pack whose characters are used.
 */
export async function decideRefund(
  { trx, queue }: { trx: Db; queue: Queue },
  { order: { id, account_id }, refundFen, at }: Decision,
): Promise<Refund> {
  await lockWallet(trx, account_id);
  const order = await trx.selectFrom("pay_order").selectAll().where("id", "=", id).executeTakeFirstOrThrow();
  if (order.state !== "PAID" || !order.paid_by) throw new AppError("bad-request", "order is not paid");
  const left = order.amount_fen - order.refunded_fen;
  const amount = refundFen ?? left;
  if (!Number.isInteger(amount) || amount < 1 || amount > left) {
    throw new AppError("bad-request", `refund is not between 1 and ${left} fen`);
  }
  const attempt = await trx
    .selectFrom("pay_attempt")
    .selectAll()
    .where("id", "=", order.paid_by)
    .executeTakeFirstOrThrow();
  const number = await nextNumber(trx, attempt);
  if (!(await shortenOrder(trx, { order, refundFen: amount, number, at }))) {
    throw new AppError("bad-request", "the pack's characters are used");
  }
  await trx
    .updateTable("pay_order")
    .set({ refunded_fen: order.refunded_fen + amount })
    .where("id", "=", id)
    .execute();
  await trx.updateTable("pay_attempt").set({ state: "REFUND_DUE" }).where("id", "=", attempt.id).execute();
  const refund = await trx
    .insertInto("pay_refund")
    .values({ number, attempt_id: attempt.id, amount_fen: amount, reason: "ops", created_at: at, done_at: null })
    .returningAll()
    .executeTakeFirstOrThrow();
  await plan({ trx, queue }, "pay-refund", { of: number });
  return refund;
}

/** One at a time: the next number follows from those before it. */
async function nextNumber(trx: Db, attempt: Attempt): Promise<string> {
  const earlier = await trx.selectFrom("pay_refund").select("state").where("attempt_id", "=", attempt.id).execute();
  if (earlier.some(({ state }) => state !== "DONE")) throw new AppError("bad-request", "a refund is on its way");
  return `${attempt.out_trade_no}R${earlier.length + 1}`;
}

/** The gateway has sent the money back; told again it changes nothing. */
export async function completeRefund(trx: Db, { refund, at }: { refund: Refund; at: Date }): Promise<void> {
  const attempt = await trx
    .selectFrom("pay_attempt")
    .selectAll()
    .where("id", "=", refund.attempt_id)
    .executeTakeFirstOrThrow();
  const account = await trx
    .selectFrom("pay_order")
    .select("account_id")
    .where("id", "=", attempt.order_id)
    .executeTakeFirstOrThrow();
  await lockWallet(trx, account.account_id);
  const done = await trx
    .updateTable("pay_refund")
    .set({ state: "DONE", done_at: at })
    .where("number", "=", refund.number)
    .where("state", "<>", "DONE")
    .executeTakeFirst();
  if (done.numUpdatedRows !== 1n) return;
  await trx.updateTable("pay_attempt").set({ state: "REFUNDED" }).where("id", "=", attempt.id).execute();
  await writeLedger(trx, {
    accountId: account.account_id,
    kind: "refund",
    orderId: attempt.order_id,
    ref: refund.number,
    amountFen: -refund.amount_fen,
    at,
  });
  await trx
    .updateTable("pay_order")
    .set({ state: "REFUNDED" })
    .where("paid_by", "=", attempt.id)
    .whereRef("refunded_fen", "=", "amount_fen")
    .execute();
}
