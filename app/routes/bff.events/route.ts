import { respondWithEvents } from "~server/bff/events.server";
import { jsonRoute, queryOf } from "~server/bff/json-route.server";

/**
 * Server-sent events of the visitor's or the account's tasks: `task` with `{number, event}`, after event number `?since=`
 * or from now on. A failure is sent as `refusal`.
 */
export const loader = jsonRoute(({ request, context: { upstream, closing } }) => {
  const lastNumber = queryOf(request).get("since") ?? request.headers.get("last-event-id");
  const since = lastNumber !== null && /^\d{1,15}$/.test(lastNumber) ? Number(lastNumber) : null;
  return respondWithEvents({
    request,
    closing,
    async sendAll(send, signal) {
      for await (const event of upstream.openEvents(since, signal)) send("task", event);
    },
  });
});
