import { type FormData, request } from "undici";
import { SpeechError, type SpeechFault } from "../../engine";
import type { Backend, RemoteSpeech } from "./remote-engine";
import { type AudioBody, readSamples } from "./samples";

/** One kind of server over HTTP, as the protocol of its own makes it. */
export interface HttpServer extends Omit<Backend, "say" | "probe"> {
  ask(speech: RemoteSpeech, signal: AbortSignal): Ask | Promise<Ask>;
  /** Of raw samples. */
  rateOf(reply: Reply): number;
  health: { url: string; headers?: Record<string, string> };
}

/** Asks a server and reads its reply as it streams in. */
export function createHttpBackend({ ask, rateOf, health, ...server }: HttpServer): Backend {
  return {
    ...server,
    async *say(speech, signal) {
      const reply = await post(await ask(speech, signal), signal);
      yield* readSamples(reply, rateOf(reply));
    },
    probe: () => answers(health.url, health.headers),
  };
}

/** One request to a speech server. */
export interface Ask {
  url: string;
  headers?: Record<string, string>;
  /** JSON unless it is a form. */
  body: FormData | Record<string, unknown>;
  /** What an error body of this server means; the status alone decides where it says nothing. */
  faultOf?(status: number, body: string): SpeechFault | undefined;
}

export interface Reply extends AudioBody {
  /** A header by its name in small letters. */
  header(name: string): string | undefined;
}

const longestError = 2000;
const longestProbeMs = 3000;

/** Posts and gives the reply as it streams in. Throws SpeechError for every status but success, and what undici throws. */
export async function post({ url, headers = {}, body, faultOf }: Ask, signal: AbortSignal): Promise<Reply> {
  const isForm = "append" in body && typeof body.append === "function";
  const {
    statusCode,
    headers: answered,
    body: stream,
  } = await request(url, {
    method: "POST",
    headers: isForm ? headers : { "content-type": "application/json", ...headers },
    body: isForm ? (body as FormData) : JSON.stringify(body),
    signal,
    // Whoever calls keeps the time.
    headersTimeout: 0,
    bodyTimeout: 0,
  });
  if (statusCode !== 200) {
    const text = (await stream.text()).slice(0, longestError);
    throw new SpeechError(
      faultOf?.(statusCode, text) ?? faultOfStatus(statusCode),
      `${url} said ${statusCode}: ${text}`,
    );
  }
  const header = (name: string) => {
    const value = answered[name];
    return Array.isArray(value) ? value[0] : value;
  };
  return { contentType: header("content-type") ?? "", header, bytes: stream };
}

function faultOfStatus(status: number): SpeechFault {
  if (status === 429 || status === 503) return "overloaded";
  if (status === 408 || status === 504) return "timeout";
  // This text or voice is refused; another request may well be answered.
  return status === 400 || status === 413 || status === 422 ? "text" : "engine";
}

/** Whether a server answers at an address, within three seconds. Never throws. */
export async function answers(url: string, headers: Record<string, string> = {}): Promise<boolean> {
  try {
    const { statusCode, body } = await request(url, { headers, signal: AbortSignal.timeout(longestProbeMs) });
    await body.dump();
    return statusCode < 400;
  } catch {
    return false;
  }
}
