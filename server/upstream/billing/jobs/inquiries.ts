import type { Db } from "../../db/database";
import { fileMistake } from "../anomalies";
import { lockWallet } from "../ledger";
import { type Attempt, closeOrder } from "../orders/orders";
import type { Inquire } from "../orders/status";
import { type BillingParts, gatewayNamed } from "../parts";
import type { Step } from "./schedule";
import { nextQuerySeconds } from "./schedule";

const unpaid = ["INIT", "PENDING", "CLOSED"] as const;
const live = ["INIT", "PENDING"] as const;
const isIn = (states: readonly string[], { state }: Attempt) => states.includes(state);

const findAttempt = (db: Db, id: string) =>
  db.selectFrom("pay_attempt").selectAll().where("id", "=", id).executeTakeFirst();
const getOrder = (db: Db, id: string) =>
  db.selectFrom("pay_order").selectAll().where("id", "=", id).executeTakeFirstOrThrow();
const liveAttempts = (db: Db, orderId: string) =>
  db.selectFrom("pay_attempt").selectAll().where("order_id", "=", orderId).where("state", "in", live).execute();

/** Finds out without a notification whether an attempt was paid. */
export function createQueryStep(parts: BillingParts, inquire: Inquire): Step {
  const { db, now } = parts;
  return async (id, { signal }) => {
    const attempt = await findAttempt(db, id);
    if (!attempt || !isIn(unpaid, attempt)) return null;
    const order = await getOrder(db, attempt.order_id);
    const { expires_at: expiresAt, closed_at: closedAt } = order;
    const next = nextQuerySeconds({ createdAt: attempt.created_at, expiresAt, closedAt }, now());
    if (next === null) return null;
    const state = await inquire(attempt, signal);
    if (state === "paid") return null;
    if (state !== "refunded") return next;
    await tellReturned(parts, attempt);
    return null;
  };
}

/** Paid once, and sent back before we heard of it: nothing is granted, and people must look. */
async function tellReturned({ db, now, alert }: BillingParts, attempt: Attempt): Promise<void> {
  const { id, gateway, order_id: orderId, out_trade_no: outTradeNo, state } = attempt;
  const detail = { outTradeNo, gateway: "refunded", ours: state };
  const mistake = { kind: "state" as const, gateway, ref: id, orderId, detail };
  if (await fileMistake(db, mistake, now())) alert(mistake);
}

/** Closes an order nobody paid in time, once every gateway said so. Throws GatewayError: then it stays open. */
export function createExpireStep(parts: BillingParts, inquire: Inquire): Step {
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

/** Makes an attempt unpayable; one that was paid meanwhile goes through the door. */
export function createCloseStep(parts: BillingParts, inquire: Inquire): Step {
  const { db } = parts;
  return async (id, { signal }) => {
    const attempt = await findAttempt(db, id);
    const gateway = attempt && gatewayNamed(parts, attempt.gateway);
    if (!attempt || !gateway || !isIn(live, attempt)) return null;
    if ((await gateway.close(attempt.out_trade_no, signal)) === "paid") {
      const state = await inquire(attempt, signal);
      if (state === "paid") return null;
      if (state !== "refunded") return 30;
      await tellReturned(parts, attempt);
    }
    await db
      .updateTable("pay_attempt")
      .set({ state: "CLOSED" })
      .where("id", "=", id)
      .where("state", "in", live)
      .execute();
    return null;
  };
}
