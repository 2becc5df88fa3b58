import type { LoaderFunctionArgs } from "@remix-run/node";
import { answerWithEvents } from "~server/bff/event-answer.server";
import { watchTrial } from "~server/bff/trials.server";

/**
 * Server-sent events of one trial: `progress` with a TrialProgress until it is done or failed, `refusal` with a Refusal
 * when it cannot be followed any longer, then the end.
 */
export function loader({ request, params, context: { upstream, closing } }: LoaderFunctionArgs) {
  return answerWithEvents({
    request,
    closing,
    tellAll: (tell, signal) =>
      watchTrial(upstream, params.taskId ?? "", { signal, onProgress: (progress) => tell("progress", progress) }),
  });
}
