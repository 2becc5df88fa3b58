import { sql } from "kysely";
import type { Db } from "../db/database";
import { AppError } from "../errors";
import {
  type Gateway,
  type Notification,
  type NotificationAnswer,
  NotificationError,
  type NotificationMessage,
} from "../payments/gateway";
import { plan } from "./jobs/plan";
import { dayOf } from "./month";
import { type BillingParts, gatewayNamed } from "./parts";
import type { Door } from "./settlement/door";

/** What a gateway tells us. Answered in its dialect, after the commit; throws not-found for a gateway we do not use. */
export type Notified = (gatewayName: string, message: NotificationMessage) => Promise<NotificationAnswer>;

export function createNotified(parts: BillingParts, door: Door): Notified {
  const { db, now } = parts;

  const act = async (gateway: Gateway, notification: Notification): Promise<string> => {
    if (notification.kind === "payment") return door(gateway, notification.payment);
    if (notification.kind === "refund") await checkRefunds(parts, gateway, notification.outTradeNo);
    return notification.kind;
  };

  return async (gatewayName, message) => {
    const gateway = gatewayNamed(parts, gatewayName);
    if (!gateway) throw new AppError("not-found", "no such gateway", { status: 404 });
    const outcome = await gateway.parseNotification(message).then(
      (notification) => act(gateway, notification),
      (error: unknown) => {
        if (error instanceof NotificationError) return error.reason;
        throw error;
      },
    );
    await count(db, { gateway: gateway.name, outcome, day: dayOf(now()) });
    const isRefused = ["refused", "forged", "stale", "unreadable"].includes(outcome);
    return gateway.dialect[isRefused ? "refused" : "accepted"];
  };
}

/** A refund's notification proves nothing by itself: the gateway is asked, without waiting for the job's own time. */
async function checkRefunds({ db, queue }: BillingParts, gateway: Gateway, outTradeNo: string) {
  const refunds = await db
    .selectFrom("pay_refund as refund")
    .innerJoin("pay_attempt as attempt", "attempt.id", "refund.attempt_id")
    .select("refund.number")
    .where("attempt.out_trade_no", "=", outTradeNo)
    .where("attempt.gateway", "=", gateway.name)
    .where("refund.state", "in", ["DUE", "SENT"])
    .execute();
  for (const { number } of refunds) {
    await plan({ queue, trx: db }, "pay-refund", { of: number });
    await queue.hasten(db, { kind: "pay-refund", key: number });
  }
  queue.wake();
}

async function count(db: Db, { gateway, outcome, day }: { gateway: string; outcome: string; day: string }) {
  await sql`insert into notification_count (gateway, outcome, day, hits) values (${gateway}, ${outcome}, ${day}, 1)
    on conflict (gateway, outcome, day) do update set hits = notification_count.hits + 1`.execute(db);
}
