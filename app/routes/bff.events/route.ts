import type { LoaderFunctionArgs } from "@remix-run/node";
import { answerWithEvents } from "~server/bff/event-answer.server";

/**
 * Server-sent events of the caller's own tasks: `task` with `{number, event}`, `refusal` with a Refusal, then the end.
 * `?since=` the last number heard; without it, from now on.
 */
export function loader({ request, context: { upstream, closing } }: LoaderFunctionArgs) {
  const heard = new URL(request.url).searchParams.get("since") ?? request.headers.get("last-event-id");
  const since = heard !== null && /^\d{1,15}$/.test(heard) ? Number(heard) : null;
  return answerWithEvents({
    request,
    closing,
    async tellAll(tell, signal) {
      for await (const told of upstream.openEvents(since, signal)) tell("task", told);
    },
  });
}
