import { randomUUID } from "node:crypto";
import type { Context } from "hono";
import { HTTPException } from "hono/http-exception";
import type { ContentfulStatusCode } from "hono/utils/http-status";
import { type EnvelopeCode, entitlement, failure, loginExpired, ok } from "~server/contract/codes";
import { AppError, DatabaseUnavailable, isStorageFull, storageFull } from "../errors";

/** The text of a successful answer. */
export const textOf = (data: unknown) => JSON.stringify({ code: ok, data, msg: "" });

export const answer = (c: Context, data: unknown) => answerText(c, textOf(data));

export const answerText = (c: Context, text: string): Response =>
  c.body(text, 200, { "content-type": "application/json" });

const codeOf = (error: AppError): EnvelopeCode => {
  if (error.code === "login-expired") return loginExpired;
  return error.code === "entitlement" ? entitlement : failure;
};

const statusNames = new Map<number, AppError["code"]>([
  [403, "forbidden"],
  [404, "not-found"],
  [413, "too-large"],
  [429, "too-many"],
]);

function toAppError(error: unknown): AppError {
  if (error instanceof AppError) return error;
  if (error instanceof HTTPException) {
    return new AppError(statusNames.get(error.status) ?? "bad-request", error.message, { status: error.status });
  }
  if (isStorageFull(error)) return storageFull(error);
  if (error instanceof DatabaseUnavailable) {
    return new AppError("network", error.message, { status: 503, cause: error, retryAfterSeconds: 1 });
  }
  return new AppError("request-failed", "unexpected", { status: 500, cause: error });
}

/** For refusals without a time, such as those of a text message provider. */
const defaultRetryAfterSeconds = 60;

export type ReportError = (error: unknown, request: { id: string; method: string; path: string }) => void;

/**
 * Translates errors to envelope and status. `msg` and `data.reason` are codes, never sentences. An unexpected error is
 * reported with the request id that the caller gets, and answers nothing else of itself. `answerOtherwise`: in another form
 * than the envelope, for calls that have one.
 */
export function createErrorHandler(
  report: ReportError,
  answerOtherwise: (c: Context, error: AppError) => Response | null = () => null,
) {
  return (thrown: unknown, c: Context): Response => {
    const error = toAppError(thrown);
    const requestId = requestIdOf(c);
    if (error.status >= 500) report(thrown, { id: requestId, method: c.req.method, path: c.req.path });
    const data: Record<string, unknown> = { reason: error.code, ...error.data };
    if (error.status >= 500) data.requestId = requestId;
    const retryAfterSeconds = error.retryAfterSeconds ?? (error.status === 429 ? defaultRetryAfterSeconds : undefined);
    if (retryAfterSeconds !== undefined) c.header("retry-after", String(retryAfterSeconds));
    const otherForm = answerOtherwise(c, error);
    if (otherForm) return otherForm;
    return c.json({ code: codeOf(error), data, msg: error.code }, error.status as ContentfulStatusCode);
  };
}

/** The caller's request id where it is well-formed, else a new one. */
export const newRequestIdOf = (c: Context): string => toRequestId(c.req.header("x-request-id"));

/** The id that the answer already has. Not for successful calls: `c.res` constructs a Response. */
const requestIdOf = (c: Context): string =>
  toRequestId(c.res.headers.get("x-request-id") ?? c.req.header("x-request-id"));

const toRequestId = (known: string | undefined) => (known && /^[\w-]{1,100}$/.test(known) ? known : randomUUID());
