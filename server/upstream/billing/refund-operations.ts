import type { Db } from "../db/database";
import { AppError } from "../errors";
import type { RefundStatus } from "../payments/gateway";
import { scheduleJob } from "./jobs/schedule";
import { type BillingParts, gatewayNamed } from "./parts";
import { getAttempt, isLive, type Refund } from "./rows";
import { returnHeldPayment } from "./settlement/held-payments";
import { cancelRefund, completeRefund, decideRefund } from "./settlement/refunds";

export type Audited = (
  action: string,
  target: string,
  work: (trx: Db) => Promise<Refund>,
  detail?: object,
) => Promise<Refund>;

type RefundOperationParts = Pick<BillingParts, "db" | "queue" | "now" | "gateways">;

/** Operators' acts on refunds. Each writes an audit row in its own transaction; the refund job sends the money. */
export function createRefundOperations(parts: RefundOperationParts, audited: Audited) {
  const { queue, now } = parts;
  const wake = (refund: Refund) => {
    queue.wake();
    return refund;
  };
  return {
    /** All that is left of the order's money where `refundFen` is absent. */
    refund: (orderId: string, refundFen?: number): Promise<Refund> =>
      audited("refund", orderId, async (trx) => {
        const order = await trx.selectFrom("pay_order").selectAll().where("id", "=", orderId).executeTakeFirst();
        if (!order) throw new AppError("not-found", "no such order");
        return decideRefund({ trx, queue }, { order, refundFen, at: now() });
      }).then(wake),
    /** Asks the gateway at once, and sends what it does not know. Throws bad-request for a refund that is over. */
    retryRefund: (number: string): Promise<Refund> =>
      audited("retry-refund", number, async (trx) => {
        const refund = await getLiveRefund(trx, number, now());
        const state = refund.state === "STUCK" ? "SENT" : refund.state;
        await trx.updateTable("pay_refund").set({ state }).where("number", "=", number).execute();
        await scheduleJob({ trx, queue }, "pay-refund", { of: number });
        await queue.hasten(trx, { kind: "pay-refund", key: number });
        return { ...refund, state };
      }).then(wake),
    /**
     * Ends a refund before its money moves and grants again what it took back. Asks the gateway first: throws bad-request
     * where the gateway has the refund or a server may be sending it, GatewayError where the gateway does not answer.
     */
    async cancelRefund(number: string): Promise<Refund> {
      const status = await askGateway(parts, number);
      if (status === "done" || status === "processing") {
        throw new AppError("bad-request", `the gateway has this refund: ${status}`);
      }
      const cancel = async (trx: Db) => {
        const refund = await getLiveRefund(trx, number, now());
        if (!(await cancelRefund(trx, { refund, at: now() }))) throw isBeingSent();
        return { ...refund, state: "CANCELLED" as const };
      };
      return audited("cancel-refund", number, cancel, { gateway: status });
    },
    /** The money was sent by other means; the refund is done and never sent. Throws bad-request for a refund that is over. */
    completeRefund: (number: string): Promise<Refund> =>
      audited("complete-refund", number, async (trx) => {
        const refund = await getLiveRefund(trx, number, now());
        if (!(await completeRefund(trx, { refund, at: now(), isUnsent: true }))) throw isBeingSent();
        return { ...refund, state: "DONE" as const };
      }),
    /** Returns a payment in suspense or in conflict, named by its out-trade number or the gateway's transaction. */
    returnPayment: (paymentNumber: string): Promise<Refund> =>
      audited("return-payment", paymentNumber, (trx) =>
        returnHeldPayment({ trx, queue, at: now() }, paymentNumber),
      ).then(wake),
  };
}

/** The refund while it is live and no server may be sending it. Throws not-found or bad-request. */
async function getLiveRefund(trx: Db, number: string, at: Date): Promise<Refund> {
  const refund = await findRefund(trx, number).executeTakeFirst();
  if (!refund) throw new AppError("not-found", "no such refund");
  if (!isLive(refund)) throw new AppError("bad-request", `the refund is over: ${refund.state}`);
  if (refund.sending_until && refund.sending_until > at) throw isBeingSent();
  return refund;
}

const isBeingSent = () =>
  new AppError("bad-request", "the server is asking the gateway for this refund: try again in a minute");

const findRefund = (db: Db, number: string) => db.selectFrom("pay_refund").selectAll().where("number", "=", number);

/** The refund's status at the gateway; null when it was never sent or the gateway is not in use. */
async function askGateway(parts: RefundOperationParts, number: string): Promise<RefundStatus | null> {
  const { db } = parts;
  const refund = await findRefund(db, number).executeTakeFirst();
  if (!refund) throw new AppError("not-found", "no such refund");
  const attempt = await getAttempt(db, refund.attempt_id);
  const gateway = gatewayNamed(parts, attempt.gateway);
  if (refund.state === "DUE" || !isLive(refund) || !gateway) return null;
  const transactionId = refund.transaction_id ?? undefined;
  return gateway.queryRefund({ outTradeNo: attempt.out_trade_no, transactionId, number }, AbortSignal.timeout(askMs));
}

const askMs = 15_000;
