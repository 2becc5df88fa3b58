import type { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import { AwsClient } from "aws4fetch";
import { Agent, type Dispatcher, request } from "undici";
import type { S3Settings } from "../../settings/storage";
import type { LinkAnswer } from "./store";

export interface S3Request {
  method: "GET" | "HEAD" | "PUT" | "POST" | "DELETE";
  key: string;
  query?: Record<string, string>;
  headers?: Record<string, string>;
  body?: Uint8Array;
  /** Statuses from 400 that do not throw. */
  allowed?: number[];
}

interface S3Answer {
  status: number;
  header(name: string): string | null;
  /** The caller reads it to its end, destroys it, or calls `drop`. */
  body: Readable;
  drop(): Promise<void>;
}

export type S3Client = ReturnType<typeof createS3Client>;

const tries = 3;
const pauseMs = 200;
/** Waits for an answer to a read, over all tries: the caller waits for the file. */
const readMs = 9_000;
const createDispatcher = () => new Agent({ connect: { timeout: 5_000 }, headersTimeout: 20_000, bodyTimeout: 20_000 });
const retried = new Set([429, 500, 502, 503, 504]);

/** Calls to one bucket, signed with AWS Signature Version 4. Bodies are in memory, so that every call can be retried. */
export function createS3Client(place: S3Settings, dispatcher: Dispatcher = createDispatcher()) {
  const { accessKeyId, secretAccessKey, region, linkSeconds } = place;
  const signer = new AwsClient({ accessKeyId, secretAccessKey, region, service: "s3" });

  async function attempt(wanted: S3Request, signal: AbortSignal): Promise<S3Answer> {
    const { method, key, query = {}, headers = {}, body } = wanted;
    const url = urlOf(place, key);
    for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
    // A copy, because the library's types require an ArrayBuffer.
    const signed = await signer.sign(url, { method, headers, ...(body && { body: new Uint8Array(body) }) });
    const answer = await request(url, {
      method,
      headers: entriesOf(signed.headers),
      body: body ?? null,
      dispatcher,
      signal,
    });
    const header = (name: string) => {
      const value = answer.headers[name];
      return (Array.isArray(value) ? value[0] : value) ?? null;
    };
    return { status: answer.statusCode, header, body: answer.body, drop: () => answer.body.dump() };
  }

  return {
    /** Retries server errors. Throws for a status from 400 that is not allowed, with the server's code in the message. */
    async send(wanted: S3Request): Promise<S3Answer> {
      const { signal, clear } = createReadLimit(wanted.method);
      for (let tried = 1; ; tried++) {
        const isLast = tried === tries;
        const answer = await attempt(wanted, signal).catch((error: unknown) => {
          if (isLast || signal.aborted) throw error;
          return null;
        });
        if (answer && (answer.status < 400 || wanted.allowed?.includes(answer.status))) {
          clear();
          return answer;
        }
        if (answer && (isLast || !retried.has(answer.status))) throw await faultOf(answer, wanted);
        await answer?.drop();
        await sleep(pauseMs * tried);
      }
    },
    async link(key: string, { mime, fileName }: LinkAnswer): Promise<string> {
      const url = urlOf(place, key);
      url.searchParams.set("X-Amz-Expires", String(linkSeconds ?? 0));
      url.searchParams.set("response-content-type", mime);
      if (fileName) url.searchParams.set("response-content-disposition", `attachment; filename="${fileName}"`);
      return (await signer.sign(url, { method: "GET", aws: { signQuery: true } })).url;
    },
  };
}

/** Aborts a read that gets no answer; after `clear` its body may take longer. */
function createReadLimit(method: S3Request["method"]) {
  const controller = new AbortController();
  const isRead = method === "GET" || method === "HEAD";
  const end = () => controller.abort(new Error(`the bucket did not answer within ${readMs / 1000} s`));
  const timer = isRead ? setTimeout(end, readMs).unref() : undefined;
  return { signal: controller.signal, clear: () => clearTimeout(timer) };
}

function urlOf({ endpoint, bucket, style, prefix }: S3Settings, key: string): URL {
  const url = new URL(endpoint);
  const path = prefix ? `${prefix}/${key}` : key;
  if (style === "path") url.pathname = `/${bucket}/${path}`;
  else {
    url.hostname = `${bucket}.${url.hostname}`;
    url.pathname = `/${path}`;
  }
  return url;
}

const entriesOf = (headers: Headers) => Object.fromEntries(headers.entries());

async function faultOf({ status, body }: S3Answer, { method, key }: S3Request): Promise<Error> {
  const text = await buffer(body).then(
    (bytes) => bytes.toString("utf8", 0, 2_000),
    () => "",
  );
  const code = /<Code>([^<]*)<\/Code>/.exec(text)?.[1] ?? "no code";
  return new Error(`the bucket answered ${status} (${code}) to ${method} ${key}`);
}
