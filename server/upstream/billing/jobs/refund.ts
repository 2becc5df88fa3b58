import type { Gateway, RefundStatus } from "../../payments/gateway";
import { GatewayError } from "../../payments/gateway";
import type { Attempt } from "../orders/place";
import { type BillingParts, gatewayNamed } from "../parts";
import { fileMistake } from "../settlement/mistakes";
import { completeRefund, type Refund } from "../settlement/refunds";
import type { Step } from "./chain";

const processingSeconds = 60;
/** Refusals in a row after which people are told; the job goes on trying. */
const patience = 6;

/** Sends money back, as often as it takes and once for the payer. */
export function createRefundStep(parts: BillingParts): Step {
  const { db, now, alert } = parts;

  const tell = async (refund: Refund, attempt: Attempt, why: string) => {
    const detail = { number: refund.number, amountFen: refund.amount_fen, why };
    const ref = refund.number;
    const mistake = { kind: "refund" as const, gateway: attempt.gateway, ref, orderId: attempt.order_id, detail };
    if (await fileMistake(db, mistake, now())) alert(mistake);
  };

  const end = (refund: Refund) => db.transaction().execute((trx) => completeRefund(trx, { refund, at: now() }));

  return async (number, { signal, tries }) => {
    const refund = await db.selectFrom("pay_refund").selectAll().where("number", "=", number).executeTakeFirst();
    if (!refund || refund.state === "DONE" || refund.state === "STUCK") return null;
    const attempt = await db
      .selectFrom("pay_attempt")
      .selectAll()
      .where("id", "=", refund.attempt_id)
      .executeTakeFirstOrThrow();
    const gateway = gatewayNamed(parts, attempt.gateway);
    if (!gateway) throw new GatewayError("unreachable", `no gateway ${attempt.gateway}`);
    await markSent(parts, refund);
    try {
      const status = await send(gateway, { refund, attempt }, signal);
      if (status === "done") await end(refund);
      if (status === "processing") return processingSeconds;
      if (status === "failed") {
        await db.updateTable("pay_refund").set({ state: "STUCK" }).where("number", "=", number).execute();
        await tell(refund, attempt, "the gateway gave it up");
      }
      return null;
    } catch (error) {
      if (error instanceof GatewayError && tries + 1 >= patience) await tell(refund, attempt, error.fault);
      throw error;
    }
  };
}

/** Before the gateway hears of it. */
function markSent({ db }: BillingParts, { number, attempt_id }: Refund) {
  return db.transaction().execute(async (trx) => {
    await trx
      .updateTable("pay_refund")
      .set({ state: "SENT" })
      .where("number", "=", number)
      .where("state", "=", "DUE")
      .execute();
    await trx
      .updateTable("pay_attempt")
      .set({ state: "REFUNDING" })
      .where("id", "=", attempt_id)
      .where("state", "=", "REFUND_DUE")
      .execute();
  });
}

async function send(
  gateway: Gateway,
  { refund, attempt }: { refund: Refund; attempt: Attempt },
  signal: AbortSignal,
): Promise<RefundStatus> {
  const names = { outTradeNo: attempt.out_trade_no, number: refund.number };
  if (refund.state === "SENT") {
    const status = await gateway.queryRefund(names, signal);
    if (status !== "unknown") return status;
  }
  const totalFen = attempt.paid_fen ?? refund.amount_fen;
  return gateway.refund({ ...names, refundFen: refund.amount_fen, totalFen }, signal);
}
