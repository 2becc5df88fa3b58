import { type Gateway, GatewayError } from "./gateway";

/** Calls in a row without an answer after which a gateway counts as down. */
const failuresMax = 3;
const pauseMs = 10_000;
/** While one call finds out whether the gateway answers again. */
const trialSeconds = 5;
/** A caller that gives up earlier than this proves nothing about the gateway. */
const patientMs = 5000;

/**
 * The same gateway, whose calls fail at once with GatewayError `unreachable` while it is down: those who wait for it do
 * not wait for its time-outs too. After a pause one call is let through to find out. Refusals are answers.
 */
export function withBreaker(gateway: Gateway, now: () => number = Date.now): Gateway {
  let failures = 0;
  let closedUntil = 0;
  let isTrying = false;

  /** Whether the call is the one that finds out. */
  const enter = (): boolean => {
    if (failures < failuresMax) return false;
    const waitSeconds = isTrying ? trialSeconds : Math.ceil((closedUntil - now()) / 1000);
    if (waitSeconds > 0) {
      const message = `${gateway.name} gave no answer ${failures} times in a row`;
      throw new GatewayError("unreachable", message, { retryAfterSeconds: waitSeconds });
    }
    isTrying = true;
    return true;
  };

  const fail = () => {
    failures++;
    closedUntil = now() + pauseMs;
  };

  const guarded =
    <Request, Answer>(call: (request: Request, signal?: AbortSignal) => Promise<Answer>) =>
    async (request: Request, signal?: AbortSignal): Promise<Answer> => {
      const isTrial = enter();
      const startedAt = now();
      try {
        const answer = await call(request, signal);
        failures = 0;
        return answer;
      } catch (error) {
        const isRefused = error instanceof GatewayError && error.fault === "refused";
        const isImpatient = signal?.aborted && now() - startedAt < patientMs;
        if (isRefused) failures = 0;
        else if (!isImpatient) fail();
        throw error;
      } finally {
        if (isTrial) isTrying = false;
      }
    };

  return {
    ...gateway,
    createPayment: guarded(gateway.createPayment),
    query: guarded(gateway.query),
    close: guarded(gateway.close),
    refund: guarded(gateway.refund),
    queryRefund: guarded(gateway.queryRefund),
    bill: guarded(gateway.bill),
  };
}
