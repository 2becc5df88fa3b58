import { type Selectable, sql } from "kysely";
import type { CallData } from "~server/contract/calls/table";
import { toLocalTime } from "../../calendar";
import type { Db } from "../../db/database";
import type { BillingTables } from "../../db/tables/billing";
import type { OrderState } from "../../db/tables/payments";
import type { Platform } from "../../payments/gateway";
import { afterRow, newestOf, orderOf, readPage } from "../../sql-fragments";
import { normalizeNumber, type RecordedAnomaly } from "../anomalies";
import type { Page } from "../ledger-list";
import type { Snapshot } from "../products";
import type { Attempt, Order, Refund } from "../rows";
import { subjectOf } from "../subject";
import { invoiceColumn } from "./invoices";
import { toResult } from "./status";

interface OrderRow {
  id: string;
  product_code: string;
  snapshot: Snapshot;
  amount_fen: number;
  state: OrderState;
  created_at: Date;
  paid_at: Date | null;
  platform: Platform;
  out_trade_no: string;
  transaction_id: string | null;
  refund_asked_at: Date | null;
  refund_declined: string | null;
  returned_fen: number;
  returning_fen: number;
  invoice: CallData<"orders">["list"][number]["invoice"];
}

const newestFirst = newestOf("pay_order");

/** The account's orders, newest first; the method is the one that paid, else the one tried last. */
export async function listOrders(db: Db, accountId: string, page: Page) {
  const ids = db.selectFrom("pay_order").select("id").where("account_id", "=", accountId);
  const found = await readPage(ids, newestFirst, page, async (shown) => {
    const { rows } = await sql<OrderRow>`
      select pay_order.id, product_code, snapshot, amount_fen, pay_order.state, pay_order.created_at, pay_order.paid_at,
        refund_asked_at, refund_declined, ${invoiceColumn} as invoice,
        platform, out_trade_no, transaction_id, returned_fen, returning_fen
      from pay_order cross join lateral (
        select platform, out_trade_no, transaction_id from pay_attempt where order_id = pay_order.id
        order by id = paid_by desc nulls last, created_at desc limit 1) attempt
      cross join lateral (
        select coalesce(sum(amount_fen) filter (where state = 'DONE'), 0)::int as returned_fen,
          coalesce(sum(amount_fen) filter (where state in ('DUE', 'SENT', 'STUCK')), 0)::int as returning_fen
        from pay_refund where attempt_id = pay_order.paid_by) refunds
      where pay_order.id in ${shown} order by ${orderOf(newestFirst)}`.execute(db);
    return rows;
  });
  return { ...found, list: found.list.map(toListed) };
}

function toListed(row: OrderRow): CallData<"orders">["list"][number] {
  return {
    orderId: row.id,
    pCode: row.product_code,
    name: subjectOf(row.snapshot),
    price: row.amount_fen,
    platform: row.platform,
    result: toResult(row.state),
    createdAt: toLocalTime(row.created_at),
    paidAt: row.paid_at ? toLocalTime(row.paid_at) : "",
    outTradeNo: row.out_trade_no,
    transactionId: row.transaction_id ?? "",
    refundedFen: row.returned_fen,
    refundingFen: row.returning_fen,
    isRefundAsked: row.refund_asked_at !== null,
    refundDeclined: row.refund_declined ?? "",
    invoice: row.invoice,
  };
}

export interface OrderFilter {
  /** Any number that names a payment: order, out-trade number, gateway transaction, refund. */
  number?: string | undefined;
  accountId?: string | undefined;
  state?: OrderState | undefined;
  /** First moment of its creation. */
  since?: Date | undefined;
  /** Only those with an anomaly that is not resolved. */
  hasAnomalies?: boolean | undefined;
  /** Only those whose payer waits for an answer about a refund. */
  isRefundAsked?: boolean | undefined;
  /** Only those after this order. */
  after?: string | undefined;
  limit: number;
}

/** An operator's act. */
type AuditRow = Selectable<BillingTables["audit"]>;

/** An order with its history, oldest first. */
export interface OrderRecord {
  order: Order;
  attempts: Attempt[];
  refunds: Refund[];
  anomalies: RecordedAnomaly[];
  acts: AuditRow[];
}

/** The orders of all accounts that match the filter, newest first. */
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
  const anomalies = await db
    .selectFrom("pay_anomaly")
    .selectAll()
    .where("order_id", "in", ids)
    .orderBy("created_at")
    .execute();
  const targets = [orders, anomalies].flatMap((rows) => rows.map(({ id }) => id));
  const numbers = attempts.flatMap(({ out_trade_no, transaction_id }) => [
    out_trade_no,
    transaction_id ?? out_trade_no,
  ]);
  const returned = refunds.flatMap(({ number, transaction_id }) => [number, transaction_id ?? number]);
  const acts = await db
    .selectFrom("audit")
    .selectAll()
    .where("target", "in", [...targets, ...numbers, ...returned])
    .orderBy("created_at")
    .execute();
  return orders.map((order) => {
    const isIts = (row: { order_id: string | null }) => row.order_id === order.id;
    const its = {
      attempts: attempts.filter(isIts),
      refunds: refunds.filter(isIts),
      anomalies: anomalies.filter(isIts),
    };
    const names = new Set([
      order.id,
      ...its.attempts.flatMap(({ out_trade_no, transaction_id }) => [out_trade_no, transaction_id]),
      ...its.refunds.flatMap(({ number, transaction_id }) => [number, transaction_id]),
      ...its.anomalies.map(({ id }) => id),
    ]);
    return { order, ...its, acts: acts.filter(({ target }) => names.has(target)) };
  });
}

function select(db: Db, { number, accountId, state, since, hasAnomalies, isRefundAsked, after, limit }: OrderFilter) {
  let orders = db.selectFrom("pay_order").selectAll();
  if (number !== undefined) orders = orders.where("id", "in", ordersNamed(number));
  if (accountId !== undefined) orders = orders.where("account_id", "=", accountId);
  if (state !== undefined) orders = orders.where("state", "=", state);
  if (since !== undefined) orders = orders.where("created_at", ">=", since);
  if (after !== undefined) orders = orders.where(afterRow("pay_order", after));
  if (isRefundAsked) orders = orders.where("refund_asked_at", "is not", null);
  if (hasAnomalies) {
    orders = orders.where((eb) =>
      eb.exists(
        eb
          .selectFrom("pay_anomaly")
          .select("kind")
          .whereRef("pay_anomaly.order_id", "=", "pay_order.id")
          .where("resolved_at", "is", null),
      ),
    );
  }
  return orders.orderBy("created_at", "desc").orderBy("id").limit(limit);
}

/** The ids of the orders that a number names: order, out-trade number, transaction (a second one too) or refund. */
function ordersNamed(number: string) {
  const plain = normalizeNumber(number);
  const ofTransaction = JSON.stringify({ transactionId: plain });
  return sql<string>`(
    select id from pay_order where id = any(${/^[0-9a-f]{32}$/i.test(plain) ? [plain] : []}::uuid[])
    union select order_id from pay_attempt where out_trade_no = ${plain.toLowerCase()} or transaction_id = ${plain}
    union select attempt.order_id from pay_refund refund join pay_attempt attempt on attempt.id = refund.attempt_id
      where refund.number in (${number}, ${plain}) or refund.transaction_id = ${plain}
    union select order_id from pay_anomaly where order_id is not null and detail @> ${ofTransaction}::jsonb)`;
}
