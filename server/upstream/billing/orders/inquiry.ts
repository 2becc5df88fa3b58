import { sql } from "kysely";
import type { Db } from "../../db/database";
import { GatewayError, type TradeStatus } from "../../payments/gateway";
import { type BillingParts, gatewayNamed } from "../parts";
import type { Door } from "../settlement/door";
import type { Attempt } from "./place";

/** Asks the gateway whether the attempt is paid and books it if so. Throws GatewayError. */
export type Inquire = (attempt: Attempt, signal?: AbortSignal) => Promise<TradeStatus["state"]>;

export function createInquire(parts: BillingParts, door: Door): Inquire {
  return async (attempt, signal) => {
    const gateway = gatewayNamed(parts, attempt.gateway);
    if (!gateway) throw new GatewayError("unreachable", `no gateway ${attempt.gateway}`);
    await sql`update pay_attempt set asked_at = ${parts.now()} where id = ${attempt.id}`.execute(parts.db);
    const status = await gateway.query(attempt.out_trade_no, signal);
    await noteConfirming(parts.db, attempt, status.state === "confirming");
    if (status.state === "paid") await door(gateway, status.payment);
    return status.state;
  };
}

/** What the payer is told while the order waits. */
const noteConfirming = (db: Db, { id }: Attempt, isConfirming: boolean) =>
  db
    .updateTable("pay_attempt")
    .set({ is_confirming: isConfirming })
    .where("id", "=", id)
    .where("is_confirming", "<>", isConfirming)
    .execute();
