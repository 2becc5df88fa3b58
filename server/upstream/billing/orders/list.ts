import { sql } from "kysely";
import type { CallData } from "~server/contract/calls/table";
import type { Db } from "../../db/database";
import { type OrderState } from "../../db/tables/payments";
import type { Page } from "../ledger";
import { toLocalTime } from "../month";
import type { Snapshot } from "../snapshot";
import { subjectOf } from "../subject";
import { toResult } from "./result";

interface Row {
  id: string;
  product_code: string;
  snapshot: Snapshot;
  amount_fen: number;
  state: OrderState;
  created_at: Date;
  paid_at: Date | null;
  platform: 1 | 2;
  out_trade_no: string;
  transaction_id: string | null;
  returned_fen: number;
  returning_fen: number;
}

/** The account's orders, newest first; the method is the one that paid, else the one tried last. */
export async function listOrders(db: Db, accountId: string, { page, pageSize }: Page) {
  const { total } = await db
    .selectFrom("pay_order")
    .select((eb) => eb.fn.countAll<string>().as("total"))
    .where("account_id", "=", accountId)
    .executeTakeFirstOrThrow();
  const { rows } = await sql<Row>`
    select pay_order.id, product_code, snapshot, amount_fen, pay_order.state, pay_order.created_at, pay_order.paid_at, platform, out_trade_no,
      transaction_id, returned_fen, returning_fen
    from pay_order cross join lateral (
      select platform, out_trade_no, transaction_id from pay_attempt where order_id = pay_order.id
      order by id = paid_by desc nulls last, created_at desc limit 1) attempt
    cross join lateral (
      select coalesce(sum(amount_fen) filter (where state = 'DONE'), 0)::int as returned_fen,
        coalesce(sum(amount_fen) filter (where state in ('DUE', 'SENT', 'STUCK')), 0)::int as returning_fen
      from pay_refund where attempt_id = pay_order.paid_by) refunds
    where account_id = ${accountId}
    order by pay_order.created_at desc, pay_order.id limit ${pageSize} offset ${(page - 1) * pageSize}`.execute(db);
  return { list: rows.map(toListed), total: Number(total), page, pageSize };
}

function toListed(row: Row): CallData<"orders">["list"][number] {
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
  };
}
