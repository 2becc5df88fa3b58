import type { ListedInvoice } from "../../billing/orders/invoices";
import { cutPage, defineOperation, fieldOf, pageFields, pageSize, toSection } from "../operation";

const columns =
  "orderId=order state amountFen:fen=yuan refundedFen:fen=refunded buyer title taxNumber=tax_number email " +
  "createdAt:time=asked number decidedAt:time=decided";

const toRow = (invoice: ListedInvoice) => ({
  orderId: invoice.order_id,
  state: invoice.state,
  amountFen: invoice.amount_fen,
  refundedFen: invoice.refunded_fen,
  buyer: invoice.buyer,
  title: invoice.title,
  taxNumber: invoice.tax_number,
  email: invoice.email,
  createdAt: invoice.created_at,
  number: invoice.number,
  decidedAt: invoice.decided_at,
});

const acts = [
  ...["invoice-issue", "invoice-decline"].map((name) => ({ name, fill: { order: "orderId" }, when: "!decidedAt" })),
  { name: "order", fill: { order: "orderId" } },
];

const orderField = () => fieldOf.id("ORDER", "an order's id");

export const invoiceOperations = [
  defineOperation({
    name: "invoices",
    summary: "list the invoices that payers asked for, newest first",
    cli: { words: ["invoices", "list"], isDefault: true },
    roles: ["finance"],
    isRead: true,
    notes: ["The invoice is for the amount less what was refunded. Issue it in your tax system, which mails it."],
    fields: { state: fieldOf.choice("--state", ["ASKED", "ISSUED", "DECLINED"]).optional(), ...pageFields() },
    async run({ operations }, { state, limit = pageSize, after }) {
      const page = cutPage(await operations.invoices({ state, after, limit: limit + 1 }), limit);
      return {
        sections: [toSection("invoices", columns, page.rows.map(toRow), { acts, next: page.next })],
        empty: "no invoices",
      };
    },
  }),
  defineOperation({
    name: "invoice-issue",
    summary: "note the number of an invoice that was issued, for the payer to see",
    cli: { words: ["invoices", "issue"], takes: ["order", "number"] },
    roles: ["finance"],
    fields: { order: orderField(), number: fieldOf.text("NUMBER", 40) },
    async run({ operations }, { order, number }) {
      await operations.issueInvoice(order, number);
      return { data: { orderId: order, number }, message: `invoice ${number} is issued` };
    },
  }),
  defineOperation({
    name: "invoice-decline",
    summary: "answer a payer's request for an invoice with no; the payer may ask again with other details",
    cli: { words: ["invoices", "decline"], takes: ["order"] },
    roles: ["finance"],
    needsReason: true,
    fields: { order: orderField() },
    async run({ operations }, { order }) {
      await operations.declineInvoice(order);
      return { data: { orderId: order, declined: true }, message: "the invoice is declined" };
    },
  }),
];
