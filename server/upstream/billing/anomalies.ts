import { type Selectable, type SqlBool, sql } from "kysely";
import type { Db } from "../db/database";
import type { PaymentTables, RefundReason } from "../db/tables/payments";
import { AppError } from "../errors";
import { afterRow } from "../sql-fragments";
import type { Attempt, Refund } from "./rows";

/** A payment anomaly that an operator must resolve. */
export type AnomalyKind =
  | "double"
  | "late"
  | "amount"
  | "conflict"
  | "unknown"
  | "merchant"
  | "refund"
  | "ours-missing"
  | "theirs-missing"
  | "state";

export interface Anomaly {
  kind: AnomalyKind;
  gateway: string;
  /** Unique with `kind`: the same anomaly is recorded once. */
  ref: string;
  orderId: string | null;
  detail: Record<string, unknown>;
}

/** A row of `pay_anomaly`. */
export type RecordedAnomaly = Selectable<PaymentTables["pay_anomaly"]>;

/** False when it was recorded before. `reopens`: a resolved anomaly is open again. */
export async function recordAnomaly(
  db: Db,
  anomaly: Anomaly,
  at: Date,
  { reopens = false }: { reopens?: boolean } = {},
): Promise<boolean> {
  const { kind, gateway, ref, orderId, detail } = anomaly;
  const filed = await db
    .insertInto("pay_anomaly")
    .values({ kind, gateway, ref, order_id: orderId, detail: JSON.stringify(detail), created_at: at })
    .onConflict((conflict) => conflict.doNothing())
    .returning("id")
    .executeTakeFirst();
  if (filed || !reopens) return filed !== undefined;
  const { numUpdatedRows } = await db
    .updateTable("pay_anomaly")
    .set({ resolved_at: null, resolved_by: null, resolution: null })
    .where("kind", "=", kind)
    .where("ref", "=", ref)
    .where("resolved_at", "is not", null)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

/** Records an anomaly outside a transaction and alerts once. */
export async function reportAnomaly(
  { db, now, alert }: { db: Db; now(): Date; alert(anomaly: Anomaly): void },
  anomaly: Anomaly,
  options?: { reopens?: boolean },
): Promise<void> {
  if (await recordAnomaly(db, anomaly, now(), options)) alert(anomaly);
}

/** Anomalies of a payment that a refund with this reason resolves. */
const refundedKinds: Record<RefundReason, readonly AnomalyKind[]> = {
  ops: [],
  console: [],
  double: ["double"],
  "account-gone": ["late"],
  suspense: ["amount", "double", "late"],
  conflict: ["conflict"],
};

interface RefundDone {
  refund: Pick<Refund, "number" | "reason" | "transaction_id">;
  attempt: Attempt;
  at: Date;
}

/** Resolves the anomalies of a completed refund and of the payment that it returned. */
export async function resolveRefunded(trx: Db, { refund, attempt, at }: RefundDone): Promise<void> {
  const transactionId = refund.transaction_id ?? attempt.transaction_id;
  const ofPayment = refundedKinds[refund.reason];
  await trx
    .updateTable("pay_anomaly")
    .set({ resolved_at: at, resolved_by: `refund ${refund.number}`, resolution: "the money went back" })
    .where("resolved_at", "is", null)
    .where((eb) =>
      eb.or([
        eb.and([eb("kind", "=", "refund"), eb("ref", "=", refund.number)]),
        ...(ofPayment.length > 0 && transactionId !== null
          ? [eb.and([eb("kind", "in", ofPayment), detailHas("transactionId", transactionId)])]
          : []),
      ]),
    )
    .execute();
}

export interface AnomalyFilter {
  /** When it was recorded: a day's first moment and the next day's. */
  filed?: { from: Date; to: Date } | undefined;
  /** An out-trade number, transaction or refund number in its detail. */
  number?: string | undefined;
  isOpen?: boolean | undefined;
  /** Only those after this one. */
  after?: string | undefined;
  limit?: number | undefined;
}

/** Recorded anomalies, newest first, those without an order included. */
export function listAnomalies(
  db: Db,
  { filed, number, isOpen, after, limit }: AnomalyFilter,
): Promise<RecordedAnomaly[]> {
  let anomalies = db.selectFrom("pay_anomaly").selectAll();
  if (filed) anomalies = anomalies.where("created_at", ">=", filed.from).where("created_at", "<", filed.to);
  if (isOpen) anomalies = anomalies.where("resolved_at", "is", null);
  if (number !== undefined) {
    const named = ["outTradeNo", "transactionId", "number"].flatMap((name) =>
      [...new Set([number, normalizeNumber(number)])].map((value) => detailHas(name, value)),
    );
    anomalies = anomalies.where((eb) => eb.or(named));
  }
  if (after !== undefined) anomalies = anomalies.where(afterRow("pay_anomaly", after));
  if (limit !== undefined) anomalies = anomalies.limit(limit);
  return anomalies.orderBy("created_at", "desc").orderBy("id").execute();
}

/** Served by the index on `detail`. */
const detailHas = (name: string, value: string) => sql<SqlBool>`detail @> ${JSON.stringify({ [name]: value })}::jsonb`;

/** Payers copy numbers with hyphens or spaces; the database stores them without. */
export const normalizeNumber = (number: string) => number.replace(/[\s-]/g, "");

/** Throws not-found, or bad-request for an anomaly that is resolved already. */
export async function resolveAnomaly(
  trx: Db,
  { id, operator, resolution, at }: { id: string; operator: string; resolution: string; at: Date },
): Promise<RecordedAnomaly> {
  const known = await trx.selectFrom("pay_anomaly").select("id").where("id", "=", id).executeTakeFirst();
  if (!known) throw new AppError("not-found", "no such anomaly");
  const resolved = await trx
    .updateTable("pay_anomaly")
    .set({ resolved_at: at, resolved_by: operator, resolution })
    .where("id", "=", id)
    .where("resolved_at", "is", null)
    .returningAll()
    .executeTakeFirst();
  if (!resolved) throw new AppError("bad-request", "the anomaly is resolved already");
  return resolved;
}
