import { type Selectable, sql } from "kysely";
import type { CallData, CallRequest } from "~server/contract/calls/table";
import type { Db } from "../../db/database";
import type { InvoiceState, PaymentTables } from "../../db/tables/payments";
import { AppError } from "../../errors";
import { afterRow } from "../../sql-fragments";
import { lockWallet } from "../ledger";
import { getOwnOrder } from "./status";

type InvoiceRequest = CallRequest<"invoiceAsk">;

/**
 * Puts the order on the operators' list of invoices; asked again before it is issued, it takes the new details. Throws
 * not-found for another account's order, invoice-refused for one that nothing was paid for or whose money goes back, and
 * invoice-issued.
 */
export async function askInvoice(db: Db, accountId: string, request: InvoiceRequest, at: Date): Promise<void> {
  const { orderId, buyer, title, taxNumber, email } = request;
  await db.transaction().execute(async (trx) => {
    await lockWallet(trx, accountId);
    const order = await getOwnOrder({ db: trx }, accountId, orderId);
    const isPaid = order.state === "PAID" && order.refunded_fen < order.amount_fen && order.refund_asked_at === null;
    if (!isPaid) throw new AppError("invoice-refused", "no money of this order is left to invoice");
    const details = { buyer, title, tax_number: buyer === "company" ? taxNumber : "", email };
    const asked = { ...details, state: "ASKED" as const, created_at: at, decided_at: null };
    const { numInsertedOrUpdatedRows } = await trx
      .insertInto("pay_invoice")
      .values({ order_id: order.id, account_id: accountId, ...asked })
      .onConflict((conflict) =>
        conflict.column("order_id").doUpdateSet(asked).where("pay_invoice.state", "!=", "ISSUED"),
      )
      .executeTakeFirstOrThrow();
    if (numInsertedOrUpdatedRows === 0n) throw new AppError("invoice-issued", "the invoice is issued");
  });
}

export interface InvoiceFilter {
  state?: InvoiceState | undefined;
  /** Only those after this invoice. */
  after?: string | undefined;
  limit: number;
}

/** An invoice and what is left of the order's money. */
export type ListedInvoice = Selectable<PaymentTables["pay_invoice"]> & { amount_fen: number; refunded_fen: number };

/** Newest first. */
export function listInvoices(db: Db, { state, after, limit }: InvoiceFilter): Promise<ListedInvoice[]> {
  let rows = db
    .selectFrom("pay_invoice")
    .innerJoin("pay_order", "pay_order.id", "pay_invoice.order_id")
    .selectAll("pay_invoice")
    .select(["pay_order.amount_fen", "pay_order.refunded_fen"])
    .orderBy("pay_invoice.created_at", "desc")
    .orderBy("pay_invoice.id")
    .limit(limit);
  if (state !== undefined) rows = rows.where("pay_invoice.state", "=", state);
  if (after !== undefined) rows = rows.where(afterRow("pay_invoice", after));
  return rows.execute();
}

type Decision = { state: "ISSUED"; number: string } | { state: "DECLINED" };

/** Throws not-found where no invoice is asked for. */
export async function decideInvoice(trx: Db, orderId: string, decision: Decision, at: Date): Promise<void> {
  const asked = trx
    .updateTable("pay_invoice")
    .set({ ...decision, decided_at: at })
    .where("order_id", "=", orderId);
  const { numUpdatedRows } = await asked.where("state", "=", "ASKED").executeTakeFirst();
  if (numUpdatedRows !== 1n) throw new AppError("not-found", "no invoice is asked for of this order");
}

/** For the payer, beside an order: null unless an invoice was asked for. */
export const invoiceColumn = sql<
  CallData<"orders">["list"][number]["invoice"]
>`(select jsonb_build_object('state', lower(state), 'buyer', buyer,
  'title', title, 'taxNumber', tax_number, 'email', email, 'number', number)
  from pay_invoice where order_id = pay_order.id)`;
