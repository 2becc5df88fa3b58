import { type Gateway, GatewayError } from "./gateway";

/** Failures in a row after which a gateway counts as down. */
const failuresMax = 3;
const pauseMs = 10_000;
/** The time to retry after while a probe is running. */
const trialSeconds = 5;
/** A call that its caller aborts earlier than this does not count as a failure. */
const patientMs = 5000;

/**
 * A circuit breaker: while the gateway is down, its calls fail at once with GatewayError `unreachable` instead of waiting
 * for time-outs. After a pause one call is let through as a probe. Refusals count as answers, and so do
 * unusable answers about one trade: the next payer's may be fine.
 */
export function withBreaker(gateway: Gateway, now: () => number = Date.now): Gateway {
  const guarded = createBreaker(gateway.name, now);
  // Another server identifies payers; its failures stop no payment.
  const guardedPayers = createBreaker(`${gateway.name}'s payer identity`, now);
  return {
    ...gateway,
    createPayment: guarded(gateway.createPayment, false),
    query: guarded(gateway.query),
    close: guarded(gateway.close),
    refund: guarded(gateway.refund),
    queryRefund: guarded(gateway.queryRefund),
    bill: guarded(gateway.bill),
    ...(gateway.payers && { payers: { ...gateway.payers, identify: guardedPayers(gateway.payers.identify) } }),
  };
}

/** Guards the calls to one server, which fail together. */
function createBreaker(name: string, now: () => number) {
  let failures = 0;
  let closedUntil = 0;
  let isTrying = false;

  /** Whether the call is the probe. */
  const enter = (): boolean => {
    if (failures < failuresMax) return false;
    const waitSeconds = isTrying ? trialSeconds : Math.ceil((closedUntil - now()) / 1000);
    if (waitSeconds > 0) {
      const message = `${name} gave no answer ${failures} times in a row`;
      throw new GatewayError("unreachable", message, { retryAfterSeconds: waitSeconds });
    }
    isTrying = true;
    return true;
  };

  const fail = () => {
    failures++;
    closedUntil = now() + pauseMs;
  };

  return <Request, Answer>(call: (request: Request, signal?: AbortSignal) => Promise<Answer>, isAboutOneTrade = true) =>
    async (request: Request, signal?: AbortSignal): Promise<Answer> => {
      const isTrial = enter();
      const startedAt = now();
      try {
        const answer = await call(request, signal);
        failures = 0;
        return answer;
      } catch (error) {
        const isAnswer = error instanceof GatewayError && !error.isSilent;
        const isRefused = isAnswer && (isAboutOneTrade || error.fault === "refused");
        const isImpatient = signal?.aborted && now() - startedAt < patientMs;
        if (isRefused) failures = 0;
        else if (!isImpatient) fail();
        throw error;
      } finally {
        if (isTrial) isTrying = false;
      }
    };
}
