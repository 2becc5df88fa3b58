import type { IncomingMessage, ServerResponse } from "node:http";
import type { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import type { SecureHeadersVariables } from "hono/secure-headers";
import type { ClientConnection } from "./connection";

const maxBytes = 16 * 1024;
const isScalar = (value: unknown) => ["string", "number", "boolean"].includes(typeof value);

/**
 * The same GET with what its JSON body says said by its query, where the body wins: the specification sends one, and no
 * Request can carry it. A body that is no flat JSON object, too long or without a length is left unread.
 */
export async function moveBodyToQuery(request: Request, incoming: IncomingMessage | undefined): Promise<Request> {
  const length = Number(incoming?.headers["content-length"] ?? 0);
  const isJson = incoming?.headers["content-type"]?.startsWith("application/json") === true;
  if (!incoming || request.method !== "GET" || !isJson || !(length > 0 && length <= maxBytes)) return request;
  const said = parseObject(await buffer(incoming));
  const url = new URL(request.url);
  for (const [name, value] of Object.entries(said)) if (isScalar(value)) url.searchParams.set(name, String(value));
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

/** What the host's middleware learnt about a request. */
export interface WebEnv {
  Bindings: { incoming?: IncomingMessage; outgoing?: ServerResponse };
  Variables: SecureHeadersVariables & {
    arrival: ClientConnection;
    requestId: string;
    /** The answer's body, to be piped as it is: see piping.ts. */
    stream?: Readable;
    /** No stream: all of the answer's body is at hand. */
    isWhole?: boolean;
  };
}

const untrusted = [
  "x-forwarded-for",
  "x-forwarded-host",
  "x-forwarded-proto",
  "x-forwarded-port",
  "forwarded",
  "x-real-ip",
];

/** The request as the site sees it: under the address people use, and without what a stranger may have put in. */
export function sanitizeRequest(raw: Request, ownOrigin: string, extra: Record<string, string> = {}): Request {
  const headers = new Headers(raw.headers);
  for (const name of untrusted) headers.delete(name);
  // A proxy may have named another host to us; Remix compares Origin with this one.
  headers.set("host", new URL(ownOrigin).host);
  for (const [name, value] of Object.entries(extra)) headers.set(name, value);
  const { pathname, search } = new URL(raw.url);
  const hasBody = raw.method !== "GET" && raw.method !== "HEAD" && raw.body !== null;
  const init: RequestInit & { duplex?: "half" } = { method: raw.method, headers, signal: raw.signal };
  return new Request(`${ownOrigin}${pathname}${search}`, hasBody ? { ...init, body: raw.body, duplex: "half" } : init);
}
