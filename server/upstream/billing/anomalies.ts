import { sql } from "kysely";
import type { Db } from "../db/database";
import type { RefundReason } from "../db/tables/payments";
import type { Attempt } from "./orders/orders";
import type { Mistake } from "./parts";
import type { MistakeKind } from "./settlement/verdict";

/** Files it; false when it was filed before. `reopens`: what was resolved before is open again. */
export async function fileMistake(
  db: Db,
  mistake: Mistake,
  at: Date,
  { reopens = false }: { reopens?: boolean } = {},
): Promise<boolean> {
  const { kind, gateway, ref, orderId, detail } = mistake;
  const filed = await db
    .insertInto("pay_mistake")
    .values({ kind, gateway, ref, order_id: orderId, detail: JSON.stringify(detail), created_at: at })
    .onConflict((conflict) => conflict.doNothing())
    .returning("id")
    .executeTakeFirst();
  if (filed || !reopens) return filed !== undefined;
  const { numUpdatedRows } = await db
    .updateTable("pay_mistake")
    .set({ resolved_at: null, resolved_by: null, resolution: null })
    .where("kind", "=", kind)
    .where("ref", "=", ref)
    .where("resolved_at", "is not", null)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

/** What was filed about the payment that a refund of this reason returns. */
const settledKinds: Record<RefundReason, readonly MistakeKind[]> = {
  ops: [],
  console: [],
  double: ["double"],
  "account-gone": ["late"],
  suspense: ["amount", "double", "late"],
  conflict: ["conflict"],
};

interface Settled {
  refund: { number: string; reason: RefundReason; transaction_id: string | null };
  attempt: Attempt;
  at: Date;
}

/** Resolves what was filed about a refund that is done, and about the payment that it returned. */
export async function resolveSettled(trx: Db, { refund, attempt, at }: Settled): Promise<void> {
  const transactionId = refund.transaction_id ?? attempt.transaction_id;
  const ofPayment = settledKinds[refund.reason];
  await trx
    .updateTable("pay_mistake")
    .set({ resolved_at: at, resolved_by: `refund ${refund.number}`, resolution: "the money went back" })
    .where("resolved_at", "is", null)
    .where((eb) =>
      eb.or([
        eb.and([eb("kind", "=", "refund"), eb("ref", "=", refund.number)]),
        ...(ofPayment.length > 0
          ? [eb.and([eb("kind", "in", ofPayment), eb(sql`detail->>'transactionId'`, "=", transactionId)])]
          : []),
      ]),
    )
    .execute();
}
