import { sql } from "kysely";
import { payMethods } from "~server/contract/checkout";
import type { OrderRecord } from "../../billing/orders/list";
import type { Snapshot } from "../../billing/products";
import type { Attempt } from "../../billing/rows";
import { dayBounds } from "../../calendar";
import type { Db } from "../../db/database";
import type { AccountSelector } from "../account-directory";
import type { CommandContext } from "../command";
import { cutPage, defineOperation, fieldOf, pageFields, pageSize, type Section, toSection } from "../operation";
import { anomalySection, toAnomaly } from "./anomalies";

const states = ["OPEN", "PAID", "CLOSED", "REFUNDED"] as const;

const methodOf = ({ platform }: Attempt) => payMethods.find((method) => method.platform === platform)?.name;

const orderActs: Section["acts"] = [
  { name: "order", fill: { order: "orderId" } },
  { name: "person", fill: { who: "accountId" } },
  { name: "refund", fill: { order: "orderId" }, when: "paidAt" },
  { name: "refund-decline", fill: { order: "orderId" }, when: "refundAskedAt" },
];

const orderColumns =
  "orderId=order state package -packageName amountFen:fen=yuan refundedFen:fen=refunded refundAskedAt:time=asked " +
  "accountId=account createdAt:time=created paidAt:time=paid +attemptStates=attempts +anomalyKinds=anomalies";

const toOrder = ({ order, attempts, anomalies }: OrderRecord) => ({
  orderId: order.id,
  accountId: order.account_id,
  state: order.state,
  package: order.product_code,
  packageName: (order.snapshot as Snapshot).name,
  amountFen: order.amount_fen,
  refundedFen: order.refunded_fen,
  refundAskedAt: order.refund_asked_at,
  createdAt: order.created_at,
  expiresAt: order.expires_at,
  paidAt: order.paid_at,
  closedAt: order.closed_at,
  attemptStates: attempts.map(({ state }) => state).join(","),
  anomalyKinds: anomalies.map(({ kind }) => kind).join(","),
});

export const orderSection = (rows: OrderRecord[], next: string | null = null) =>
  toSection("orders", orderColumns, rows.map(toOrder), { acts: orderActs, next });

const toAttempts = ({ order, attempts }: OrderRecord) =>
  attempts.map((attempt) => ({
    outTradeNo: attempt.out_trade_no,
    state: attempt.state,
    gateway: attempt.gateway,
    method: methodOf(attempt),
    tradeType: attempt.trade_type,
    transactionId: attempt.transaction_id,
    paidFen: attempt.paid_fen,
    paidAt: attempt.paid_at,
    createdAt: attempt.created_at,
    isPayer: attempt.id === order.paid_by,
  }));

const attemptColumns =
  "outTradeNo=attempt state gateway method tradeType=type createdAt:time=created paidAt:time=paid paidFen:fen=yuan " +
  "transactionId=transaction -isPayer:json";

const toRefunds = ({ refunds }: OrderRecord) =>
  refunds.map((refund) => ({
    number: refund.number,
    state: refund.state,
    amountFen: refund.amount_fen,
    reason: refund.reason,
    createdAt: refund.created_at,
    doneAt: refund.done_at,
    transactionId: refund.transaction_id,
    fault: refund.fault,
  }));

const refundColumns =
  "number=refund state amountFen:fen=yuan reason createdAt:time=created doneAt:time=done -transactionId fault";
const refundActs = ["refund-retry", "refund-cancel", "refund-complete"];

const toAct = ({ action, operator, target, detail, created_at }: OrderRecord["acts"][number]) => ({
  action,
  operator,
  target,
  detail,
  at: created_at,
});

export const actSection = (rows: OrderRecord["acts"], next: string | null = null) =>
  toSection("acts", "action=act operator at:time target=of detail:json", rows.map(toAct), { next });

/** An order with its history. */
export function sectionsOfOrder(record: OrderRecord): Section[] {
  const acts = refundActs.map((name) => ({ name, fill: { number: "number" }, when: "!doneAt" }));
  const history = [
    toSection("attempts", attemptColumns, toAttempts(record)),
    toSection("refunds", refundColumns, toRefunds(record), { acts }),
    actSection(record.acts),
    anomalySection(record.anomalies),
  ];
  return [orderSection([record]), ...history.filter(({ rows }) => rows.length > 0)];
}

export function toOrderJson(record: OrderRecord) {
  const { attemptStates: _, anomalyKinds: __, ...order } = toOrder(record);
  const { anomalies, acts } = record;
  const history = { anomalies: anomalies.map(toAnomaly), acts: acts.map(toAct) };
  return { ...order, attempts: toAttempts(record), refunds: toRefunds(record), ...history };
}

/** What the order's characters stand at: its steps in use and its pack, which a refund takes as far as they are left. */
export async function grantedSection(db: Db, orderId: string): Promise<Section[]> {
  const { rows } = await sql<object>`
    select quota_bucket.bucket, sum(total)::int as characters, sum(used + reserved)::int as "charactersUsed",
      sum(total - used - reserved)::int as "charactersLeft"
    from pay_order join quota_bucket on quota_bucket.account_id = pay_order.account_id
    where pay_order.id = ${orderId} and (
      period like (select seq || '/%' from membership_grant where order_id = pay_order.id and shortens is null)
      or exists (select from ledger where order_id = pay_order.id and kind = 'grant' and bucket = 'pack'
        and ledger.period = quota_bucket.period))
    group by quota_bucket.bucket`.execute(db);
  const columns = "bucket characters:number charactersUsed:number=used charactersLeft:number=left";
  return rows.length > 0 ? [toSection("granted", columns, rows)] : [];
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
      state: fieldOf.choice("--state", states).optional(),
      who: fieldOf.account().optional(),
      since: fieldOf.day("--since").optional(),
      anomalies: fieldOf.flag("--anomalies").optional(),
      refundAsked: fieldOf.flag("--refund-asked").optional(),
      ...pageFields(),
    },
    async run(context, { state, who, since, anomalies, refundAsked, limit = pageSize, after }) {
      const records = await context.operations.orders({
        state,
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
      return { sections: [orderSection(shown, page.next)], data: shown.map(toOrderJson), empty: "no orders" };
    },
  }),
];
