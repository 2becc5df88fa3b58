import type { CallData } from "~server/contract/calls/table";
import type { OrderState } from "../../db/tables/billing";
import { AppError } from "../../errors";
import { GatewayError } from "../../payments/gateway";
import type { BillingParts } from "../parts";
import type { Inquire } from "./inquiry";
import type { Attempt, Order } from "./place";

type Result = CallData<"payResult">["result"];

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

/** The account's order; throws not-found for everybody else's as for none. */
export async function getOrder({ db }: Pick<BillingParts, "db">, accountId: string, orderId: string): Promise<Order> {
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

/** How the order stands. What has not been asked for three seconds is asked of the gateway first. */
export async function resultOf(
  parts: BillingParts,
  inquire: Inquire,
  { accountId, orderId }: { accountId: string; orderId: string },
): Promise<Result> {
  const order = await getOrder(parts, accountId, orderId);
  if (order.paid_by !== null) return toResult(order.state);
  const due = await claimDue(parts, order);
  if (due.length === 0) return toResult(order.state);
  await Promise.all(due.map((attempt) => inquire(attempt, AbortSignal.timeout(gatewayMs)).catch(ignoreGateway)));
  return toResult((await getOrder(parts, accountId, orderId)).state);
}

/** An unknown answer is no answer: the scheduled queries go on. */
function ignoreGateway(error: unknown) {
  if (!(error instanceof GatewayError)) throw error;
}

/** Of many who ask at once one gets the attempt to ask the gateway. */
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
