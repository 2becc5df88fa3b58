import { toRefusal } from "./refusal.server";

const heartbeatMs = 15_000;
const headers = {
  "Content-Type": "text/event-stream",
  "Cache-Control": "no-cache",
  // Proxies would hold the events back until a buffer is full.
  "X-Accel-Buffering": "no",
};

interface EventAnswer {
  /** Whose answer it is; ends it when they leave. */
  request: Request;
  /** Ends it when the server closes. */
  closing: AbortSignal;
  /** Tells until nothing more is to be told. Whatever it throws becomes the event `refusal`, with a Refusal. */
  tellAll(tell: (event: string, data: unknown) => void, signal: AbortSignal): Promise<void>;
}

/**
 * Server-sent events to a browser. Empty `heartbeat` events keep proxies from hanging up. Its own stream: remix-utils closes
 * one that its reader has cancelled already, in an event listener, and that ends the process.
 */
export function answerWithEvents({ request, closing, tellAll }: EventAnswer): Response {
  // Nobody reads the body of a HEAD, and nothing would end it.
  if (request.method === "HEAD") return new Response(null, { headers });
  const { signal, end, release } = endingWith(request.signal, closing);
  const encoder = new TextEncoder();
  let heartbeat: ReturnType<typeof setInterval> | undefined;
  const stream = new ReadableStream<Uint8Array>({
    start(controller) {
      const write = (event: string, data: string) => {
        if (!signal.aborted) controller.enqueue(encoder.encode(`event: ${event}\ndata: ${data}\n\n`));
      };
      // Whichever comes first, its end or its reader's leaving, happens once.
      const close = () => {
        clearInterval(heartbeat);
        release();
        try {
          controller.close();
        } catch {}
      };
      // Nothing tells of what has happened already.
      if (signal.aborted) return close();
      signal.addEventListener("abort", close, { once: true });
      heartbeat = setInterval(() => write("heartbeat", ""), heartbeatMs);
      write("heartbeat", "");
      tellAll((event, data) => write(event, JSON.stringify(data)), signal)
        .catch((error) => write("refusal", JSON.stringify(toRefusal(error))))
        .finally(end);
    },
    cancel: end,
  });
  return new Response(stream, { headers });
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
