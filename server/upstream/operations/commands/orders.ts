import { payMethods } from "~server/contract/checkout";
import type { OrderRecord } from "../../billing/orders/list";
import type { Snapshot } from "../../billing/products";
import type { Attempt } from "../../billing/rows";
import { dayBounds } from "../../calendar";
import { AppError } from "../../errors";
import type { AccountSelector } from "../account-directory";
import type { CommandContext } from "../command";
import { toTime } from "../format";
import { cutPage, defineOperation, fieldOf, pageFields, pageSize, type Section, toSection } from "../operation";
import { anomalySection, toAnomalyJson } from "./anomalies";

const states = ["OPEN", "PAID", "CLOSED", "REFUNDED"] as const;

const methodOf = ({ platform }: Attempt) => payMethods.find((method) => method.platform === platform)?.name;

const orderActs: Section["acts"] = [
  { name: "order", fill: { number: "orderId" } },
  { name: "person", fill: { who: "accountId" } },
  { name: "refund", fill: { order: "orderId" }, when: "paidAt" },
  { name: "refund-decline", fill: { order: "orderId" }, when: "refundAskedAt" },
];

export const orderSection = (rows: OrderRecord[], next: string | null = null) =>
  toSection<OrderRecord>(
    "orders",
    [
      { key: "orderId", title: "order", kind: "text", of: ({ order }) => order.id },
      { key: "state", kind: "text", of: ({ order }) => order.state },
      { key: "package", kind: "text", of: ({ order }) => order.product_code },
      { key: "packageName", kind: "text", only: "json", of: ({ order }) => (order.snapshot as Snapshot).name },
      { key: "amountFen", title: "yuan", kind: "fen", of: ({ order }) => order.amount_fen },
      { key: "refundedFen", title: "refunded", kind: "fen", of: ({ order }) => order.refunded_fen },
      { key: "refundAskedAt", title: "asked", kind: "time", of: ({ order }) => order.refund_asked_at },
      { key: "accountId", title: "account", kind: "text", of: ({ order }) => order.account_id },
      { key: "createdAt", title: "created", kind: "time", of: ({ order }) => order.created_at },
      { key: "paidAt", title: "paid", kind: "time", of: ({ order }) => order.paid_at },
      { key: "attemptStates", title: "attempts", kind: "text", only: "table", of: statesOf },
      { key: "anomalyKinds", title: "anomalies", kind: "text", only: "table", of: kindsOf },
    ],
    rows,
    { acts: orderActs, next },
  );

const statesOf = ({ attempts }: OrderRecord) => attempts.map(({ state }) => state).join(",");
const kindsOf = ({ anomalies }: OrderRecord) => anomalies.map(({ kind }) => kind).join(",") || null;

const attemptSection = ({ order, attempts }: OrderRecord) =>
  toSection<Attempt>(
    "attempts",
    [
      { key: "outTradeNo", title: "attempt", kind: "text", of: ({ out_trade_no }) => out_trade_no },
      { key: "state", kind: "text", of: ({ state }) => state },
      { key: "gateway", kind: "text", of: ({ gateway }) => gateway },
      { key: "method", kind: "text", of: (attempt) => `${methodOf(attempt)} ${attempt.trade_type}` },
      { key: "createdAt", title: "created", kind: "time", of: ({ created_at }) => created_at },
      { key: "paidAt", title: "paid", kind: "time", of: ({ paid_at }) => paid_at },
      { key: "paidFen", title: "yuan", kind: "fen", of: ({ paid_fen }) => paid_fen },
      { key: "transactionId", title: "transaction", kind: "text", of: ({ transaction_id }) => transaction_id },
      { key: "isPayer", kind: "json", only: "json", of: ({ id }) => id === order.paid_by },
    ],
    attempts,
  );

const refundSection = ({ refunds }: OrderRecord) =>
  toSection<OrderRecord["refunds"][number]>(
    "refunds",
    [
      { key: "number", title: "refund", kind: "text", of: ({ number }) => number },
      { key: "state", kind: "text", of: ({ state }) => state },
      { key: "amountFen", title: "yuan", kind: "fen", of: ({ amount_fen }) => amount_fen },
      { key: "reason", kind: "text", of: ({ reason }) => reason },
      { key: "createdAt", title: "created", kind: "time", of: ({ created_at }) => created_at },
      { key: "doneAt", title: "done", kind: "time", of: ({ done_at }) => done_at },
      { key: "fault", kind: "text", of: ({ fault }) => fault },
    ],
    refunds,
    {
      acts: ["refund-retry", "refund-cancel", "refund-complete"].map((name) => ({
        name,
        fill: { number: "number" },
        when: "!doneAt",
      })),
    },
  );

export const actSection = (rows: OrderRecord["acts"], next: string | null = null) =>
  toSection<OrderRecord["acts"][number]>(
    "acts",
    [
      { key: "action", title: "act", kind: "text", of: ({ action }) => action },
      { key: "operator", kind: "text", of: ({ operator }) => operator },
      { key: "at", kind: "time", of: ({ created_at }) => created_at },
      { key: "target", title: "of", kind: "text", of: ({ target }) => target },
      { key: "detail", kind: "json", of: ({ detail }) => detail },
    ],
    rows,
    { next },
  );

/** An order with its history. */
export function sectionsOfOrder(record: OrderRecord): Section[] {
  const sections = [attemptSection(record), refundSection(record), actSection(record.acts)];
  const anomalies = record.anomalies.length > 0 ? [anomalySection(record.anomalies)] : [];
  return [orderSection([record]), ...sections.filter(({ rows }) => rows.length > 0), ...anomalies];
}

const times = (record: Record<string, unknown>) =>
  Object.fromEntries(
    Object.entries(record).map(([key, value]) => [key, value instanceof Date ? toTime(value) : value]),
  );

function toListed(record: OrderRecord) {
  const { order, attempts, refunds, anomalies } = record;
  const methods = attempts.map((attempt) => ({ method: methodOf(attempt), tradeType: attempt.trade_type }));
  const rowsOf = ({ rows }: Section) => rows.map(times);
  const [row] = rowsOf(orderSection([record]));
  const { attemptStates: _, anomalyKinds: __, ...facts } = row ?? {};
  return {
    ...facts,
    expiresAt: toTime(order.expires_at),
    closedAt: toTime(order.closed_at),
    attempts: rowsOf(attemptSection(record)).map((attempt, at) => ({ ...attempt, ...methods[at] })),
    refunds: rowsOf(refundSection(record)).map((refund, at) => ({
      ...refund,
      transactionId: refunds[at]?.transaction_id ?? null,
    })),
    anomalies: anomalies.map(toAnomalyJson),
    acts: rowsOf(actSection(record.acts)),
  };
}

/** Orders outlive their accounts, so that the account of an id need not exist. */
async function accountOf({ people }: CommandContext, who: AccountSelector | undefined): Promise<string | undefined> {
  if (!who) return undefined;
  return "accountId" in who ? who.accountId : (await people.get(who)).id;
}

export const orderOperations = [
  defineOperation({
    name: "orders",
    summary: "list orders, newest first",
    cli: { words: ["orders"], aliases: { account: "who", phone: "who" } },
    roles: ["support", "finance"],
    isRead: true,
    notes: [
      "Newest first, 50 unless --limit says otherwise. --anomalies: only those with an anomaly that is not resolved.",
      "--refund-asked: only those whose payer waits for an answer: `refund ORDER` or `refund --decline ORDER`.",
    ],
    fields: {
      state: fieldOf.choice("--state", [...states, ...states.map((state) => state.toLowerCase())]).optional(),
      who: fieldOf.account().optional(),
      since: fieldOf.day("--since").optional(),
      anomalies: fieldOf.flag("--anomalies").optional(),
      refundAsked: fieldOf.flag("--refund-asked").optional(),
      ...pageFields(),
    },
    async run(context, { state, who, since, anomalies, refundAsked, limit = pageSize, after }) {
      const records = await context.operations.orders({
        state: states.find((known) => known === state?.toUpperCase()),
        since: since === undefined ? undefined : dayBounds(since).from,
        hasAnomalies: anomalies,
        isRefundAsked: refundAsked,
        accountId: await accountOf(context, who),
        after,
        limit: limit + 1,
      });
      const page = cutPage(
        records.map((record) => ({ id: record.order.id, record })),
        limit,
      );
      const shown = page.rows.map(({ record }) => record);
      return { sections: [orderSection(shown, page.next)], data: shown.map(toListed), empty: "no orders" };
    },
  }),
  defineOperation({
    name: "order",
    summary: "find an order by any of its numbers, with attempts, refunds, anomalies and operators' acts",
    cli: { words: ["orders"], takes: ["number"] },
    roles: ["support", "finance"],
    isRead: true,
    notes: ["NUMBER: our order, the out-trade number, the gateway's transaction or a refund."],
    fields: { number: fieldOf.number("NUMBER", "a number of a payment") },
    async run({ operations }, { number }) {
      const [record] = await operations.orders({ number, limit: 1 });
      if (record) return { sections: sectionsOfOrder(record), data: toListed(record) };
      // A payment without an order appears only as an anomaly.
      const filed = await operations.anomalies({ number });
      if (filed.length === 0) throw new AppError("not-found", "no order has this number");
      return { sections: [anomalySection(filed)], data: { anomalies: filed.map(toAnomalyJson) } };
    },
  }),
];
