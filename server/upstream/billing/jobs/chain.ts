import type { JobContext, JobHandler } from "../../jobs/handler";
import type { Queue } from "../../jobs/queue";
import { GatewayError } from "../../payments/gateway";
import { backoffSeconds, type Kind, type Payload, plan } from "./plan";

/** One run: seconds until the next one, or null when there is nothing left to do. Must bear being repeated. */
export type Step = (of: string, run: Pick<JobContext, "signal"> & { tries: number }) => Promise<number | null>;

const afterFaultSeconds = 300;
/** A gateway that says nothing for so long says nothing. */
const stepMs = 30_000;

/**
 * A job that plans its own successor in the transaction that ends it. Gateways that are away make it wait longer each
 * time; whatever else goes wrong, the chain goes on: nobody's money depends on somebody restarting it.
 */
export function createChain(queue: Queue, kind: Kind, step: Step): JobHandler {
  return {
    async run(payload, { signal }) {
      const { of, tries = 0 } = payload as Payload;
      const bounded = AbortSignal.any([signal, AbortSignal.timeout(stepMs)]);
      const next = await step(of, { signal: bounded, tries }).then(
        (seconds) => ({ seconds, tries: 0 }),
        (error: unknown) => {
          if (!(error instanceof GatewayError)) throw error;
          // Not asked at all: that is no failed try.
          if (error.retryAfterSeconds !== undefined) return { seconds: error.retryAfterSeconds, tries };
          return { seconds: backoffSeconds(tries), tries: tries + 1 };
        },
      );
      const { seconds } = next;
      if (seconds === null) return undefined;
      return {
        async write(trx) {
          await plan({ queue, trx }, kind, { of, tries: next.tries }, seconds);
        },
      };
    },
    async failed(trx, payload) {
      await plan({ queue, trx }, kind, payload as Payload, afterFaultSeconds);
    },
  };
}
