import type { Db } from "../../db/database";
import type { Mistake } from "../parts";

/** Files it; false when it was filed before. */
export async function fileMistake(db: Db, mistake: Mistake, at: Date): Promise<boolean> {
  const { kind, gateway, ref, orderId, detail } = mistake;
  const filed = await db
    .insertInto("pay_mistake")
    .values({ kind, gateway, ref, order_id: orderId, detail: JSON.stringify(detail), created_at: at })
    .onConflict((conflict) => conflict.doNothing())
    .returning("id")
    .executeTakeFirst();
  return filed !== undefined;
}
