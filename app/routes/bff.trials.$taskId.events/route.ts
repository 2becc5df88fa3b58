import type { LoaderFunctionArgs } from "@remix-run/node";
import { eventStream } from "remix-utils/sse/server";
import { toRefusal } from "~server/bff/refusal.server";
import { watchTrial } from "~server/bff/trials.server";

const heartbeatMs = 15_000;

/**
 * Server-sent events of one trial: `progress` with a TrialProgress until it is done or failed, `refusal` with a Refusal
 * when it cannot be followed any longer, then the end. Empty `heartbeat` events keep proxies from hanging up.
 */
export function loader({ request, params, context: { upstream, closing } }: LoaderFunctionArgs) {
  // Nobody reads the body of a HEAD, and nothing would end it.
  if (request.method === "HEAD") return new Response(null, { headers: { "Content-Type": "text/event-stream" } });
  const { signal, end, release } = endingWith(request.signal, closing);
  // Proxies would hold the events back until a buffer is full.
  const options = { headers: { "X-Accel-Buffering": "no" } };
  const init: Parameters<typeof eventStream>[1] = (send, close) => {
    const tell = (event: string, data = "") => {
      try {
        send({ event, data });
      } catch {
        end(); // The stream was given up before its request was: sending would throw for ever.
      }
    };
    const heartbeat = setInterval(() => tell("heartbeat"), heartbeatMs);
    const onProgress = (progress: unknown) => tell("progress", JSON.stringify(progress));
    watchTrial(upstream, params.taskId ?? "", { signal, onProgress })
      .catch((error) => {
        if (!signal.aborted) tell("refusal", JSON.stringify(toRefusal(error)));
      })
      .finally(close);
    return () => {
      clearInterval(heartbeat);
      release();
    };
  };
  return eventStream(signal, init, options);
}

/** Aborts with either; released by hand, since the server's own signal outlives every visitor. */
function endingWith(visitor: AbortSignal, server: AbortSignal) {
  const controller = new AbortController();
  const end = () => controller.abort();
  for (const signal of [visitor, server]) {
    if (signal.aborted) end();
    signal.addEventListener("abort", end, { once: true });
  }
  return { signal: controller.signal, end, release: () => server.removeEventListener("abort", end) };
}
