import { setTimeout as sleep } from "node:timers/promises";
import { createParser } from "eventsource-parser";
import { type FormData, request } from "undici";
import { SpeechError, type SpeechFault } from "../../engine";
import type { PcmSound } from "../remote/samples";

/** An answer that the vendor's protocol calls a failure. */
export class VendorError extends SpeechError {
  constructor(
    fault: SpeechFault,
    /** The vendor's own code. */
    readonly code: string,
    message: string,
    /** The same request may succeed in a moment. */
    readonly isPassing: boolean,
  ) {
    super(fault, message);
  }
}

export interface VendorCall {
  url: string;
  headers: Record<string, string>;
  /** JSON text, or a form; absent for a GET. */
  body?: string | FormData;
}

export interface VendorAnswer {
  status: number;
  text: string;
}

/** Maps a failed answer to an error; null for an answer without a failure. */
export type FindFailure = (answer: VendorAnswer) => VendorError | null;

const maxErrorChars = 500;
/** Neither vendor states when to come back after 429. */
const retryDelaysMs = [500, 1500];

/** A vendor's words for logs: never a key, and not a whole page of markup. */
export const toErrorText = (text: string): string => text.replace(/(sk-|eyJ)[\w.-]+/g, "$1…").slice(0, maxErrorChars);

/** Repeats work that fails for a passing reason, twice at most. Throws what the last attempt threw. */
export async function withRetries<Value>(work: () => Promise<Value>, signal: AbortSignal): Promise<Value> {
  for (const delayMs of retryDelaysMs) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof VendorError) || !error.isPassing) throw error;
      await sleep(delayMs, undefined, { signal });
    }
  }
  return work();
}

/** Streams sounds; passing failures before the first one are repeated. Throws 'engine' if there is none. */
export async function* streamWithRetries(
  open: () => AsyncGenerator<PcmSound>,
  signal: AbortSignal,
): AsyncGenerator<PcmSound> {
  const { sounds, first } = await withRetries(async () => {
    const opened = open();
    return { sounds: opened, first: await opened.next() };
  }, signal);
  if (first.done) throw new SpeechError("engine", "no sound");
  yield first.value;
  yield* sounds;
}

/** Posts and reads the whole answer. Throws VendorError, and undici's errors. */
export async function callVendor(call: VendorCall, findFailure: FindFailure, signal: AbortSignal): Promise<string> {
  const { statusCode, body } = await send(call, signal);
  const answer = { status: statusCode, text: await body.text() };
  const failure = findFailure(answer);
  if (failure) throw failure;
  return answer.text;
}

/** Posts and streams the data of server-sent events. A failure may be an event, or a JSON answer instead of a stream. */
export async function* streamVendor(
  call: VendorCall,
  findFailure: FindFailure,
  signal: AbortSignal,
): AsyncGenerator<string> {
  const { statusCode, headers, body } = await send(call, signal);
  if (!String(headers["content-type"]).startsWith("text/event-stream")) {
    const answer = { status: statusCode, text: await body.text() };
    throw findFailure(answer) ?? new SpeechError("engine", `no event stream: ${toErrorText(answer.text)}`);
  }
  const events: string[] = [];
  const parser = createParser({ onEvent: ({ data }) => void events.push(data) });
  const decoder = new TextDecoder();
  for await (const bytes of body) {
    parser.feed(decoder.decode(bytes as Uint8Array, { stream: true }));
    for (const text of events.splice(0)) {
      const failure = findFailure({ status: statusCode, text });
      if (failure) throw failure;
      yield text;
    }
  }
}

function send({ url, headers, body }: VendorCall, signal: AbortSignal) {
  const type = typeof body === "string" ? { "content-type": "application/json" } : {};
  // The caller limits the time.
  return request(url, {
    method: body === undefined ? "GET" : "POST",
    headers: { ...type, ...headers },
    ...(body !== undefined && { body }),
    signal,
    headersTimeout: 0,
    bodyTimeout: 0,
  });
}

/** 16-bit samples of byte pieces that may split one. */
export function createSampleJoiner(): (bytes: Buffer) => Int16Array {
  let odd: Buffer = Buffer.alloc(0);
  return (bytes) => {
    const whole = odd.length > 0 ? Buffer.concat([odd, bytes]) : bytes;
    const length = whole.length - (whole.length % 2);
    odd = Buffer.from(whole.subarray(length));
    const pcm = new Int16Array(length / 2);
    for (let i = 0; i < pcm.length; i++) pcm[i] = whole.readInt16LE(2 * i);
    return pcm;
  };
}
