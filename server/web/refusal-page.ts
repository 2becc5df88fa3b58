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
export function refusalPage({ status, reason, requestId, accept }: Answer): Response {
  if (accept?.includes("text/html")) {
    const html = `<!doctype html><meta charset="utf-8"><title>${status}</title><h1>${status}</h1><p>${reason}</p><p><small>${requestId}</small></p><p><a href="/">/</a></p>`;
    return new Response(html, { status, headers: { ...headers, "content-type": "text/html; charset=utf-8" } });
  }
  return Response.json(
    { code: failure, data: { reason }, msg: reason, refusal: { code: reason }, requestId },
    { status, headers },
  );
}
