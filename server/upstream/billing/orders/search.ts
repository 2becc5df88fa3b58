import type { Selectable } from "kysely";
import type { Db } from "../../db/database";
import type { OrderState, PayMistakeTable } from "../../db/tables/billing";
import type { Refund } from "../settlement/refunds";
import type { Attempt, Order } from "./place";

export interface OrderFilter {
  id?: string | undefined;
  accountId?: string | undefined;
  state?: OrderState | undefined;
  /** First moment of its creation. */
  since?: Date | undefined;
  /** Only those that people must look at. */
  hasMistakes?: boolean | undefined;
  limit: number;
}

export type FiledMistake = Selectable<PayMistakeTable>;

/** An order with all that ever happened to it, oldest first. */
export interface OrderRecord {
  order: Order;
  attempts: Attempt[];
  refunds: Refund[];
  mistakes: FiledMistake[];
}

/** Of everybody's orders those that pass, newest first. */
export async function searchOrders(db: Db, filter: OrderFilter): Promise<OrderRecord[]> {
  const orders = await select(db, filter).execute();
  const ids = orders.map(({ id }) => id);
  if (ids.length === 0) return [];
  const attempts = await db
    .selectFrom("pay_attempt")
    .selectAll()
    .where("order_id", "in", ids)
    .orderBy("created_at")
    .execute();
  const refunds = await db
    .selectFrom("pay_refund as refund")
    .innerJoin("pay_attempt as attempt", "attempt.id", "refund.attempt_id")
    .selectAll("refund")
    .select("attempt.order_id")
    .where("attempt.order_id", "in", ids)
    .orderBy("refund.created_at")
    .execute();
  const mistakes = await db
    .selectFrom("pay_mistake")
    .selectAll()
    .where("order_id", "in", ids)
    .orderBy("created_at")
    .execute();
  return orders.map((order) => {
    const isIts = (row: { order_id: string | null }) => row.order_id === order.id;
    return {
      order,
      attempts: attempts.filter(isIts),
      refunds: refunds.filter(isIts),
      mistakes: mistakes.filter(isIts),
    };
  });
}

function select(db: Db, { id, accountId, state, since, hasMistakes, limit }: OrderFilter) {
  let orders = db.selectFrom("pay_order").selectAll();
  if (id !== undefined) orders = orders.where("id", "=", id);
  if (accountId !== undefined) orders = orders.where("account_id", "=", accountId);
  if (state !== undefined) orders = orders.where("state", "=", state);
  if (since !== undefined) orders = orders.where("created_at", ">=", since);
  if (hasMistakes) {
    orders = orders.where((eb) =>
      eb.exists(eb.selectFrom("pay_mistake").select("kind").whereRef("pay_mistake.order_id", "=", "pay_order.id")),
    );
  }
  return orders.orderBy("created_at", "desc").orderBy("id").limit(limit);
}

/** What was filed in a stretch of time, of orders and of none. */
export const listMistakes = (db: Db, { from, to }: { from: Date; to: Date }): Promise<FiledMistake[]> =>
  db
    .selectFrom("pay_mistake")
    .selectAll()
    .where("created_at", ">=", from)
    .where("created_at", "<", to)
    .orderBy("created_at")
    .execute();
