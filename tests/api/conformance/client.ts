import { randomUUID } from "node:crypto";
import { Agent, request } from "undici";
import type { Call } from "~server/contract/calls/call";
import { type CallName, calls } from "~server/contract/calls/table";
import { envelope } from "~server/contract/calls/tolerant";
import { ok, otherOk } from "~server/contract/codes";

export interface ConformanceRequest {
  method: string;
  /** Path below the base URL, starting with /api/v1. */
  path: string;
  headers: Record<string, string>;
  body?: string | FormData | undefined;
}
/** Sends a request over the network or in process. */
export type Send = (outgoing: ConformanceRequest) => Promise<Response>;

/** GET may have a body, which `fetch` does not support. */
export function sendTo(base: string): Send {
  const dispatcher = new Agent({ headersTimeout: 22_000 });
  return async ({ method, path, headers, body }) => {
    if (body instanceof FormData) return fetch(`${base}${path}`, { method, headers, body });
    const answer = await request(`${base}${path}`, { method, headers, body: body ?? null, dispatcher });
    const bytes = await answer.body.arrayBuffer();
    const isEmpty = answer.statusCode === 204 || answer.statusCode === 304;
    return new Response(isEmpty ? null : bytes, {
      status: answer.statusCode,
      headers: Object.fromEntries(Object.entries(answer.headers).map(([name, value]) => [name, String(value)])),
    });
  };
}

export interface ConformanceResponse {
  status: number;
  /** Null if the answer has no envelope. */
  code: number | null;
  /** As it was sent: "0", 200. */
  sentCode: unknown;
  msg: string;
  data: unknown;
  reason: string | undefined;
}

export interface Credentials {
  appId: string;
  token: string;
  /** Address of the upstream, which absolute file addresses may have. */
  base?: string | undefined;
  /** Between two questions about what is not done yet. */
  pauseMs?: number | undefined;
}

/** A separate visitor, so that the upstream counts the suite's trials separately. */
export function createClient(send: Send, { appId, token, base = "http://api.invalid", pauseMs = 1_000 }: Credentials) {
  const visitorId = randomUUID();
  const headersOf = (own: Record<string, string>) => ({ appid: appId, token, "x-visitor-id": visitorId, ...own });

  async function read(response: Response): Promise<ConformanceResponse> {
    const body: unknown = await response.json().catch(() => null);
    const sent = (typeof body === "object" && body !== null ? body : {}) as { code?: unknown; msg?: unknown };
    const { status } = response;
    const parsed = envelope.safeParse(body);
    if (!parsed.success) return { status, code: null, sentCode: sent.code, msg: "", data: null, reason: undefined };
    const { code, data, msg } = parsed.data;
    const reason = typeof data === "object" && data !== null && "reason" in data ? String(data.reason) : undefined;
    // Read as success by the site too; "success is code 0" names it.
    const isOk = code === otherOk && response.ok;
    return { status, code: isOk ? ok : code, sentCode: sent.code, msg, data, reason };
  }

  const pathOf = (address: string) => (address.startsWith(`${base}/`) ? address.slice(base.length) : address);

  return {
    base,
    pauseMs,
    pathOf,
    hasToken: token !== "",
    /** Sends a call as the contract specifies; `own` headers take precedence. */
    async call(
      name: CallName,
      input: Record<string, unknown>,
      own: Record<string, string> = {},
    ): Promise<ConformanceResponse> {
      return read(await send(toOutgoing(calls[name], input, headersOf(own))));
    },
    /** A body that is not JSON. */
    async callMalformed(name: CallName): Promise<ConformanceResponse> {
      const { method, path } = calls[name];
      const headers = headersOf({ "content-type": "application/json" });
      return read(await send({ method, path: `/api/v1${path}`, headers, body: '{"a":' }));
    },
    upload: async (name: CallName, form: FormData): Promise<ConformanceResponse> =>
      read(await send({ method: "POST", path: `/api/v1${calls[name].path}`, headers: headersOf({}), body: form })),
    /** A file of the upstream; one of another host without the token. */
    file(address: string, own: Record<string, string> = {}): Promise<Response> {
      const path = pathOf(address);
      return path.startsWith("/")
        ? send({ method: "GET", path, headers: headersOf(own) })
        : fetch(path, { headers: own });
    },
  };
}
export type Client = ReturnType<typeof createClient>;

function toOutgoing(
  { method, path, sends }: Call,
  input: Record<string, unknown>,
  headers: Record<string, string>,
): ConformanceRequest {
  const isQuery = sends === "query" || sends === "query-and-json";
  const query = new URLSearchParams(Object.entries(isQuery ? input : {}).map(([name, value]) => [name, String(value)]));
  const target = `/api/v1${path}${query.size > 0 ? `?${query}` : ""}`;
  if (sends !== "json" && sends !== "query-and-json") return { method, path: target, headers };
  const json = { ...headers, "content-type": "application/json", "idempotency-key": randomUUID() };
  return { method, path: target, headers: json, body: JSON.stringify(input) };
}

const missingCodes = new Set([404, 405, 501]);

/** A missing call is a 404, 405 or 501, as status or as code; a missing record has a reason too. */
export const isMissing = ({ status, code, reason }: ConformanceResponse) =>
  code !== ok && reason === undefined && (missingCodes.has(status) || missingCodes.has(code ?? ok));

/** The answer with its code as it was sent, and its message. */
export const shown = ({ status, sentCode, reason, msg }: ConformanceResponse) =>
  `HTTP ${status}, code ${sentCode === undefined ? "none" : JSON.stringify(sentCode)}${reason ? ` (${reason})` : ""}${
    msg && msg !== reason ? `, msg ${JSON.stringify(msg.slice(0, 100))}` : ""
  }`;

/** Null for a refusal that the BFF understands: an envelope with a code other than 0, or a 4xx. */
export function findUnrefused(answer: ConformanceResponse): string | null {
  if (answer.status >= 500) return `answered ${shown(answer)}`;
  if (answer.code === ok) return "accepted";
  return answer.code === null && answer.status < 400 ? `answered ${shown(answer)}` : null;
}
