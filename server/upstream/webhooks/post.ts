import { request as requestHttp } from "node:http";
import { request as requestHttps } from "node:https";
import { isPublicHost, publicLookup } from "~server/public-address";

/** `any` also allows http, private and loopback addresses: for tests, and servers in one's own network. */
export type WebhookAddresses = "public" | "any";

/** The address where events may be sent to; null for any other. */
export function parseWebhookUrl(text: string, allowed: WebhookAddresses): URL | null {
  if (!URL.canParse(text)) return null;
  const url = new URL(text);
  const isAllowed = url.protocol === "https:" || (allowed === "any" && url.protocol === "http:");
  if (!isAllowed || url.username !== "" || url.password !== "") return null;
  return allowed === "any" || isPublicHost(url) ? url : null;
}

interface PostRequest {
  url: URL;
  headers: Record<string, string>;
  body: string;
  allowed: WebhookAddresses;
  signal: AbortSignal;
}

const timeoutMs = 15_000;

/**
 * Sends an event and answers the status; redirects are not followed, and the body of the answer is not read. The connection
 * goes to the address that was checked. Throws where there is no answer in time.
 */
export function postEvent({ url, headers, body, allowed, signal }: PostRequest): Promise<number> {
  const send = url.protocol === "https:" ? requestHttps : requestHttp;
  return new Promise((resolve, reject) => {
    const sent = send(url, {
      method: "POST",
      headers: { ...headers, "content-length": Buffer.byteLength(body) },
      agent: false,
      signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
      ...(allowed === "public" && { lookup: publicLookup }),
    });
    sent.on("error", reject);
    sent.on("response", (response) => {
      resolve(response.statusCode ?? 0);
      response.destroy();
    });
    sent.end(body);
  });
}
