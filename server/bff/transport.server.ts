import { Readable } from "node:stream";
import type { ReadableStream as NodeReadableStream } from "node:stream/web";
import { Agent, type Dispatcher, request } from "undici";
import { UpstreamRefusal } from "./refusal.server";

/** Bytes that are buffered ahead of a slower reader. */
export const aheadBytes = 256 * 1024;

/** A request to the upstream, over the network or in process. */
export interface Outgoing {
  method: "GET" | "POST";
  url: URL;
  headers: Record<string, string>;
  body?: string | ReadableStream<Uint8Array>;
  signal: AbortSignal;
}

export interface Incoming {
  status: number;
  header(name: string): string | null;
  /** Read it to its end or destroy it; otherwise its connection stays occupied. */
  readonly body: Readable;
  /** The whole body as text, instead of `body`. Throws UpstreamRefusal above `maxBytes`. */
  text(maxBytes: number): Promise<string>;
}

export type Transport = (outgoing: Outgoing) => Promise<Incoming>;
export type EmbeddedFetch = (request: Request) => Response | Promise<Response>;

export interface NetworkTimeouts {
  connectMs: number;
  headersMs: number;
}
export const networkTimeouts: NetworkTimeouts = { connectMs: 5_000, headersMs: 20_000 };

/**
 * Pooled keep-alive connections. Uses undici's `request`: unlike `fetch` it can send a body with GET and keeps no copy of
 * a streamed body; it follows no redirects and decompresses nothing, so neither can be abused.
 */
export function createNetworkTransport(
  timeouts = networkTimeouts,
  connect: Agent.Options["connect"] = {},
  connections: number | null = 64,
): Transport {
  const agent = new Agent({
    connections,
    keepAliveTimeout: 30_000,
    connect: { timeout: timeouts.connectMs, ...connect },
  });
  return async ({ method, url, headers, body, signal }) => {
    const isStream = body instanceof ReadableStream;
    const answer = await request(url, {
      method,
      headers,
      body: isStream ? Readable.fromWeb(body as NodeReadableStream) : (body ?? null),
      signal,
      dispatcher: agent,
      // An upload takes as long as the sender's connection; its own timeout checks for progress.
      headersTimeout: isStream ? 0 : timeouts.headersMs,
      bodyTimeout: timeouts.headersMs,
      highWaterMark: aheadBytes,
    });
    const { statusCode: status } = answer;
    const incoming = ignoreErrors(answer.body);
    return {
      status,
      header: (name) => headerOf(answer, name),
      body: incoming,
      text: (maxBytes) => readText(incoming, maxBytes),
    };
  };
}

/** Readers receive errors themselves; an error of an unread body must not end the process. */
const ignoreErrors = (body: Readable) => body.on("error", () => {});

function headerOf({ headers }: Dispatcher.ResponseData, name: string): string | null {
  const value = headers[name];
  return (Array.isArray(value) ? value[0] : value) ?? null;
}

/** The embedded upstream: the same requests in process. */
export function createEmbeddedTransport(fetch: EmbeddedFetch): Transport {
  return async ({ method, url, headers, body, signal }) => {
    const init: RequestInit & { duplex?: "half" } = { method, headers, signal };
    // A Request cannot carry the body of a GET, which repeats the query.
    if (body !== undefined && method !== "GET") Object.assign(init, { body, duplex: "half" });
    const response = await untilAborted(answer(fetch, new Request(url, init)), signal);
    return {
      status: response.status,
      header: (name) => response.headers.get(name),
      get body() {
        const stream = response.body as NodeReadableStream | null;
        return ignoreErrors(stream ? Readable.fromWeb(stream, { signal }) : Readable.from([]));
      },
      // The embedded upstream is trusted to answer within limits.
      text: () => untilAborted(response.text(), signal),
    };
  };
}

/** Uses events: an async iterator costs a tick per chunk. */
function readText(body: Readable, maxBytes: number): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  return new Promise((resolve, reject) => {
    body.on("data", (chunk: Uint8Array) => {
      size += chunk.byteLength;
      chunks.push(chunk);
      if (size <= maxBytes) return;
      // Also closes the connection of an endless response.
      body.destroy();
      reject(new UpstreamRefusal({ code: "request-failed" }, { cause: new Error("answer too long") }));
    });
    body.once("end", () => resolve(Buffer.concat(chunks).toString("utf8")));
    body.once("error", reject);
    body.once("close", () => reject(new Error("the response ended early")));
  });
}

async function answer(fetch: EmbeddedFetch, request: Request): Promise<Response> {
  try {
    return await fetch(request);
  } catch (cause) {
    if (request.signal.aborted) throw cause;
    throw new UpstreamRefusal({ code: "request-failed" }, { cause });
  }
}

/** Rejects on abort even if the handler never answers. */
export function untilAborted<T>(work: T | Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason);
    if (signal.aborted) return abort();
    signal.addEventListener("abort", abort, { once: true });
    Promise.resolve(work)
      .then(resolve, reject)
      .finally(() => signal.removeEventListener("abort", abort));
  });
}
