import { type Gateway, GatewayError, type RefundStatus } from "../../payments/gateway";
import { reportAnomaly } from "../anomalies";
import { type BillingParts, gatewayNamed } from "../parts";
import { type Attempt, getAttempt, isLive, type Refund } from "../rows";
import { completeRefund } from "../settlement/refunds";
import type { ScheduledStep } from "./schedule";

const processingSeconds = 60;
/** Consecutive failures after which the refund is reported; the job continues to retry. */
const reportAfterTries = 6;

/** Longer than one run of the job. Operators cannot end the refund during this time. */
const sendingMs = 60_000;

/** Sends a refund and follows it until the gateway has an outcome. Retries reuse the refund number. */
export function createRefundStep(parts: BillingParts): ScheduledStep {
  const { db, now } = parts;

  const report = (refund: Refund, attempt: Attempt, why: string) => {
    const detail = { number: refund.number, amountFen: refund.amount_fen, why };
    const { gateway, order_id: orderId } = attempt;
    return reportAnomaly(parts, { kind: "refund", gateway, ref: refund.number, orderId, detail }, { reopens: true });
  };

  const end = (refund: Refund) => db.transaction().execute((trx) => completeRefund(trx, { refund, at: now() }));
  const change = ({ number }: Refund, change: Partial<Pick<Refund, "state" | "fault" | "sending_until">>) =>
    db.updateTable("pay_refund").set(change).where("number", "=", number).where("state", "=", "SENT").execute();

  return async (number, { signal, tries }) => {
    const refund = await db.selectFrom("pay_refund").selectAll().where("number", "=", number).executeTakeFirst();
    if (!refund || refund.state === "STUCK" || !isLive(refund)) return null;
    const attempt = await getAttempt(db, refund.attempt_id);
    const gateway = gatewayNamed(parts, attempt.gateway);
    if (!gateway) throw new GatewayError("unreachable", `no gateway ${attempt.gateway}`);
    if (!(await markSent(parts, refund))) return null;
    try {
      const status = await send(gateway, { refund, attempt }, signal);
      if (status === "done") await end(refund);
      else if (status === "failed") await change(refund, { state: "STUCK", fault: givenUp, sending_until: null });
      else await change(refund, { fault: null, sending_until: null });
      if (status === "failed") await report(refund, attempt, givenUp);
      return status === "processing" || status === "unknown" ? processingSeconds : null;
    } catch (error) {
      if (error instanceof GatewayError) {
        await change(refund, { fault: `${error.fault}: ${error.message}`, sending_until: null });
        if (tries + 1 >= reportAfterTries) await report(refund, attempt, error.fault);
      }
      throw error;
    }
  };
}

const givenUp = "the gateway gave it up";

/** Marks the refund as sent before the gateway is called; false when an operator ended it meanwhile. */
function markSent({ db, now }: BillingParts, { number, attempt_id, reason }: Refund): Promise<boolean> {
  return db.transaction().execute(async (trx) => {
    const { numUpdatedRows } = await trx
      .updateTable("pay_refund")
      .set({ state: "SENT", sending_until: new Date(now().getTime() + sendingMs) })
      .where("number", "=", number)
      .where("state", "in", ["DUE", "SENT"])
      .executeTakeFirst();
    if (numUpdatedRows !== 1n) return false;
    if (reason === "conflict") return true;
    await trx
      .updateTable("pay_attempt")
      .set({ state: "REFUNDING" })
      .where("id", "=", attempt_id)
      .where("state", "=", "REFUND_DUE")
      .execute();
    return true;
  });
}

async function send(
  gateway: Gateway,
  { refund, attempt }: { refund: Refund; attempt: Attempt },
  signal: AbortSignal,
): Promise<RefundStatus> {
  const transactionId = refund.transaction_id ?? undefined;
  const names = { outTradeNo: attempt.out_trade_no, transactionId, number: refund.number };
  if (refund.state === "SENT") {
    const status = await gateway.queryRefund(names, signal);
    // A refund made in the gateway's console is never sent again.
    if (status !== "unknown" || refund.reason === "console") return status;
  }
  const totalFen = refund.reason === "conflict" ? refund.amount_fen : (attempt.paid_fen ?? refund.amount_fen);
  return gateway.refund({ ...names, refundFen: refund.amount_fen, totalFen }, signal);
}
