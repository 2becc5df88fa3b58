import type { Db } from "../../db/database";
import type { JobContext, JobHandler } from "../../jobs/handler";
import type { Queue } from "../../jobs/queue";
import { GatewayError } from "../../payments/gateway";

/** Billing's jobs: each schedules its own next run, and there is at most one per kind and subject. */
const kinds = ["pay-query", "pay-expire", "pay-close", "pay-refund", "pay-reconcile"] as const;
type ScheduleKind = (typeof kinds)[number];

interface Payload {
  /** Attempt, order, refund number or gateway. */
  of: string;
  /** Consecutive runs without a result. */
  tries?: number;
}

/**
 * Enqueues in the caller's transaction. Without a priority, because these jobs have their own workers and must not count
 * in the queue positions of generations. Each gateway has a separate lane.
 */
export async function scheduleJob(
  { queue, trx }: { queue: Queue; trx: Db },
  kind: ScheduleKind,
  { of, tries = 0 }: Payload,
  delaySeconds = 0,
): Promise<string | null> {
  const lane = (await findGateway(trx, kind, of)) ?? "";
  return queue.enqueue(trx, { kind, lane, key: of, payload: { of, tries }, delaySeconds });
}

/** The gateway that the job calls. */
async function findGateway(trx: Db, kind: ScheduleKind, of: string): Promise<string | undefined> {
  const attempts = trx.selectFrom("pay_attempt as attempt").select("attempt.gateway");
  if (kind === "pay-query" || kind === "pay-close") {
    return (await attempts.where("attempt.id", "=", of).executeTakeFirst())?.gateway;
  }
  if (kind === "pay-reconcile") return of;
  if (kind !== "pay-refund") return undefined;
  const refunded = attempts.innerJoin("pay_refund as refund", "refund.attempt_id", "attempt.id");
  return (await refunded.where("refund.number", "=", of).executeTakeFirst())?.gateway;
}

/** When to ask again whether an attempt is paid, in seconds; null: never. `createdAt` is the attempt's, the others the order's. */
export function nextQuerySeconds(
  { createdAt, expiresAt, closedAt }: { createdAt: Date; expiresAt: Date; closedAt: Date | null },
  now: Date,
): number | null {
  const secondsSince = (at: Date) => (now.getTime() - at.getTime()) / 1000;
  if (secondsSince(createdAt) < 30) return 5;
  if (closedAt) return secondsSince(closedAt) < 86_400 ? 3600 : null;
  if (secondsSince(expiresAt) < 0) return 60;
  return secondsSince(expiresAt) < 86_400 ? 3600 : null;
}

/** 5 s, 10 s, 20 s … an hour. */
export const backoffSeconds = (tries: number): number => Math.min(3600, 5 * 2 ** Math.min(tries, 12));

/** One run: seconds until the next one, or null at the end. Must be idempotent. */
export type ScheduledStep = (of: string, run: Pick<JobContext, "signal"> & { tries: number }) => Promise<number | null>;

const afterFaultSeconds = 300;
/** Upper limit of one run. */
const stepMs = 30_000;

/**
 * A job that enqueues its successor in the transaction that ends it. Backs off for unreachable gateways, and continues
 * after any other error.
 */
export function createRepeatingJob(queue: Queue, kind: ScheduleKind, step: ScheduledStep): JobHandler {
  return {
    async run(payload, { signal }) {
      const { of, tries = 0 } = payload as Payload;
      const bounded = AbortSignal.any([signal, AbortSignal.timeout(stepMs)]);
      const next = await step(of, { signal: bounded, tries }).then(
        (seconds) => ({ seconds, tries: 0 }),
        (error: unknown) => {
          if (!(error instanceof GatewayError)) throw error;
          // The gateway was not called: not a failed try.
          if (error.retryAfterSeconds !== undefined) return { seconds: error.retryAfterSeconds, tries };
          return { seconds: backoffSeconds(tries), tries: tries + 1 };
        },
      );
      const { seconds } = next;
      if (seconds === null) return undefined;
      return {
        async write(trx) {
          await scheduleJob({ queue, trx }, kind, { of, tries: next.tries }, seconds);
        },
      };
    },
    async failed(trx, payload) {
      await scheduleJob({ queue, trx }, kind, payload as Payload, afterFaultSeconds);
    },
  };
}
