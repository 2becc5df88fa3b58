import type { IncomingMessage, ServerResponse } from "node:http";
import type { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import type { Context } from "hono";
import type { SecureHeadersVariables } from "hono/secure-headers";
import type { ClientConnection } from "./connection";

const maxBytes = 16 * 1024;
const isScalar = (value: unknown) => ["string", "number", "boolean"].includes(typeof value);

/**
 * Merges the JSON body of a GET into its query; the body wins. The specification sends such bodies, and a Request cannot
 * carry one. Ignores bodies that are not flat JSON objects, longer than 16 KiB, or without a content-length.
 */
export async function moveBodyToQuery(request: Request, incoming: IncomingMessage | undefined): Promise<Request> {
  const length = Number(incoming?.headers["content-length"] ?? 0);
  const isJson = incoming?.headers["content-type"]?.startsWith("application/json") === true;
  if (!incoming || request.method !== "GET" || !isJson || !(length > 0 && length <= maxBytes)) return request;
  const fields = parseObject(await buffer(incoming));
  const url = new URL(request.url);
  for (const [name, value] of Object.entries(fields)) if (isScalar(value)) url.searchParams.set(name, String(value));
  const { headers, signal } = request;
  return new Request(url, { headers, signal });
}

function parseObject(bytes: Uint8Array): object {
  try {
    const value: unknown = JSON.parse(Buffer.from(bytes).toString());
    return typeof value === "object" && value !== null && !Array.isArray(value) ? value : {};
  } catch {
    return {};
  }
}

/** Bindings and variables of the Hono app. */
export interface WebEnv {
  Bindings: { incoming?: IncomingMessage; outgoing?: ServerResponse };
  Variables: SecureHeadersVariables & {
    connection: ClientConnection;
    requestId: string;
    /** A response body for `pipeStreams`. */
    stream?: Readable;
  };
}

export type WebContext = Context<WebEnv>;

export const isRead = ({ method }: WebContext["req"]) => method === "GET" || method === "HEAD";

/** The raw request target. */
export const targetOf = ({ env, req }: WebContext): string =>
  env?.incoming?.url ?? req.raw.url.replace(/^https?:\/\/[^/]*/, "");

/** The encoding in which the client gets a compressible answer. */
export function encodingOf({ req }: WebContext): "br" | "gzip" | null {
  const parts = (req.header("accept-encoding") ?? "").toLowerCase().split(",");
  const wanted = parts.filter((part) => !/;\s*q=0(\.0*)?\s*$/.test(part)).map((part) => part.split(";")[0]?.trim());
  return wanted.includes("br") ? "br" : wanted.includes("gzip") ? "gzip" : null;
}

const untrusted = [
  "x-forwarded-for",
  "x-forwarded-host",
  "x-forwarded-proto",
  "x-forwarded-port",
  "forwarded",
  "x-real-ip",
];

/** The request under the site's public origin, without forwarding headers that the client may have forged. */
export function sanitizeRequest(raw: Request, ownOrigin: string, extra: Record<string, string> = {}): Request {
  const headers = new Headers(raw.headers);
  for (const name of untrusted) headers.delete(name);
  // Behind a proxy the Host header may be an internal name; Remix compares Origin with it.
  headers.set("host", new URL(ownOrigin).host);
  for (const [name, value] of Object.entries(extra)) headers.set(name, value);
  const { pathname, search } = new URL(raw.url);
  const hasBody = raw.method !== "GET" && raw.method !== "HEAD" && raw.body !== null;
  const init: RequestInit & { duplex?: "half" } = { method: raw.method, headers, signal: raw.signal };
  return new Request(`${ownOrigin}${pathname}${search}`, hasBody ? { ...init, body: raw.body, duplex: "half" } : init);
}
