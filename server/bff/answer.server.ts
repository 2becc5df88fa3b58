import type { z } from "zod/v4";
import { envelope } from "../contract/calls/envelope";
import { ok } from "../contract/codes";
import { parseUntrustedJson } from "./json.server";
import { MissingCall, refusalOfEnvelope, refusalOfStatus, UpstreamRefusal } from "./refusal.server";
import type { Incoming } from "./transport.server";

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
