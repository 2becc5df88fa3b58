import type { Readable } from "node:stream";
import { createParser } from "eventsource-parser";
import { z } from "zod/v4";
import { type CallData, calls } from "../contract/calls/table";
import { toRefusal, UpstreamRefusal } from "./refusal.server";
import {
  type Caller,
  createDeadline,
  headersOf,
  parseUntrustedJson,
  readAnswer,
  refused,
  type StreamClientOptions,
} from "./upstream-call.server";

/** A change of one task's state; `number` resumes the stream after it. */
export interface TaskEvent {
  number: number;
  event: CallData<"taskEvents">;
}

/** Larger than every event number, so that no past event is sent. */
const fromNow = Number.MAX_SAFE_INTEGER;
/** UTF-16 units. */
const maxEventLength = 64 * 1024;

/**
 * The upstream's server-sent events of one caller's tasks. `transport` has no connection limit, because event streams stay
 * open; the upstream's heartbeat comes every 15 s.
 */
export function createEventsClient({ base, appId, logger, transport, idleMs = 40_000 }: StreamClientOptions) {
  async function* read(caller: Caller, since: number | null, deadline: ReturnType<typeof createDeadline>) {
    const url = new URL(`${base}/api/v1${calls.taskEvents.path}`);
    url.searchParams.set("since", String(since ?? fromNow));
    const headers = { ...headersOf(caller, appId), accept: "text/event-stream" };
    const incoming = await transport({ method: "GET", url, headers, signal: deadline.signal });
    const isStream = incoming.status === 200 && /^text\/event-stream/i.test(incoming.header("content-type") ?? "");
    // Any other response is a refusal, an envelope of success included.
    if (!isStream) {
      await readAnswer(incoming, z.unknown());
      throw new UpstreamRefusal({ code: "request-failed" });
    }
    deadline.extend();
    for await (const { id, data } of readMessages(incoming.body, deadline.extend)) {
      const event = parseEvent(data);
      const number = Number(id);
      if (event && Number.isSafeInteger(number)) yield { number, event };
    }
  }

  return {
    /** Throws UpstreamRefusal; ends without an error when the signal aborts. */
    async *open(caller: Caller, since: number | null, signal: AbortSignal): AsyncGenerator<TaskEvent> {
      const deadline = createDeadline(idleMs, signal);
      try {
        yield* read(caller, since, deadline);
      } catch (error) {
        if (!signal.aborted) throw refused(error, { name: "taskEvents", caller, logger });
      } finally {
        deadline.abort(new Error("the event stream has no reader"));
        deadline.clear();
      }
    },
  };
}

function parseEvent(data: string): CallData<"taskEvents"> | null {
  try {
    return calls.taskEvents.data.parse(parseUntrustedJson(data));
  } catch {
    return null;
  }
}

/** The messages of a text/event-stream body; `onChunk` runs for every chunk, heartbeats included. */
export async function* readMessages(body: Readable, onChunk: () => void): AsyncGenerator<{ id: string; data: string }> {
  const decoder = new TextDecoder();
  const received: Array<{ id: string; data: string }> = [];
  let lastId = "";
  const parser = createParser({
    maxBufferSize: maxEventLength,
    onEvent({ id = lastId, data }) {
      lastId = id;
      received.push({ id, data });
    },
    onError(error) {
      if (error.type === "max-buffer-size-exceeded") throw error;
    },
  });
  for await (const chunk of body as AsyncIterable<Uint8Array>) {
    onChunk();
    parser.feed(decoder.decode(chunk, { stream: true }));
    yield* received.splice(0);
  }
}

const heartbeatMs = 15_000;
const headers = {
  "Content-Type": "text/event-stream",
  "Cache-Control": "no-cache",
  // Without it proxies buffer the events.
  "X-Accel-Buffering": "no",
};

interface EventAnswer {
  /** The response ends when the visitor disconnects. */
  request: Request;
  /** The response ends when the server shuts down. */
  closing: AbortSignal;
  /** Sends every event, then resolves. An error becomes the event `refusal` with a Refusal. */
  sendAll(send: (event: string, data: unknown) => void, signal: AbortSignal): Promise<void>;
}

/**
 * Responds with server-sent events. Empty `heartbeat` events keep proxies from closing the connection. Not remix-utils:
 * it closes a stream that its reader has cancelled, which throws in an event listener and ends the process.
 */
export function respondWithEvents({ request, closing, sendAll }: EventAnswer): Response {
  // The body of a HEAD is never read, so nothing would end it.
  if (request.method === "HEAD") return new Response(null, { headers });
  const { signal, end, release } = endingWith(request.signal, closing);
  const encoder = new TextEncoder();
  let heartbeat: ReturnType<typeof setInterval> | undefined;
  const stream = new ReadableStream<Uint8Array>({
    start(controller) {
      const write = (event: string, data: string) => {
        if (!signal.aborted) controller.enqueue(encoder.encode(`event: ${event}\ndata: ${data}\n\n`));
      };
      // The end of the events and the reader's cancel may both come; the second close throws.
      const close = () => {
        clearInterval(heartbeat);
        release();
        try {
          controller.close();
        } catch {}
      };
      // A signal that has aborted fires no event.
      if (signal.aborted) return close();
      signal.addEventListener("abort", close, { once: true });
      heartbeat = setInterval(() => write("heartbeat", ""), heartbeatMs);
      write("heartbeat", "");
      sendAll((event, data) => write(event, JSON.stringify(data)), signal)
        .catch((error) => write("refusal", JSON.stringify(toRefusal(error))))
        .finally(end);
    },
    cancel: end,
  });
  return new Response(stream, { headers });
}

/** Aborts with either signal. `release` removes the listener of the server's signal, which outlives every request. */
function endingWith(visitor: AbortSignal, server: AbortSignal) {
  const controller = new AbortController();
  const end = () => controller.abort();
  for (const signal of [visitor, server]) {
    if (signal.aborted) end();
    signal.addEventListener("abort", end, { once: true });
  }
  return { signal: controller.signal, end, release: () => server.removeEventListener("abort", end) };
}
