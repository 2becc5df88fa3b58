import type { Db } from "../../db/database";
import { reportAnomaly } from "../anomalies";
import { lockWallet } from "../ledger";
import { closeOrder } from "../orders/orders";
import type { Inquire } from "../orders/status";
import { type BillingParts, gatewayNamed } from "../parts";
import { type Attempt, getAttempt, getOrder, isPayable, payableStates } from "../rows";
import { nextQuerySeconds, type ScheduledStep } from "./schedule";

const isUnpaid = (attempt: Attempt) => isPayable(attempt) || attempt.state === "CLOSED";

const findAttempt = (db: Db, id: string) =>
  db.selectFrom("pay_attempt").selectAll().where("id", "=", id).executeTakeFirst();
const liveAttempts = (db: Db, orderId: string) =>
  db
    .selectFrom("pay_attempt")
    .selectAll()
    .where("order_id", "=", orderId)
    .where("state", "in", payableStates)
    .execute();

/** Asks the gateway whether an attempt was paid. */
export function createQueryStep(parts: BillingParts, inquire: Inquire): ScheduledStep {
  const { db, now } = parts;
  return async (id, { signal }) => {
    const attempt = await findAttempt(db, id);
    if (!attempt || !isUnpaid(attempt)) return null;
    const order = await getOrder(db, attempt.order_id);
    const { expires_at: expiresAt, closed_at: closedAt } = order;
    const next = nextQuerySeconds({ createdAt: attempt.created_at, expiresAt, closedAt }, now());
    if (next === null) return null;
    const state = await inquire(attempt, signal);
    if (state === "paid") return null;
    if (state !== "refunded") return next;
    await reportReturned(parts, attempt);
    return null;
  };
}

/**
 * Reports a payment that the gateway returned before we recorded it: nothing is granted. The attempt is read after the
 * answer, because another server may have recorded and refunded the payment meanwhile.
 */
async function reportReturned(parts: BillingParts, { id }: Attempt): Promise<void> {
  const attempt = await getAttempt(parts.db, id);
  if (!isUnpaid(attempt)) return;
  const { gateway, order_id: orderId, out_trade_no: outTradeNo, state } = attempt;
  const detail = { outTradeNo, gateway: "refunded", ours: state };
  await reportAnomaly(parts, { kind: "state", gateway, ref: id, orderId, detail });
}

/** Closes an expired order once every gateway confirms that it is unpaid. The order stays open on GatewayError. */
export function createExpireStep(parts: BillingParts, inquire: Inquire): ScheduledStep {
  const { db, queue, now } = parts;
  return async (id, { signal }) => {
    const order = await getOrder(db, id);
    if (order.state !== "OPEN") return null;
    const early = (order.expires_at.getTime() - now().getTime()) / 1000;
    if (early > 0) return early;
    const asked = await liveAttempts(db, id);
    for (const attempt of asked) await inquire(attempt, signal);
    return db.transaction().execute(async (trx) => {
      await lockWallet(trx, order.account_id);
      const left = await liveAttempts(trx, id);
      if (left.some((attempt) => !asked.some(({ id }) => id === attempt.id))) return 1;
      await closeOrder({ trx, queue, at: now() }, order);
      return null;
    });
  };
}

/** Closes an attempt at its gateway; settles it when it was paid meanwhile. */
export function createCloseStep(parts: BillingParts, inquire: Inquire): ScheduledStep {
  const { db } = parts;
  return async (id, { signal }) => {
    const attempt = await findAttempt(db, id);
    const gateway = attempt && gatewayNamed(parts, attempt.gateway);
    if (!attempt || !gateway || !isPayable(attempt)) return null;
    if ((await gateway.close(attempt.out_trade_no, signal)) === "paid") {
      const state = await inquire(attempt, signal);
      if (state === "paid") return null;
      if (state !== "refunded") return 30;
      await reportReturned(parts, attempt);
    }
    await db
      .updateTable("pay_attempt")
      .set({ state: "CLOSED" })
      .where("id", "=", id)
      .where("state", "in", payableStates)
      .execute();
    return null;
  };
}
