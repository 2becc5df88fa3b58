import { Agent, request } from "undici";
import { GatewayError } from "../gateway";

export interface Call {
  method: "GET" | "POST";
  /** Path and query. */
  target: string;
  body?: object;
  signal?: AbortSignal | undefined;
}

export interface Question {
  method: "GET" | "POST";
  url: URL;
  headers: Record<string, string>;
  body?: string | undefined;
  signal?: AbortSignal | undefined;
  /** A longer answer is an error. */
  maxBytes?: number;
}

export interface Answer {
  status: number;
  /** The header's value; "" if it is missing or repeated. */
  header(name: string): string;
  body: Buffer;
}

const timeoutMs = 10_000;
const answerMaxBytes = 256 * 1024;
/** A separate agent: ignores proxies of the environment and shares no connections. */
const direct = new Agent({ connect: { timeout: 5000 } });
/** Connection errors before anything was sent. */
const connectionErrors = new Set([
  "ECONNREFUSED",
  "ENOTFOUND",
  "EAI_AGAIN",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "UND_ERR_CONNECT_TIMEOUT",
]);

/** Sends one request, without retries and redirects. Throws GatewayError `unreachable`, or `timeout` for an unknown outcome. */
export async function exchange({ method, url, headers, body, signal, maxBytes }: Question): Promise<Answer> {
  const limit = AbortSignal.timeout(timeoutMs);
  try {
    const answer = await request(url, {
      method,
      headers,
      body: body ?? null,
      dispatcher: direct,
      signal: signal ? AbortSignal.any([signal, limit]) : limit,
    });
    const header = (name: string) => {
      const value = answer.headers[name];
      return typeof value === "string" ? value : "";
    };
    return { status: answer.statusCode, header, body: await collect(answer.body, maxBytes ?? answerMaxBytes) };
  } catch (cause) {
    const code = cause instanceof Error && "code" in cause ? String(cause.code) : "";
    if (connectionErrors.has(code)) throw new GatewayError("unreachable", `${url.host} cannot be reached`, { cause });
    throw new GatewayError("timeout", `${url.host} gave no answer`, { cause, isSilent: true });
  }
}

async function collect(body: AsyncIterable<Buffer>, maxBytes: number): Promise<Buffer> {
  const parts: Buffer[] = [];
  let length = 0;
  for await (const part of body) {
    length += part.length;
    if (length > maxBytes) throw new Error("the answer is too long");
    parts.push(part);
  }
  return Buffer.concat(parts);
}

/** The outcome is unknown; the caller retries. */
export const unknown = (what: string, cause?: unknown) => new GatewayError("timeout", what, { cause });

/** A gateway's data, or its refusal code, which may be unsigned. */
export type Reply = { ok: true; data: unknown } | { ok: false; code: string; isSigned: boolean };

/** A number that no payment has, for harmless queries. */
export const unusedTradeNumber = "0".repeat(32);

/** Parses an answer's JSON. Throws GatewayError `timeout` for malformed JSON. */
export function readJson(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString("utf8"));
  } catch (cause) {
    throw unknown("the answer is no JSON", cause);
  }
}

/** The data of a reply; throws GatewayError `refused` with the gateway's code. */
export function accepted(reply: Reply): unknown {
  if (reply.ok) return reply.data;
  throw new GatewayError("refused", `the gateway refuses: ${reply.code.slice(0, 80)}`);
}

/** Parses an answer by its schema. Throws GatewayError `timeout` for any other form. */
export function shaped<T>(schema: { parse(value: unknown): T }, value: unknown): T {
  try {
    return schema.parse(value);
  } catch (cause) {
    throw unknown("the answer has another shape", cause);
  }
}
