import { failure } from "../contract/codes";

interface Answer {
  status: number;
  reason: string;
  requestId: string;
  /** The request's Accept header: who reads pages gets one. */
  accept: string | null;
}

const headers = { "cache-control": "private, no-store", vary: "Cookie" };

/** What stops before any route: a page for people, the envelope (and a refusal) for programs. Never an empty answer. */
export function errorResponse({ status, reason, requestId, accept }: Answer): Response {
  if (accept?.includes("text/html")) {
    const html = `<!doctype html><meta charset="utf-8"><title>${status}</title><h1>${status}</h1><p>${reason}</p><p><small>${requestId}</small></p><p><a href="/">/</a></p>`;
    return new Response(html, { status, headers: { ...headers, "content-type": "text/html; charset=utf-8" } });
  }
  return Response.json(
    { code: failure, data: { reason }, msg: reason, refusal: { code: reason }, requestId },
    { status, headers },
  );
}
/** What the guard looks at, as the host resolved it: never a header that a proxy we don't trust may have set. */
export interface RequestInfo {
  method: string;
  /** The raw request target. */
  target: string;
  headers: Headers;
  /** Scheme and host under which the visitor reached us. */
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
 * Stands in front of Remix, whose own check is passed by `?_data=`, resource routes, a missing Origin and a spoofed
 * X-Forwarded-Host, and which answers junk with an empty 500. Unsafe methods must come from our own pages.
 * /api/v1 has no guard: it knows callers by headers that another site's page cannot send, and never reads a cookie; that
 * covers the payment gateways' notifications under /api/v1/pay/notify too.
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

/** No route answers to anything else, and a Request cannot even be made with some. */
export const isServedMethod = (method: string) => methods.has(method);

/** Remix takes a HEAD of a page's data for an action. */
const isPageData = (target: string) => /\.data(\?|$)/.test(target);

const hasLegacyData = (target: string) => {
  const at = target.indexOf("?");
  return at >= 0 && new URLSearchParams(target.slice(at)).has("_data");
};

/** Origin decides where there is one; a browser that sends none says where it comes from in Sec-Fetch-Site. */
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
