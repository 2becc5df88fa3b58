import type { Selectable } from "kysely";
import type { Db } from "../db/database";
import type { PaymentTables } from "../db/tables/payments";
import { lockWallet } from "./ledger";

export type Order = Selectable<PaymentTables["pay_order"]>;
export type Attempt = Selectable<PaymentTables["pay_attempt"]>;
export type Refund = Selectable<PaymentTables["pay_refund"]>;

export const getOrder = (db: Db, id: string): Promise<Order> =>
  db.selectFrom("pay_order").selectAll().where("id", "=", id).executeTakeFirstOrThrow();

export const getAttempt = (db: Db, id: string): Promise<Attempt> =>
  db.selectFrom("pay_attempt").selectAll().where("id", "=", id).executeTakeFirstOrThrow();

export const findAttempt = (db: Db, gateway: string, outTradeNo: string): Promise<Attempt | undefined> =>
  db
    .selectFrom("pay_attempt")
    .selectAll()
    .where("out_trade_no", "=", outTradeNo)
    .where("gateway", "=", gateway)
    .executeTakeFirst();

/** Locks the wallet of the attempt's account, then reads the attempt and its order. */
export async function lockAttempt(trx: Db, id: string): Promise<{ attempt: Attempt; order: Order }> {
  const { order_id } = await getAttempt(trx, id);
  await lockWallet(trx, (await getOrder(trx, order_id)).account_id);
  return { attempt: await getAttempt(trx, id), order: await getOrder(trx, order_id) };
}

/** States of an attempt that can still be paid at its gateway. */
export const payableStates = ["INIT", "PENDING"] as const;
export const isPayable = ({ state }: Pick<Attempt, "state">): boolean => payableStates.some((one) => one === state);

/** States of a refund whose money may still move. */
export const liveRefundStates = ["DUE", "SENT", "STUCK"] as const;
export const isLive = ({ state }: Pick<Refund, "state">): boolean => liveRefundStates.some((live) => live === state);
