import { sql } from "kysely";
import type { Db } from "../../db/database";
import { AppError } from "../../errors";
import type { Queue } from "../../jobs/queue";
import { lockWallet, writeLedger } from "../ledger";
import type { Attempt, Refund } from "../rows";
import { addRefund, nextNumber } from "./refunds";

interface PaymentPlace {
  trx: Db;
  queue: Queue;
  at: Date;
}

/** Money that arrived and granted nothing. */
interface HeldPayment {
  attempt: Attempt;
  accountId: string;
  amountFen: number;
  /** A second transaction of the attempt; null for the attempt's own. */
  secondTransactionId: string | null;
}

/**
 * Returns a payment that granted nothing: one in suspense, or the second transaction of an attempt. `paymentNumber` is the
 * out-trade number or the gateway's transaction. The money is sent by the refund job. Throws not-found where no such
 * payment is held, bad-request while a refund of the attempt is on its way or where the payment was returned before.
 */
export async function returnHeldPayment({ trx, queue, at }: PaymentPlace, paymentNumber: string): Promise<Refund> {
  await lockWallet(trx, (await getHeld(trx, paymentNumber)).accountId);
  const held = await getHeld(trx, paymentNumber);
  const { attempt, amountFen, secondTransactionId } = held;
  const number = await nextNumber(trx, attempt);
  if (secondTransactionId) await bookSecond(trx, { held, transactionId: secondTransactionId, at });
  else await trx.updateTable("pay_attempt").set({ state: "REFUND_DUE" }).where("id", "=", attempt.id).execute();
  return addRefund(
    { trx, queue },
    {
      number,
      attempt_id: attempt.id,
      amount_fen: amountFen,
      reason: secondTransactionId ? "conflict" : "suspense",
      transaction_id: secondTransactionId,
      created_at: at,
    },
  );
}

async function getHeld(trx: Db, paymentNumber: string): Promise<HeldPayment> {
  const held = (await findSuspended(trx, paymentNumber)) ?? (await findSecond(trx, paymentNumber));
  if (!held) throw new AppError("not-found", "no payment of this number is in suspense or in conflict");
  return held;
}

const attemptsOf = (trx: Db) =>
  trx
    .selectFrom("pay_attempt as attempt")
    .innerJoin("pay_order as order", "order.id", "attempt.order_id")
    .selectAll("attempt")
    .select("order.account_id");

async function findSuspended(trx: Db, paymentNumber: string): Promise<HeldPayment | null> {
  const row = await attemptsOf(trx)
    .where("attempt.state", "=", "SUSPENSE")
    .where((eb) =>
      eb.or([eb("attempt.out_trade_no", "=", paymentNumber), eb("attempt.transaction_id", "=", paymentNumber)]),
    )
    .executeTakeFirst();
  if (!row?.paid_fen) return null;
  const { account_id: accountId, ...attempt } = row;
  return { attempt, accountId, amountFen: row.paid_fen, secondTransactionId: null };
}

interface ConflictDetail {
  outTradeNo: string;
  transactionId: string;
  amountFen: number;
}

/** A second transaction is known by the anomaly that was filed about it. */
async function findSecond(trx: Db, paymentNumber: string): Promise<HeldPayment | null> {
  const filed = await trx
    .selectFrom("pay_anomaly")
    .select(["detail", "gateway"])
    .where("kind", "=", "conflict")
    .where(sql<boolean>`(detail->>'transactionId' = ${paymentNumber} or detail->>'outTradeNo' = ${paymentNumber})`)
    .where(sql<boolean>`detail ? 'transactionId'`)
    .execute();
  for (const { detail, gateway } of filed) {
    const { outTradeNo, transactionId, amountFen } = detail as unknown as ConflictDetail;
    const returned = trx.selectFrom("pay_refund").select("number").where("transaction_id", "=", transactionId);
    if (await returned.where("state", "<>", "CANCELLED").executeTakeFirst()) continue;
    const row = await attemptsOf(trx)
      .where("attempt.out_trade_no", "=", outTradeNo)
      .where("attempt.gateway", "=", gateway)
      .executeTakeFirst();
    if (!row) continue;
    const { account_id: accountId, ...attempt } = row;
    return { attempt, accountId, amountFen, secondTransactionId: transactionId };
  }
  return null;
}

/** A second transaction is not in the ledger before it is returned; a repeated return finds its line. */
async function bookSecond(
  trx: Db,
  { held, transactionId, at }: { held: HeldPayment; transactionId: string; at: Date },
): Promise<void> {
  const { attempt, accountId, amountFen } = held;
  const booked = await trx
    .selectFrom("ledger")
    .select("id")
    .where("order_id", "=", attempt.order_id)
    .where("kind", "=", "payment")
    .where("ref", "=", transactionId)
    .executeTakeFirst();
  if (booked) return;
  const line = { accountId, kind: "payment" as const, orderId: attempt.order_id, ref: transactionId };
  await writeLedger(trx, { ...line, amountFen, at });
}
