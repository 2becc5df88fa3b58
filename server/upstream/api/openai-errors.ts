import type { Context } from "hono";
import type { ContentfulStatusCode } from "hono/utils/http-status";
import type { ErrorCode } from "~server/contract/codes";
import type { AppError } from "../errors";
import { isOpenAiCall } from "./auth";

interface ErrorForm {
  status: number;
  type: string;
  code: string;
  param?: string;
}

const invalid = (code: string, param?: string): ErrorForm => ({
  ...{ status: 400, type: "invalid_request_error", code },
  ...(param && { param }),
});

/** Errors that are business answers elsewhere, or that OpenAI's interface names otherwise. */
const forms: Partial<Record<ErrorCode, ErrorForm>> = {
  "login-expired": { status: 401, type: "invalid_request_error", code: "invalid_api_key" },
  forbidden: { status: 403, type: "invalid_request_error", code: "forbidden" },
  "too-many": { status: 429, type: "rate_limit_error", code: "rate_limit_exceeded" },
  unsupported: { status: 404, type: "invalid_request_error", code: "unsupported" },
  "text-empty": invalid("text_empty", "input"),
  "text-too-long": invalid("text_too_long", "input"),
  "pauses-too-long": invalid("pauses_too_long", "input"),
  "sound-too-long": invalid("sound_too_long", "input"),
  "voice-missing": invalid("voice_not_found", "voice"),
};

/** Only a missing balance is out of reach of another try; a text that is too long for the tier is not. */
const entitlementForms: Record<string, ErrorForm> = {
  quota: { status: 429, type: "insufficient_quota", code: "insufficient_quota" },
  trial: { status: 429, type: "insufficient_quota", code: "insufficient_quota" },
  tier: { status: 403, type: "invalid_request_error", code: "tier_required" },
};

function formOf({ code, status, data = {} }: AppError): ErrorForm {
  if (code === "entitlement") return entitlementForms[String(data.reason)] ?? invalid("entitlement");
  const known = forms[code];
  if (known) return known;
  if (status >= 500 || code === "synthesis-failed") {
    return { status: status >= 500 ? status : 500, type: "server_error", code: code.replaceAll("-", "_") };
  }
  const [param] = Array.isArray(data.fields) ? data.fields : [];
  const form = invalid(typeof data.code === "string" ? data.code : code.replaceAll("-", "_"), param && String(param));
  return status >= 400 ? { ...form, status } : form;
}

/**
 * Answers an error of OpenAI's interface as `{error: {message, type, param, code}}`, and tells clients not to repeat what
 * would be refused again. Null for other calls.
 */
export function answerOpenAiError(c: Context, error: AppError): Response | null {
  if (!isOpenAiCall(c)) return null;
  const { status, type, code, param = null } = formOf(error);
  const isRetryable = status >= 500 || (status === 429 && code !== "insufficient_quota");
  c.header("x-should-retry", String(isRetryable));
  const message = status >= 500 ? `${code} (request ${c.res.headers.get("x-request-id") ?? ""})` : error.message;
  return c.json({ error: { message, type, param, code } }, status as ContentfulStatusCode);
}
