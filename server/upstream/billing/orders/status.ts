import { sql } from "kysely";
import type { CallData } from "~server/contract/calls/table";
import type { Db } from "../../db/database";
import type { OrderState } from "../../db/tables/payments";
import { AppError } from "../../errors";
import { GatewayError, type TradeStatus } from "../../payments/gateway";
import { lockWallet } from "../ledger";
import { type BillingParts, gatewayNamed } from "../parts";
import { type Attempt, isPayable, type Order } from "../rows";
import type { SettlePayment } from "../settlement/settlement";
import { closeOrder } from "./orders";

type Status = CallData<"payResult">;
type Result = Status["result"];

const results: Record<OrderState, Result> = {
  OPEN: "waiting",
  PAID: "success",
  CLOSED: "closed",
  REFUNDED: "refunded",
};
export const toResult = (state: OrderState): Result => results[state];

const isId = (id: string) => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(id);
const askAfterMs = 3000;
const gatewayMs = 2500;

/** Throws not-found for another account's order. */
export async function getOwnOrder(
  { db }: Pick<BillingParts, "db">,
  accountId: string,
  orderId: string,
): Promise<Order> {
  const order = isId(orderId)
    ? await db
        .selectFrom("pay_order")
        .selectAll()
        .where("id", "=", orderId)
        .where("account_id", "=", accountId)
        .executeTakeFirst()
    : undefined;
  if (!order) throw new AppError("not-found", "no such order");
  return order;
}

interface OwnOrder {
  accountId: string;
  orderId: string;
}

/** The order's status. Queries the gateway first when the last query is older than three seconds. */
export async function resultOf(parts: BillingParts, inquire: Inquire, own: OwnOrder): Promise<Status> {
  const order = await getOwnOrder(parts, own.accountId, own.orderId);
  const due = order.paid_by === null ? await claimDue(parts, order) : [];
  if (due.length === 0) return toStatus(parts, order);
  await inquireAll(inquire, due);
  return toStatus(parts, await getOwnOrder(parts, own.accountId, own.orderId));
}

const inquireAll = (inquire: Inquire, attempts: Attempt[]) =>
  Promise.all(attempts.map((attempt) => inquire(attempt, AbortSignal.timeout(gatewayMs)).catch(ignoreGateway)));

/** Closes the account's open order unless a gateway reports it as paid. Returns the resulting status. */
export async function cancelOrder(parts: BillingParts, inquire: Inquire, own: OwnOrder): Promise<Status> {
  const { db, queue, now } = parts;
  const order = await getOwnOrder(parts, own.accountId, own.orderId);
  if (order.state === "OPEN") {
    const attempts = await attemptsOf(parts, order);
    await inquireAll(inquire, attempts.filter(isPayable));
    await db.transaction().execute(async (trx) => {
      await lockWallet(trx, own.accountId);
      const { state } = await getOwnOrder({ db: trx }, own.accountId, own.orderId);
      if (state === "OPEN") await closeOrder({ trx, queue, at: now() }, order);
    });
    queue.wake();
  }
  return toStatus(parts, await getOwnOrder(parts, own.accountId, own.orderId));
}

/** Throws not-found for another account's order, bad-request for one that is not paid or was refunded. */
export async function askRefund({ db, now }: BillingParts, { accountId, orderId }: OwnOrder): Promise<void> {
  const order = await getOwnOrder({ db }, accountId, orderId);
  const asked = await db
    .updateTable("pay_order")
    .set((eb) => ({ refund_asked_at: eb.fn.coalesce("refund_asked_at", eb.val(now())), refund_declined: null }))
    .where("id", "=", order.id)
    .where("state", "=", "PAID")
    .whereRef("refunded_fen", "<", "amount_fen")
    .executeTakeFirst();
  if (asked.numUpdatedRows === 0n) throw new AppError("bad-request", "the order cannot be refunded");
}

const attemptsOf = ({ db }: Pick<BillingParts, "db">, { id }: Order): Promise<Attempt[]> =>
  db.selectFrom("pay_attempt").selectAll().where("order_id", "=", id).execute();

const heldStates: ReadonlySet<Attempt["state"]> = new Set(["SUSPENSE", "REFUND_DUE", "REFUNDING"]);

/** As it is known here, without asking a gateway. */
export async function toStatus(parts: Pick<BillingParts, "db">, order: Order): Promise<Status> {
  const attempts = await attemptsOf(parts, order);
  const payer = attempts.find(({ id }) => id === order.paid_by);
  const numbers = { outTradeNo: payer?.out_trade_no ?? "", transactionId: payer?.transaction_id ?? "" };
  return { result: toResult(order.state), note: payer ? "" : noteOf(attempts), ...numbers };
}

function noteOf(attempts: Attempt[]): Status["note"] {
  if (attempts.some(({ state }) => heldStates.has(state))) return "suspended";
  return attempts.some(({ state, is_confirming }) => is_confirming && state !== "CLOSED") ? "confirming" : "";
}

/** The scheduled queries continue. */
function ignoreGateway(error: unknown) {
  if (!(error instanceof GatewayError)) throw error;
}

/** Claims the attempts that are due for a query; concurrent callers get none. */
function claimDue({ db, now }: BillingParts, order: Order): Promise<Attempt[]> {
  const before = new Date(now().getTime() - askAfterMs);
  return db
    .updateTable("pay_attempt")
    .set({ asked_at: now() })
    .where("order_id", "=", order.id)
    .where("state", "in", ["INIT", "PENDING", "CLOSED"])
    .where((eb) => eb(eb.fn.coalesce("asked_at", "created_at"), "<=", before))
    .returningAll()
    .execute();
}

/** Queries the gateway and settles the attempt when it is paid. Throws GatewayError. */
export type Inquire = (attempt: Attempt, signal?: AbortSignal) => Promise<TradeStatus["state"]>;

export function createInquire(parts: BillingParts, settle: SettlePayment): Inquire {
  return async (attempt, signal) => {
    const gateway = gatewayNamed(parts, attempt.gateway);
    if (!gateway) throw new GatewayError("unreachable", `no gateway ${attempt.gateway}`);
    await sql`update pay_attempt set asked_at = ${parts.now()} where id = ${attempt.id}`.execute(parts.db);
    const status = await gateway.query(attempt.out_trade_no, signal);
    await storeConfirming(parts.db, attempt, status.state === "confirming");
    if (status.state === "paid") await settle(gateway, status.payment);
    return status.state;
  };
}

/** Shown to the payer while the order waits. */
const storeConfirming = (db: Db, { id }: Attempt, isConfirming: boolean) =>
  db
    .updateTable("pay_attempt")
    .set({ is_confirming: isConfirming })
    .where("id", "=", id)
    .where("is_confirming", "<>", isConfirming)
    .execute();
