import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { encodeWav } from "~server/speech/recording/formats/wav";

/** The server's behaviour for all further requests. */
export type Behaviour =
  | "good"
  | "slow"
  | "endless"
  | "silent"
  | "cut-off"
  | "short-wav"
  | "html"
  | "json"
  | "mp3"
  | "refuses"
  | "fails"
  | "overloaded"
  | "unauthorised"
  | "hangs-up";

export interface ReceivedRequest {
  method: string;
  path: string;
  headers: IncomingMessage["headers"];
  body: Buffer;
}

export interface SpeechServer {
  url: string;
  requests: ReceivedRequest[];
  /** Current and maximum number of concurrent requests. */
  active: { now: number; most: number };
  /** Number of connections that clients closed early. */
  disconnectCount(): number;
  behave(behaviour: Behaviour): void;
  close(): Promise<void>;
}

export interface SynthesisRequest {
  text: string;
  /** Uses samples without a header if the protocol has both. */
  isRaw?: boolean;
}

/** Request and audio format of one kind of server. */
export interface Protocol {
  healthPath: string;
  /** Seconds of audio for a request; throws `Refusal` for requests that the real server refuses. */
  read(request: ReceivedRequest): SynthesisRequest | Promise<SynthesisRequest>;
  sampleRate: number;
  /** Header before the samples; empty for raw samples. */
  header(sampleRate: number): Uint8Array;
  contentType: string | undefined;
  refusal: { status: number; body: string };
  failure: { status: number; body: string };
}

export class Refusal extends Error {
  constructor(
    readonly status: number,
    readonly body: unknown,
  ) {
    super(JSON.stringify(body));
  }
}

const syllableMs = 180;
const chunkMs = 90;

/** One tone with soft edges per syllable, which silence detection can recognise. */
export function toneOf(text: string, sampleRate: number): Int16Array {
  const syllables = Math.max(1, [...text].filter((char) => /[\p{L}\p{N}]/u.test(char)).length);
  const slack = Math.round(0.1 * sampleRate);
  const length = Math.round((syllables * syllableMs * sampleRate) / 1000);
  const pcm = new Int16Array(length + 2 * slack);
  const perSyllable = length / syllables;
  for (let i = 0; i < length; i++) {
    const shape = Math.sin((Math.PI * (i % perSyllable)) / perSyllable);
    pcm[slack + i] = Math.round(12_000 * shape * Math.sin((2 * Math.PI * 220 * i) / sampleRate));
  }
  return pcm;
}

/** A WAV header with unknown size, as streaming servers write it. */
export function streamHeader(sampleRate: number, size: number): Uint8Array {
  const header = Buffer.from(encodeWav(new Int16Array(0), sampleRate));
  header.writeUInt32LE(size === 0 ? 36 : 0xff_ff_ff_ff, 4);
  header.writeUInt32LE(size, 40);
  return header;
}

/** A local server of one protocol, on a free port. */
export async function startSpeechServer(protocol: Protocol): Promise<SpeechServer> {
  const requests: ReceivedRequest[] = [];
  const active = { now: 0, most: 0 };
  let behaviour: Behaviour = "good";
  let disconnects = 0;

  async function answer(request: ReceivedRequest, response: ServerResponse) {
    if (request.path === protocol.healthPath && request.method === "GET") {
      response.writeHead(behaviour === "fails" ? 500 : 200, { "content-type": "application/json" }).end("{}");
      return;
    }
    const reply = (status: number, body: string, type = "application/json") =>
      response.writeHead(status, { "content-type": type }).end(body);
    if (behaviour === "refuses") return reply(protocol.refusal.status, protocol.refusal.body);
    if (behaviour === "fails") return reply(protocol.failure.status, protocol.failure.body);
    if (behaviour === "overloaded") return reply(503, '{"detail":"busy"}');
    if (behaviour === "unauthorised") return reply(401, '{"detail":"Unauthorized"}');
    if (behaviour === "html") return reply(200, "<!doctype html><p>Welcome to nginx", "text/html");
    if (behaviour === "json") return reply(200, '{"task_id":"1"}');
    if (behaviour === "mp3")
      return response.writeHead(200, { "content-type": "audio/mpeg" }).end("ID3\u0004 no samples here");
    if (behaviour === "hangs-up") return response.destroy();
    await speak(await protocol.read(request), response);
  }

  async function speak({ text, isRaw }: SynthesisRequest, response: ServerResponse) {
    const { sampleRate, contentType } = protocol;
    const tone = toneOf(text, sampleRate);
    const pcm = behaviour === "silent" ? new Int16Array(tone.length) : tone;
    const samples = Buffer.from(pcm.buffer, pcm.byteOffset, pcm.byteLength);
    response.writeHead(200, contentType ? { "content-type": contentType } : {});
    const header = isRaw ? new Uint8Array(0) : protocol.header(sampleRate);
    if (behaviour === "short-wav")
      return response.end(Buffer.concat([encodeWav(pcm, sampleRate).subarray(0, 44), samples.subarray(0, 9000)]));
    // In two parts that split a sample, as can happen on sockets.
    response.write(header.subarray(0, 21));
    await sleep(2);
    response.write(Buffer.concat([header.subarray(21), samples.subarray(0, 1001)]));
    const bytes = 2 * Math.round((chunkMs * sampleRate) / 1000) + 1;
    for (let at = 1001; at < samples.length || behaviour === "endless"; at += bytes) {
      await sleep(behaviour === "slow" || behaviour === "endless" ? chunkMs : 3);
      if (response.destroyed) return;
      response.write(at < samples.length ? samples.subarray(at, at + bytes) : Buffer.alloc(2 * bytes));
      if (behaviour === "cut-off") return response.destroy();
    }
    response.end();
  }

  const server = createServer((incoming, response) => {
    const parts: Buffer[] = [];
    active.now++;
    active.most = Math.max(active.most, active.now);
    response.on("close", () => {
      active.now--;
      if (!response.writableEnded) disconnects++;
    });
    incoming.on("data", (part: Buffer) => parts.push(part));
    incoming.on("end", () => {
      const { method = "", url: path = "", headers } = incoming;
      const request = { method, path, headers, body: Buffer.concat(parts) };
      requests.push(request);
      answer(request, response).catch((error: unknown) => {
        if (!(error instanceof Refusal)) throw error;
        response.writeHead(error.status, { "content-type": "application/json" }).end(JSON.stringify(error.body));
      });
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    active,
    disconnectCount: () => disconnects,
    behave(next) {
      behaviour = next;
    },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
