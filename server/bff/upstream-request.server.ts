import { setTimeout as sleep } from "node:timers/promises";
import md5 from "md5";
import { type CallName, type CallRequest, calls } from "../contract/calls/table";
import { uncounted } from "../contract/calls/tolerant";
import { pageSizeDefault } from "../contract/limits";
import { UpstreamRefusal } from "./refusal.server";
import type { Incoming, Outgoing, Transport } from "./transport.server";
import { isTooDeep } from "./upstream-call.server";

type Defaulted = "page" | "pageSize" | "speed" | "genre" | "size" | "since";
/** Fields that the schemas or the client fill in are optional. */
type WithDefaults<T> = Omit<T, Defaulted | "sign"> & Partial<Pick<T, Defaulted & keyof T>>;
export type CallInput<N extends CallName> = WithDefaults<CallRequest<N>>;

const retriedStatuses = new Set([408, 409, 425, 429, 500, 502, 503, 504]);
const maxRetryDelayMs = 2_000;

/** A call with its input, before it is validated. */
export interface Sent<N extends CallName> {
  name: N;
  input: CallInput<N>;
  idempotencyKey?: string | undefined;
}

/** The HTTP request of a call. Throws UpstreamRefusal `bad-request` for input that the contract refuses. */
export function toOutgoing<N extends CallName>(name: N, input: CallInput<N>, base: string): Omit<Outgoing, "signal"> {
  const { method, path, sends, request } = calls[name];
  if (isTooDeep(input)) throw new UpstreamRefusal({ code: "bad-request" });
  const read = request.safeParse(signed(name, input));
  if (!read.success) throw new UpstreamRefusal({ code: "bad-request" }, { cause: read.error });
  const url = new URL(`${base}/api/v1${path}`);
  if (sends === "query" || sends === "query-and-json") {
    for (const [key, value] of Object.entries(read.data ?? {}))
      if (value !== undefined) url.searchParams.set(key, String(value));
  }
  const hasBody = sends === "json" || sends === "query-and-json";
  if (!hasBody) return { method, url, headers: {} };
  return { method, url, headers: { "content-type": "application/json" }, body: JSON.stringify(read.data) };
}

/**
 * Repeats a failed write once, under the same idempotency key, unless the upstream asks for a longer wait than a person
 * would take; reads are not repeated.
 */
export async function sendWithRetry(transport: Transport, outgoing: Outgoing): Promise<Incoming> {
  const first = await transport(outgoing);
  if (outgoing.method === "GET" || !retriedStatuses.has(first.status)) return first;
  const delayMs = retryDelayMs(first.header("retry-after"));
  if (delayMs > maxRetryDelayMs) return first;
  first.body.destroy();
  await sleep(delayMs, undefined, { signal: outgoing.signal });
  return transport(outgoing);
}

function retryDelayMs(retryAfter: string | null): number {
  if (!retryAfter) return 100 + Math.random() * 200;
  const seconds = Number(retryAfter);
  const delayMs = Number.isFinite(seconds) ? seconds * 1000 : Date.parse(retryAfter) - Date.now();
  return Math.max(delayMs || 0, 0);
}

/** The number of rows; `isUncounted` if there may be more, which `total` then leads to. */
export interface RowCount {
  total: number;
  isUncounted?: true | undefined;
}

/**
 * A list whose upstream does not count gets a total that leads to a next page while pages are full. One longer than a page
 * is the whole list: its page is cut out.
 */
export function withTotal<Data>(data: Data, paging: { page?: number; pageSize?: number }): Data {
  const { page = 1, pageSize = pageSizeDefault } = paging;
  const { list, total } = (data ?? {}) as { list?: unknown[]; total?: number };
  if (!list || total !== uncounted) return data;
  const start = (page - 1) * pageSize;
  if (list.length > pageSize) return { ...data, list: list.slice(start, start + pageSize), total: list.length };
  const end = start + list.length;
  return list.length === pageSize ? { ...data, total: end + 1, isUncounted: true } : { ...data, total: end };
}

/** A string or number as text; "" for any other value. */
const textOf = (value: unknown): string => (typeof value === "string" || typeof value === "number" ? `${value}` : "");

const signedField: Partial<Record<CallName, string>> = { orderCreate: "pCode", payResult: "orderId" };

/** Adds `sign` to payment calls: the MD5 of the package's code or of the order's id (specification section 7). */
export function signed(name: CallName, input: Record<string, unknown>): Record<string, unknown> {
  const field = signedField[name];
  return field ? { ...input, sign: md5(textOf(input[field])) } : input;
}
