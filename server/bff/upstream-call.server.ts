import { z } from "zod/v4";
import { envelope } from "../contract/calls/tolerant";
import { ok, otherOk } from "../contract/codes";
import { MissingCall, refusalOfEnvelope, refusalOfStatus, UpstreamRefusal } from "./refusal.server";
import type { Incoming, Transport } from "./transport.server";

/** The visitor a call is made for. */
export interface Caller {
  token?: string | undefined;
  visitorId?: string | undefined;
  /** The network address; IPv6 by its /64. */
  clientAddress?: string | undefined;
  requestId?: string | undefined;
  /** Aborts when the visitor disconnects. */
  signal?: AbortSignal | undefined;
  /** The visitor's request is a GET or HEAD, which other sites can cause: only safe calls are allowed. */
  isReadOnly?: boolean | undefined;
  /** Deadline of all calls for the visitor's request, by `performance.now()`. */
  answerBy?: number | undefined;
}

/** The headers of every call. Throws UpstreamRefusal `login-expired` for a token that no header can carry. */
export function headersOf(caller: Caller, appId: string): Record<string, string> {
  const { token = "", visitorId, clientAddress, requestId } = caller;
  // Header values are ASCII, so the upstream cannot have issued any other token.
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

/** Parts of a client whose requests or responses may last while data moves. */
export interface StreamClientOptions {
  base: string;
  appId: string;
  logger: UpstreamLogger;
  transport: Transport;
  /** The longest time without a byte in either direction. */
  idleMs?: number;
}

interface FailedCall {
  name: string;
  caller: Caller;
  logger: UpstreamLogger;
}

/** The refusal for the error of a call. Logs faults of the upstream, not its business errors. */
export function refused(error: unknown, { name, caller, logger }: FailedCall): UpstreamRefusal {
  const code = caller.signal?.aborted ? "cancelled" : "network";
  const refusal = error instanceof UpstreamRefusal ? error : new UpstreamRefusal({ code }, { cause: error });
  const { code: shown } = refusal.refusal;
  if (shown === "request-failed" || shown === "network" || shown === "unreadable")
    logger.warn(
      { call: name, requestId: caller.requestId, code: shown, cause: causeOf(refusal) },
      "upstream call failed",
    );
  return refusal;
}

function causeOf({ cause }: Error): string | undefined {
  if (cause instanceof z.ZodError) return fieldsOf(cause);
  if (!(cause instanceof Error)) return undefined;
  return "code" in cause ? `${cause.name} ${cause.code}` : `${cause.name}: ${cause.message.slice(0, 300)}`;
}

/** `0.roleId: expected string`: which fields of an answer do not fit. */
const fieldsOf = ({ issues }: z.ZodError) =>
  issues
    .slice(0, 5)
    .map(({ path, message }) => `${path.join(".") || "data"}: ${message}`)
    .join("; ");

/** One timeout for all attempts and the reading of the response; also aborts with `clientSignal`. Call `clear` when done. */
export function createDeadline(totalMs: number, clientSignal: AbortSignal | undefined) {
  const controller = new AbortController();
  const expire = () => controller.abort(new DOMException("upstream too slow", "TimeoutError"));
  const leave = () => controller.abort(clientSignal?.reason);
  const timer = setTimeout(expire, totalMs);
  if (clientSignal?.aborted) leave();
  clientSignal?.addEventListener("abort", leave, { once: true });
  return {
    signal: controller.signal,
    abort: (reason: Error) => controller.abort(reason),
    /** Restarts the timeout, for streams that may last while data moves. */
    extend() {
      timer.refresh();
    },
    clear() {
      clearTimeout(timer);
      clientSignal?.removeEventListener("abort", leave);
    },
  };
}

const maxDepth = 64;

/** Parses untrusted JSON: throws if nested deeper than 64 levels, drops `__proto__` keys. */
export function parseUntrustedJson(text: string): unknown {
  const isPlain = !text.includes("__proto__") && !text.includes("\\u");
  // A reviver recurses, so the depth is checked before.
  const value: unknown = JSON.parse(text);
  if (isTooDeep(value)) throw new SyntaxError("JSON is nested too deeply");
  return isPlain ? value : JSON.parse(text, (key, part) => (key === "__proto__" ? undefined : part));
}

/** True above 64 levels: JSON.stringify could overflow the stack. */
export const isTooDeep = (value: unknown): boolean => isDeeper(value, maxDepth);

function isDeeper(value: unknown, depth: number): boolean {
  if (typeof value !== "object" || value === null) return false;
  if (depth === 0) return true;
  for (const part of Array.isArray(value) ? value : Object.values(value)) if (isDeeper(part, depth - 1)) return true;
  return false;
}

const maxJsonBytes = 2 * 1024 * 1024;

/** The envelope's data, parsed by its schema; throws UpstreamRefusal for any other response. */
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
  const isOk = code === ok || (code === otherOk && isSuccess);
  if (missingStatuses.has(code) && !reasonIn(data)) throw new MissingCall(refusalOfStatus(code, msg));
  if (!isOk && (isSuccess || code === 5 || code === 1001 || reasonIn(data))) {
    const refusal = { ...refusalOfEnvelope({ code, data, msg }), ...retryAfterOf(incoming) };
    throw new UpstreamRefusal(refusal, { cause: new Error(msg) });
  }
  if (!isSuccess) throw refusalAt(incoming, msg);
  const read = schema.safeParse(data);
  if (read.success) return read.data;
  throw new UpstreamRefusal({ code: "unreadable" }, { cause: read.error });
}

/** The Retry-After of a 429, if it is in seconds. */
function retryAfterOf(incoming: Incoming): { retryAfterSeconds?: number } {
  const seconds = incoming.header("retry-after") ?? "";
  return incoming.status === 429 && /^\d{1,6}$/.test(seconds) ? { retryAfterSeconds: Number(seconds) } : {};
}

/** A missing route, as status or as the envelope's code. */
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
