import { payMethods } from "~server/contract/checkout";
import type { OrderRecord } from "../../billing/orders/list";
import type { Snapshot } from "../../billing/products";
import type { Attempt } from "../../billing/rows";
import { dayBounds } from "../../calendar";
import { AppError } from "../../errors";
import type { AccountSelector } from "../account-directory";
import type { Command, CommandContext, CommandInput } from "../command";
import { formatTable, formatTime, formatYuan, toTime } from "../format";
import {
  parseChoice,
  parseCount,
  parseDay,
  parseNumber,
  readAccountSelector,
  refuseOptions,
  requireWords,
} from "../parse";
import { formatAnomalies, toAnomalyJson } from "./anomalies";

const states = ["OPEN", "PAID", "CLOSED", "REFUNDED"] as const;

export const orders: Command = {
  summary: "list orders, or find one by any of its numbers, with attempts, refunds, anomalies and operators' acts",
  forms: [
    "[--state OPEN|PAID|CLOSED|REFUNDED] [--account ID|--phone PHONE] [--since YYYY-MM-DD] [--anomalies] [--refund-asked] [--limit N]",
    "NUMBER",
  ],
  notes: [
    "NUMBER: our order, the out-trade number, the gateway's transaction or a refund.",
    "Newest first, 50 unless --limit says otherwise. --anomalies: only those with an anomaly that is not resolved.",
    "--refund-asked: only those whose payer waits for an answer: `refund ORDER` or `refund --decline ORDER`.",
  ],
  values: ["state", "account", "phone", "since", "limit"],
  flags: ["anomalies", "refund-asked"],
  read(input) {
    if (input.words.length > 0) return readOne(input);
    const { state, since, limit } = input.values;
    const filter = {
      state: state === undefined ? undefined : parseChoice(state.toUpperCase(), states, "--state"),
      since: since === undefined ? undefined : dayBounds(parseDay(since)).from,
      hasAnomalies: input.flags.anomalies,
      isRefundAsked: input.flags["refund-asked"],
      limit: limit === undefined ? 50 : parseCount(limit, { name: "--limit", max: 10_000 }),
    };
    const selector = readAccountSelector(input);
    return async (context) => {
      const records = await context.operations.orders({ ...filter, accountId: await accountOf(context, selector) });
      return {
        data: records.map(toListed),
        text: records.length === 0 ? "no orders" : formatTable(records.map(toRow)),
      };
    };
  },
};

/** Orders outlive their accounts, so that the account of an id need not exist. */
async function accountOf(
  { people }: CommandContext,
  selector: AccountSelector | undefined,
): Promise<string | undefined> {
  if (!selector) return undefined;
  return "accountId" in selector ? selector.accountId : (await people.get(selector)).id;
}

function readOne({ words, ...options }: CommandInput) {
  refuseOptions(options, "orders NUMBER");
  const [typed = ""] = requireWords(words, ["NUMBER"]);
  const number = parseNumber(typed, "a number of a payment");
  return async ({ operations }: CommandContext) => {
    const [record] = await operations.orders({ number, limit: 1 });
    if (record) return { data: toListed(record), text: formatOne(record) };
    // A payment without an order appears only as an anomaly.
    const filed = await operations.anomalies({ number });
    if (filed.length === 0) throw new AppError("not-found", "no order has this number");
    return { data: { anomalies: filed.map(toAnomalyJson) }, text: `no order\n\n${formatAnomalies(filed)}` };
  };
}

const toRow = ({ order, attempts, anomalies }: OrderRecord) => ({
  order: order.id,
  state: order.state,
  package: order.product_code,
  yuan: formatYuan(order.amount_fen),
  refunded: order.refunded_fen === 0 ? "-" : formatYuan(order.refunded_fen),
  asked: formatTime(order.refund_asked_at),
  account: order.account_id,
  created: formatTime(order.created_at),
  paid: formatTime(order.paid_at),
  attempts: attempts.map(({ state }) => state).join(","),
  anomalies: anomalies.map(({ kind }) => kind).join(",") || "-",
});

const methodOf = ({ platform }: Attempt) => payMethods.find((method) => method.platform === platform)?.name;

function formatOne(record: OrderRecord): string {
  const { attempts, refunds, anomalies, acts } = record;
  const { attempts: _, anomalies: __, ...row } = toRow(record);
  const tries = attempts.map((attempt) => ({
    attempt: attempt.out_trade_no,
    state: attempt.state,
    gateway: attempt.gateway,
    method: `${methodOf(attempt)} ${attempt.trade_type}`,
    created: formatTime(attempt.created_at),
    paid: formatTime(attempt.paid_at),
    yuan: attempt.paid_fen === null ? "-" : formatYuan(attempt.paid_fen),
    transaction: attempt.transaction_id ?? "-",
  }));
  const returned = refunds.map((refund) => ({
    refund: refund.number,
    state: refund.state,
    yuan: formatYuan(refund.amount_fen),
    reason: refund.reason,
    created: formatTime(refund.created_at),
    done: formatTime(refund.done_at),
    fault: refund.fault ?? "-",
  }));
  const done = acts.map(({ action, operator, created_at, target, detail }) => ({
    act: action,
    operator,
    at: formatTime(created_at),
    of: target,
    detail: JSON.stringify(detail),
  }));
  const tables = [[row], tries, returned, done].filter((rows) => rows.length > 0).map(formatTable);
  return [...tables, ...(anomalies.length > 0 ? [formatAnomalies(anomalies)] : [])].join("\n\n");
}

function toListed({ order, attempts, refunds, anomalies, acts }: OrderRecord) {
  return {
    orderId: order.id,
    accountId: order.account_id,
    state: order.state,
    package: order.product_code,
    packageName: (order.snapshot as Snapshot).name,
    amountFen: order.amount_fen,
    refundedFen: order.refunded_fen,
    refundAskedAt: toTime(order.refund_asked_at),
    createdAt: toTime(order.created_at),
    expiresAt: toTime(order.expires_at),
    paidAt: toTime(order.paid_at),
    closedAt: toTime(order.closed_at),
    attempts: attempts.map((attempt) => ({
      outTradeNo: attempt.out_trade_no,
      state: attempt.state,
      gateway: attempt.gateway,
      method: methodOf(attempt),
      tradeType: attempt.trade_type,
      transactionId: attempt.transaction_id,
      paidFen: attempt.paid_fen,
      paidAt: toTime(attempt.paid_at),
      createdAt: toTime(attempt.created_at),
      isPayer: attempt.id === order.paid_by,
    })),
    refunds: refunds.map((refund) => ({
      number: refund.number,
      state: refund.state,
      amountFen: refund.amount_fen,
      reason: refund.reason,
      createdAt: toTime(refund.created_at),
      doneAt: toTime(refund.done_at),
      transactionId: refund.transaction_id,
      fault: refund.fault,
    })),
    anomalies: anomalies.map(toAnomalyJson),
    acts: acts.map(({ action, operator, target, detail, created_at }) => ({
      action,
      operator,
      target,
      detail,
      at: toTime(created_at),
    })),
  };
}
