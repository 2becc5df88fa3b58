import { respondWithEvents } from "~server/bff/events.server";
import { jsonRoute, queryOf } from "~server/bff/json-route.server";
import { watchTrial } from "~server/bff/trials.server";

/**
 * Server-sent events. `?trial=` a task id: `progress` with a TrialProgress until the trial ends. Otherwise the account's
 * tasks: `task` with `{number, event}`, after event number `?since=` or from now on. A failure is sent as `refusal`.
 */
export const loader = jsonRoute(({ request, context: { upstream, closing } }) => {
  const query = queryOf(request);
  const trialId = query.get("trial");
  const lastNumber = query.get("since") ?? request.headers.get("last-event-id");
  const since = lastNumber !== null && /^\d{1,15}$/.test(lastNumber) ? Number(lastNumber) : null;
  return respondWithEvents({
    request,
    closing,
    async sendAll(send, signal) {
      if (trialId !== null)
        return watchTrial(upstream, trialId, { signal, onProgress: (progress) => send("progress", progress) });
      for await (const event of upstream.openEvents(since, signal)) send("task", event);
    },
  });
});
