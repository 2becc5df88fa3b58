import { failure } from "../contract/codes";

interface ErrorResponse {
  status: number;
  reason: string;
  requestId: string;
  /** The request's Accept header; decides between HTML and JSON. */
  accept: string | null;
}

const headers = { "cache-control": "private, no-store", vary: "Cookie" };

/** The response to a request that no route handles: an HTML page, or JSON with the envelope and the refusal. */
export function errorResponse({ status, reason, requestId, accept }: ErrorResponse): Response {
  if (accept?.includes("text/html")) {
    const html = `<!doctype html><meta charset="utf-8"><meta content="light dark" name="color-scheme"><title>${status}</title><h1>${status}</h1><p>${reason}</p><p><small>${requestId}</small></p><p><a href="/">/</a></p>`;
    return new Response(html, { status, headers: { ...headers, "content-type": "text/html; charset=utf-8" } });
  }
  return Response.json(
    { code: failure, data: { reason }, msg: reason, refusal: { code: reason }, requestId },
    { status, headers },
  );
}
/** The parts of a request that the checks read; `ownOrigin` never comes from an untrusted forwarding header. */
export interface RequestInfo {
  method: string;
  /** The raw request target. */
  target: string;
  headers: Headers;
  /** Scheme and host that the client used. */
  ownOrigin: string;
}

export interface Rejection {
  status: 400 | 403 | 405 | 415;
  reason: "bad-request" | "forbidden";
}

const methods = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"]);
const formTypes = new Set([
  "application/x-www-form-urlencoded",
  "multipart/form-data",
  "application/json",
  "text/plain",
]);

/**
 * CSRF and request checks in front of Remix; null for an acceptable request. Remix's own check does not cover `?_data=`,
 * resource routes, a missing Origin or a spoofed X-Forwarded-Host, and malformed requests get an empty 500. Unsafe methods
 * must come from our own pages. /api/v1 is not checked: it authenticates by headers that a foreign page cannot send, and
 * reads no cookies. The same holds for the payment notifications under /api/v1/pay/notify.
 */
export function rejectRequest({ method, target, headers, ownOrigin }: RequestInfo): Rejection | null {
  if (!target.startsWith("/")) return { status: 400, reason: "bad-request" };
  if (!isServedMethod(method) || (method === "HEAD" && isPageData(target)))
    return { status: 405, reason: "bad-request" };
  if (hasLegacyData(target)) return { status: 400, reason: "bad-request" };
  if (method === "GET" || method === "HEAD") return null;
  if (!isSameOrigin(headers, ownOrigin)) return { status: 403, reason: "forbidden" };
  return hasReadableBody(headers) ? null : { status: 415, reason: "bad-request" };
}

/** Rendered pages of one address, which may be an office; visitors' pages from the cache do not count. */
const pageRate = { limit: 1_000, windowMs: 10_000 };

/** Counts a page and returns the seconds to wait, or 0. This machine itself is not limited. */
export function createPageRate(now = Date.now): (address: string) => number {
  const counts = new Map<string, number>();
  let endsAt = 0;
  return (address) => {
    if (/^(127\.|::1)/.test(address)) return 0;
    if (now() >= endsAt) {
      counts.clear();
      endsAt = now() + pageRate.windowMs;
    }
    const count = (counts.get(address) ?? 0) + 1;
    counts.set(address, count);
    return count > pageRate.limit ? Math.ceil((endsAt - now()) / 1000) : 0;
  };
}

/** Other methods have no route, and some cannot be given to the Request constructor. */
export const isServedMethod = (method: string) => methods.has(method);

/** Remix runs an action for a HEAD request of a page's data. */
const isPageData = (target: string) => /\.data(\?|$)/.test(target);

const hasLegacyData = (target: string) => {
  const at = target.indexOf("?");
  return at >= 0 && new URLSearchParams(target.slice(at)).has("_data");
};

/** Compares Origin; browsers that omit it send Sec-Fetch-Site. */
function isSameOrigin(headers: Headers, ownOrigin: string): boolean {
  const origin = headers.get("origin");
  return origin === null ? headers.get("sec-fetch-site") === "same-origin" : origin === ownOrigin;
}

function hasReadableBody(headers: Headers): boolean {
  const hasBody = headers.has("transfer-encoding") || Number(headers.get("content-length") ?? 0) > 0;
  const [name = "", ...parameters] = (headers.get("content-type") ?? "").toLowerCase().split(";");
  const type = name.trim();
  if (type === "") return !hasBody;
  if (type === "multipart/form-data" && !parameters.some((text) => /^\s*boundary="?[^"\s]{1,70}"?\s*$/.test(text)))
    return false;
  return formTypes.has(type);
}
