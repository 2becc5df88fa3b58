import { eventStream } from "remix-utils/sse/server";
import { toRefusal } from "./refusal.server";

const heartbeatMs = 15_000;

interface EventAnswer {
  /** Whose answer it is; ends it when they leave. */
  request: Request;
  /** Ends it when the server closes. */
  closing: AbortSignal;
  /** Tells until nothing more is to be told. Whatever it throws becomes the event `refusal`, with a Refusal. */
  tellAll(tell: (event: string, data: unknown) => void, signal: AbortSignal): Promise<void>;
}

/** Server-sent events to a browser. Empty `heartbeat` events keep proxies from hanging up. */
export function answerWithEvents({ request, closing, tellAll }: EventAnswer): Response {
  // Nobody reads the body of a HEAD, and nothing would end it.
  if (request.method === "HEAD") return new Response(null, { headers: { "Content-Type": "text/event-stream" } });
  const { signal, end, release } = endingWith(request.signal, closing);
  const init: Parameters<typeof eventStream>[1] = (send, close) => {
    const write = (event: string, data: string) => {
      try {
        send({ event, data });
      } catch {
        end(); // The stream was given up before its request was: sending would throw for ever.
      }
    };
    const heartbeat = setInterval(() => write("heartbeat", ""), heartbeatMs);
    write("heartbeat", "");
    tellAll((event, data) => write(event, JSON.stringify(data)), signal)
      .catch((error) => {
        if (!signal.aborted) write("refusal", JSON.stringify(toRefusal(error)));
      })
      .finally(close);
    return () => {
      clearInterval(heartbeat);
      release();
    };
  };
  // Proxies would hold the events back until a buffer is full.
  return eventStream(signal, init, { headers: { "X-Accel-Buffering": "no" } });
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
