import { UpstreamRefusal } from "./refusal.server";

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
