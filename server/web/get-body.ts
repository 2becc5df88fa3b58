import type { IncomingMessage } from "node:http";
import { buffer } from "node:stream/consumers";

const maxBytes = 16 * 1024;
const isScalar = (value: unknown) => ["string", "number", "boolean"].includes(typeof value);

/**
 * The same GET with what its JSON body says said by its query, where the body wins: the specification sends one, and no
 * Request can carry it. A body that is no flat JSON object, too long or without a length is left unread.
 */
export async function bodyIntoQuery(request: Request, incoming: IncomingMessage | undefined): Promise<Request> {
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
