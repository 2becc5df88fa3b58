import type { Db } from "../../db/database";
import type { BillLine, Gateway } from "../../payments/gateway";
import { scheduleJob } from "../jobs/schedule";
import type { BillingParts } from "../parts";
import { type Attempt, findAttempt, isLive, lockAttempt, type Order, type Refund } from "../rows";
import { shortenOrder } from "./grant";
import { completeRefund } from "./refunds";

interface SeenRefund {
  gateway: Gateway;
  /** A refund of the gateway's bill. */
  line: BillLine;
  /** Our refund of the same number, if there is one. */
  ours: Refund | undefined;
}

/**
 * Books a refund of the bill that we did not complete: made in the gateway's console, or reported as failed before. Takes
 * back its share of what the order granted. `no`: not booked, an operator must decide.
 */
export type BookForeignRefund = (seen: SeenRefund, signal?: AbortSignal) => Promise<"completed" | "booked" | "no">;

export const createForeignRefunds =
  (parts: BillingParts): BookForeignRefund =>
  (seen, signal) =>
    bookRefund(parts, seen, signal);

async function bookRefund(
  { db, queue, now }: BillingParts,
  { gateway, line, ours }: SeenRefund,
  signal?: AbortSignal,
): ReturnType<BookForeignRefund> {
  const { outTradeNo, refundNumber, amountFen } = line;
  if (!refundNumber || (ours && (ours.state !== "STUCK" || ours.amount_fen !== amountFen))) return "no";
  const status = await gateway.queryRefund({ outTradeNo, number: refundNumber }, signal);
  if (status === "failed" || (ours && status !== "done")) return "no";
  return db.transaction().execute(async (trx) => {
    const known = await findAttempt(trx, gateway.name, outTradeNo);
    if (!known) return "no";
    const { attempt, order } = await lockAttempt(trx, known.id);
    if (ours) return (await completeRefund(trx, { refund: ours, at: now() })) ? "completed" : "no";
    const live = await findLiveRefund(trx, attempt);
    if (live) return completeInstead(trx, { live, amountFen, at: now() });
    if (!(await takeBack(trx, { attempt, order, line, at: now() }))) return "no";
    const refund = await trx
      .insertInto("pay_refund")
      .values({
        number: refundNumber,
        attempt_id: attempt.id,
        amount_fen: amountFen,
        reason: "console",
        state: "SENT",
        created_at: now(),
        done_at: null,
      })
      .returningAll()
      .executeTakeFirstOrThrow();
    if (status === "processing") await scheduleJob({ trx, queue }, "pay-refund", { of: refundNumber });
    else await completeRefund(trx, { refund, at: now() });
    return "booked";
  });
}

async function findLiveRefund(trx: Db, { id }: Attempt): Promise<Refund | undefined> {
  const refunds = await trx.selectFrom("pay_refund").selectAll().where("attempt_id", "=", id).execute();
  return refunds.find(isLive);
}

/** Completes our refund that was sent in the console, unless a server may be sending it too. */
async function completeInstead(
  trx: Db,
  { live, amountFen, at }: { live: Refund; amountFen: number; at: Date },
): Promise<"completed" | "no"> {
  if (live.amount_fen !== amountFen) return "no";
  return (await completeRefund(trx, { refund: live, at, isUnsent: true })) ? "completed" : "no";
}

interface GrantReversal {
  attempt: Attempt;
  order: Order;
  line: BillLine;
  at: Date;
}

/** Shortens the order. False for more than is left, or for an unpaid attempt. */
async function takeBack(trx: Db, { attempt, order, line, at }: GrantReversal): Promise<boolean> {
  const { amountFen, refundNumber = "" } = line;
  if (order.paid_by !== attempt.id) return attempt.paid_fen === amountFen && attempt.state === "SUSPENSE";
  if (amountFen > order.amount_fen - order.refunded_fen) return false;
  // Used characters are not taken back, although the money was returned.
  await shortenOrder(trx, { order, refundFen: amountFen, number: refundNumber, at });
  const refundedFen = order.refunded_fen + amountFen;
  await trx
    .updateTable("pay_order")
    .set({ refunded_fen: refundedFen, refund_asked_at: null })
    .where("id", "=", order.id)
    .execute();
  return true;
}
