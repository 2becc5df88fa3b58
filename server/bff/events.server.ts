import type { Readable } from "node:stream";
import { z } from "zod/v4";
import { type CallData, calls } from "../contract/calls/table";
import { readAnswer } from "./answer.server";
import { createDeadline } from "./deadline.server";
import { parseUntrustedJson } from "./json.server";
import { UpstreamRefusal } from "./refusal.server";
import type { Transport } from "./transport.server";
import { type Caller, headersOf, refused, type UpstreamLogger } from "./upstream-call.server";

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
