import { STATUS_CODES } from "node:http";
import { type ErrorCode, entitlement, errorCodes, failure, loginExpired } from "../contract/codes";

/** Reason of a failed call, as sent to the browser: a code, and the upstream's message if there is one. */
export interface Refusal {
  code: ErrorCode;
  message?: string;
  data?: Record<string, unknown>;
  /** After which time the same call may succeed. */
  retryAfterSeconds?: number;
}

/** Thrown by every call of the upstream client. */
export class UpstreamRefusal extends Error {
  constructor(
    readonly refusal: Refusal,
    options?: ErrorOptions,
  ) {
    super(refusal.message ?? refusal.code, options);
    this.name = "UpstreamRefusal";
  }
}

/** The upstream does not implement the call. */
export class MissingCall extends UpstreamRefusal {}

const statuses: Partial<Record<ErrorCode, number>> = {
  "login-expired": 401,
  "account-banned": 403,
  entitlement: 403,
  forbidden: 403,
  "not-found": 404,
  "bad-request": 400,
  "too-large": 413,
  "too-many": 429,
  // nginx's status for a client that left
  cancelled: 499,
  "storage-full": 507,
  unsupported: 501,
  "request-failed": 502,
  unreadable: 502,
  network: 502,
  timeout: 504,
};
const otherStatus = 422;

export const statusOf = ({ code }: Refusal) => statuses[code] ?? otherStatus;

/** The refusal of an error; `request-failed` for any other error, whose message stays inside. */
export function toRefusal(error: unknown): Refusal {
  return error instanceof UpstreamRefusal ? error.refusal : { code: "request-failed" };
}

/** For `catch`: null for what the upstream does not have; throws any other error. */
export function nullIfMissing(error: unknown): null {
  const { code } = toRefusal(error);
  if (code !== "not-found" && code !== "bad-request" && code !== "unsupported") throw error;
  return null;
}

/** The login is over: its token is refused from now on. */
export const endsLogin = ({ code }: Pick<Refusal, "code">) => code === "login-expired" || code === "account-banned";

const known: ReadonlySet<string> = new Set(errorCodes);
const isErrorCode = (value: unknown): value is ErrorCode => typeof value === "string" && known.has(value);

interface Failed {
  code: number;
  msg: string;
  data: unknown;
}

/** The envelope's non-zero codes (specification section 8). A `msg` or `data.reason` that is one of our codes becomes the code. */
export function refusalOfEnvelope({ code, msg: sent, data }: Failed): Refusal {
  if (code === loginExpired) return { code: "login-expired" };
  const msg = isForPeople(sent) ? sent : "";
  const details = typeof data === "object" && data !== null ? { data: data as Record<string, unknown> } : {};
  if (code === entitlement) return { code: "entitlement", ...messageOf(msg), ...details };
  const named = [details.data?.reason, msg].find(isErrorCode);
  const isWritten = msg || (code === failure && !sent);
  return { code: named ?? (isWritten ? "failure" : "request-failed"), ...messageOf(msg), ...details };
}

/** Reason of a failed task, from its record. */
export function failureOf(reason: string | undefined, msg: string): Refusal {
  const shown = [msg, reason && han.test(reason) ? reason : ""].find((text) => text && isForPeople(text)) ?? "";
  return { code: [reason, msg].find(isErrorCode) ?? "failure", ...messageOf(shown) };
}

/** HTTP failures: 413 has its own code, the others keep the body's message if it was written for people. */
export function refusalOfStatus(status: number, message: string): Refusal {
  if (status === 413) return { code: "too-large" };
  const shown = isWrittenByServer(message) ? "" : message;
  return { code: status === 429 ? "too-many" : "request-failed", ...messageOf(shown) };
}

const reasonPhrases = new Set(Object.values(STATUS_CODES).map((phrase) => phrase?.toLowerCase()));

const han = /\p{Script=Han}/u;
const stack = /\bat .+[(:]|Error\b|Exception\b/;

/** True for a status phrase ("Not Found"), a stack, a path or an exception, which frameworks write. */
function isWrittenByServer(text: string): boolean {
  const isPhrase = reasonPhrases.has(
    text
      .replace(/^\d{3}\s*/, "")
      .trim()
      .replace(/[.!]$/, "")
      .toLowerCase(),
  );
  const isTrace = stack.test(text) || /<\/?\w+|[\\/]\w+[\\/]|\.[cm]?[jt]s\b/.test(text);
  return isPhrase || isTrace || /\bcannot (get|post)\b/i.test(text);
}

/** An envelope's message: Chinese may have markup or an address in it, but no stack. */
const isForPeople = (text: string) =>
  isErrorCode(text) || (han.test(text) ? !stack.test(text) : !isWrittenByServer(text));

const messageMax = 500;

/** The upstream's message on one line, at most 500 characters; none if it is an error code. */
function messageOf(text: string): { message?: string } {
  const shown = [...text.replace(/[\p{Cc}\u2028\u2029]+/gu, " ").trim()].slice(0, messageMax).join("");
  return shown && !isErrorCode(shown) ? { message: shown } : {};
}
