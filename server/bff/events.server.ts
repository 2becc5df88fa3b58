import type { Readable } from "node:stream";
import { z } from "zod/v4";
import { type CallData, calls } from "../contract/calls/table";
import { toRefusal, UpstreamRefusal } from "./refusal.server";
import type { Transport } from "./transport.server";
import {
  type Caller,
  createDeadline,
  headersOf,
  parseUntrustedJson,
  readAnswer,
  refused,
  type UpstreamLogger,
} from "./upstream-call.server";

/** One move of one task; `number` is where to go on from after it. */
export interface ToldEvent {
  number: number;
  event: CallData<"taskEvents">;
}

interface Options {
  base: string;
  appId: string;
  logger: UpstreamLogger;
  /** Its connections stay open: it must not be short of them. */
  transport: Transport;
  /** How long nothing may be heard; the upstream's heartbeat is 15 s. */
  idleMs?: number;
}

/** Larger than any number there is: nothing old is told again. */
const fromNow = Number.MAX_SAFE_INTEGER;
const maxLine = 64 * 1024;

/** The upstream's server-sent events of one caller's tasks. */
export function createEventsClient({ base, appId, logger, transport, idleMs = 40_000 }: Options) {
  async function* listen(caller: Caller, since: number | null, deadline: ReturnType<typeof createDeadline>) {
    const url = new URL(`${base}/api/v1${calls.taskEvents.path}`);
    url.searchParams.set("since", String(since ?? fromNow));
    const headers = { ...headersOf(caller, appId), accept: "text/event-stream" };
    const incoming = await transport({ method: "GET", url, headers, signal: deadline.signal });
    const isStream = incoming.status === 200 && /^text\/event-stream/i.test(incoming.header("content-type") ?? "");
    // Everything else is a refusal; an envelope that says success has nothing to tell either.
    if (!isStream) {
      await readAnswer(incoming, z.unknown());
      throw new UpstreamRefusal({ code: "request-failed" });
    }
    deadline.extend();
    for await (const { id, data } of messages(incoming.body, deadline.extend)) {
      const event = parsed(data);
      const number = Number(id);
      if (event && Number.isSafeInteger(number)) yield { number, event };
    }
  }

  return {
    /** Throws UpstreamRefusal; ends quietly with the signal. */
    async *open(caller: Caller, since: number | null, signal: AbortSignal): AsyncGenerator<ToldEvent> {
      const deadline = createDeadline(idleMs, signal);
      try {
        yield* listen(caller, since, deadline);
      } catch (error) {
        if (!signal.aborted) throw refused(error, { name: "taskEvents", caller, logger });
      } finally {
        deadline.abort(new Error("nobody listens"));
        deadline.clear();
      }
    },
  };
}

function parsed(data: string): CallData<"taskEvents"> | null {
  try {
    return calls.taskEvents.data.parse(parseUntrustedJson(data));
  } catch {
    return null;
  }
}

interface Message {
  id: string;
  data: string;
}

/** The messages of a text/event-stream body; `onPiece` at everything heard, heartbeats too. */
export async function* messages(body: Readable, onPiece: () => void): AsyncGenerator<Message> {
  const decoder = new TextDecoder();
  let rest = "";
  let message: Message = { id: "", data: "" };
  for await (const piece of body as AsyncIterable<Uint8Array>) {
    onPiece();
    const lines = (rest + decoder.decode(piece, { stream: true })).split(/\r\n|\n|\r(?!$)/);
    rest = lines.pop() ?? "";
    if (rest.length > maxLine) throw new Error("event too long");
    for (const line of lines) {
      if (line === "") {
        if (message.data) yield message;
        message = { id: message.id, data: "" };
      } else message = withField(message, line);
    }
  }
}

function withField(message: Message, line: string): Message {
  const [, name, value = ""] = /^([^:]*):? ?(.*)$/s.exec(line) ?? [];
  if (name === "id") return { ...message, id: value };
  if (name === "data") return { ...message, data: message.data ? `${message.data}\n${value}` : value };
  return message;
}

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
