import type { z } from "zod/v4";
import { envelope } from "../contract/calls/envelope";
import { ok } from "../contract/codes";
import { MissingCall, refusalOfEnvelope, refusalOfStatus, UpstreamRefusal } from "./refusal.server";
import type { Incoming } from "./transport.server";

/** On whose behalf a call is made. */
export interface Caller {
  token?: string | undefined;
  visitorId?: string | undefined;
  /** What the network address counts as; IPv6 by /64. */
  clientAddress?: string | undefined;
  requestId?: string | undefined;
  /** Aborts when the visitor is gone. */
  signal?: AbortSignal | undefined;
  /** The visitor's own request was a GET or HEAD, which any page on the web can cause: it may change nothing. */
  isReadOnly?: boolean | undefined;
  /** Until when all calls for the visitor's request have answered, on the clock of `performance.now()`. */
  answerBy?: number | undefined;
}

/** The headers of every call. Throws when a call is made, not before, so that a page which makes none still renders. */
export function headersOf(caller: Caller, appId: string): Record<string, string> {
  const { token = "", visitorId, clientAddress, requestId } = caller;
  // Header values are ASCII; another token cannot be one the upstream gave out.
  if (!/^[\x21-\x7e]*$/.test(token)) throw new UpstreamRefusal({ code: "login-expired" });
  return {
    appid: appId,
    token,
    ...(requestId && { "x-request-id": requestId }),
    ...(visitorId && { "x-visitor-id": visitorId }),
    ...(clientAddress && { "x-forwarded-for": clientAddress }),
  };
}

export interface UpstreamLogger {
  warn(details: Record<string, unknown>, message: string): void;
}

interface Circumstances {
  name: string;
  caller: Caller;
  logger: UpstreamLogger;
}

/** The refusal for whatever a call threw; faults of the upstream are logged, its business answers are not. */
export function refused(error: unknown, { name, caller, logger }: Circumstances): UpstreamRefusal {
  const code = caller.signal?.aborted ? "cancelled" : "network";
  const refusal = error instanceof UpstreamRefusal ? error : new UpstreamRefusal({ code }, { cause: error });
  const said = refusal.refusal.code;
  if (said === "request-failed" || said === "network")
    logger.warn(
      { call: name, requestId: caller.requestId, code: said, cause: causeOf(refusal) },
      "upstream call failed",
    );
  return refusal;
}

function causeOf({ cause }: Error): string | undefined {
  if (!(cause instanceof Error)) return undefined;
  return "code" in cause ? `${cause.name} ${cause.code}` : `${cause.name}: ${cause.message.slice(0, 300)}`;
}

/** One clock for every attempt and the reading of the answer; aborts too when the visitor is gone. Clear it when done. */
export function createDeadline(totalMs: number, gone: AbortSignal | undefined) {
  const controller = new AbortController();
  const expire = () => controller.abort(new DOMException("upstream too slow", "TimeoutError"));
  const leave = () => controller.abort(gone?.reason);
  const timer = setTimeout(expire, totalMs);
  if (gone?.aborted) leave();
  gone?.addEventListener("abort", leave, { once: true });
  return {
    signal: controller.signal,
    abort: (reason: Error) => controller.abort(reason),
    /** Starts the clock anew, for what may last as long as it moves. */
    extend() {
      timer.refresh();
    },
    clear() {
      clearTimeout(timer);
      gone?.removeEventListener("abort", leave);
    },
  };
}

const maxDepth = 64;

/** Parses text from a stranger: throws on nesting that would overflow a recursive reader, and drops `__proto__` keys. */
export function parseUntrustedJson(text: string): unknown {
  const isPlain = !text.includes("__proto__") && !text.includes("\\u");
  // A reviver goes down into what it is given, so that is measured before.
  const value: unknown = JSON.parse(text);
  if (isTooDeep(value)) throw new SyntaxError("JSON is nested too deeply");
  return isPlain ? value : JSON.parse(text, (key, part) => (key === "__proto__" ? undefined : part));
}

/** Whether something nests deeper than any call takes: writing it as JSON could overflow the stack. */
export const isTooDeep = (value: unknown): boolean => isDeeper(value, maxDepth);

/** The text a browser sent; "" where it sent something else. */
export const textOf = (value: unknown): string =>
  typeof value === "string" || typeof value === "number" ? `${value}` : "";

/** Goes no deeper than it asks. */
function isDeeper(value: unknown, depth: number): boolean {
  if (typeof value !== "object" || value === null) return false;
  if (depth === 0) return true;
  for (const part of Array.isArray(value) ? value : Object.values(value)) if (isDeeper(part, depth - 1)) return true;
  return false;
}

const maxJsonBytes = 2 * 1024 * 1024;

/** The envelope's data, read by its schema; throws UpstreamRefusal for everything else an upstream may answer. */
export async function readAnswer<T extends z.ZodType>(incoming: Incoming, schema: T): Promise<z.output<T>> {
  const { status } = incoming;
  if (status === 413) {
    incoming.body.destroy();
    throw new UpstreamRefusal(refusalOfStatus(status, ""));
  }
  const body = parsed(await incoming.text(maxJsonBytes));
  const answer = envelope.safeParse(body);
  const isSuccess = status >= 200 && status < 300;
  if (!answer.success) {
    const cause = new Error(`HTTP ${status} without an envelope`);
    throw isSuccess
      ? new UpstreamRefusal(refusalOfStatus(502, ""), { cause })
      : refusalAt(incoming, messageIn(body), cause);
  }
  const { code, data, msg } = answer.data;
  if (missingStatuses.has(code) && !reasonIn(data)) throw new MissingCall(refusalOfStatus(code, msg));
  if (code !== ok && (isSuccess || code === 5 || code === 1001 || reasonIn(data)))
    throw new UpstreamRefusal({ ...refusalOfEnvelope({ code, data, msg }), ...retryAfterOf(incoming) });
  if (!isSuccess) throw refusalAt(incoming, msg);
  const read = schema.safeParse(data);
  if (read.success) return read.data;
  throw new UpstreamRefusal({ code: "request-failed" }, { cause: read.error });
}

/** Of a 429 that says in seconds when to come back. */
function retryAfterOf(incoming: Incoming): { retryAfterSeconds?: number } {
  const seconds = incoming.header("retry-after") ?? "";
  return incoming.status === 429 && /^\d{1,6}$/.test(seconds) ? { retryAfterSeconds: Number(seconds) } : {};
}

/** How servers say that a route does not exist, as a status or as the envelope's code. */
const missingStatuses = new Set([404, 405, 501]);

function refusalAt(incoming: Incoming, message: string, cause?: Error): UpstreamRefusal {
  const Kind = missingStatuses.has(incoming.status) ? MissingCall : UpstreamRefusal;
  return new Kind({ ...refusalOfStatus(incoming.status, message), ...retryAfterOf(incoming) }, { cause });
}

const reasonIn = (data: unknown) => typeof data === "object" && data !== null && "reason" in data;

function parsed(text: string): unknown {
  try {
    return parseUntrustedJson(text);
  } catch {
    return undefined;
  }
}

function messageIn(body: unknown): string {
  if (typeof body !== "object" || body === null) return "";
  const { msg, message } = body as { msg?: unknown; message?: unknown };
  return [msg, message].find((text): text is string => typeof text === "string") ?? "";
}
