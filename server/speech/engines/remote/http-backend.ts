import { type FormData, request } from "undici";
import { SpeechError, type SpeechFault } from "../../engine";
import type { Backend, RemoteSpeech } from "./backend";
import { type AudioBody, readSamples } from "./samples";

/** Protocol of a speech server over HTTP. */
export interface HttpServer extends Omit<Backend, "say" | "probe"> {
  toRequest(speech: RemoteSpeech, signal: AbortSignal): SpeechServerRequest | Promise<SpeechServerRequest>;
  /** Sample rate of raw samples. */
  rawRateOf(reply: Reply): number;
  health: { url: string; headers?: Record<string, string> };
}

/** A backend that posts requests and streams the replies. */
export function createHttpBackend({ toRequest, rawRateOf, health, ...server }: HttpServer): Backend {
  return {
    ...server,
    async *say(speech, signal) {
      const reply = await post(await toRequest(speech, signal), signal);
      yield* readSamples(reply, rawRateOf(reply));
    },
    probe: () => isReachable(health.url, health.headers),
  };
}

/** A request to a speech server. */
export interface SpeechServerRequest {
  url: string;
  headers?: Record<string, string>;
  /** Sent as JSON unless it is a form. */
  body: FormData | Record<string, unknown>;
  /** Maps an error reply to a fault; undefined falls back to the status. */
  faultOf?(status: number, body: string): SpeechFault | undefined;
}

export interface Reply extends AudioBody {
  /** A header by lower-case name. */
  header(name: string): string | undefined;
}

const maxErrorChars = 2000;
const probeTimeoutMs = 3000;

/** Posts a request and returns the streaming reply. Throws SpeechError for error statuses, and undici errors. */
export async function post(
  { url, headers = {}, body, faultOf }: SpeechServerRequest,
  signal: AbortSignal,
): Promise<Reply> {
  const isForm = "append" in body && typeof body.append === "function";
  const {
    statusCode,
    headers: responseHeaders,
    body: stream,
  } = await request(url, {
    method: "POST",
    headers: isForm ? headers : { "content-type": "application/json", ...headers },
    body: isForm ? (body as FormData) : JSON.stringify(body),
    signal,
    // The caller limits the time.
    headersTimeout: 0,
    bodyTimeout: 0,
  });
  if (statusCode !== 200) {
    const text = (await stream.text()).slice(0, maxErrorChars);
    throw new SpeechError(
      faultOf?.(statusCode, text) ?? faultOfStatus(statusCode),
      `${url} returned ${statusCode}: ${text}`,
    );
  }
  const header = (name: string) => {
    const value = responseHeaders[name];
    return Array.isArray(value) ? value[0] : value;
  };
  return { contentType: header("content-type") ?? "", header, bytes: stream };
}

function faultOfStatus(status: number): SpeechFault {
  if (status === 429 || status === 503) return "overloaded";
  if (status === 408 || status === 504) return "timeout";
  // Only this request is rejected.
  return status === 400 || status === 413 || status === 422 ? "text" : "engine";
}

/** True if the server answers within three seconds. Never throws. */
export async function isReachable(url: string, headers: Record<string, string> = {}): Promise<boolean> {
  try {
    const { statusCode, body } = await request(url, { headers, signal: AbortSignal.timeout(probeTimeoutMs) });
    await body.dump();
    return statusCode < 400;
  } catch {
    return false;
  }
}
