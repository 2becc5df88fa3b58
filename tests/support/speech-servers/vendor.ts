import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { type ReceivedRequest, toneOf } from "./server";

/** The vendor's answers to synthesis from now on; voices are created and deleted as before. */
export type VendorBehaviour =
  | "good"
  | "slow"
  | "endless"
  | "busy-once"
  | "busy"
  | "broken"
  | "refuses-text"
  | "fails-in-stream"
  | "cut-off"
  | "silent"
  | "html"
  | "hangs-up"
  | "voice-lost"
  | "no-markup";

/** A vendor's answer to a call that does not speak. */
export interface VendorReply {
  status: number;
  body: unknown;
}

export interface VendorProtocol {
  apiKey: string;
  unauthorised: VendorReply;
  isSpeech(request: ReceivedRequest): boolean;
  /** Handles calls about voices; null for a call that speaks. */
  answer(request: ReceivedRequest): VendorReply | null | Promise<VendorReply | null>;
  /** The text to speak; throws what the vendor refuses. */
  read(request: ReceivedRequest, behaviour: VendorBehaviour): string;
  sampleRate: number;
  toEvent(samples: Buffer): unknown;
  lastEvent: unknown;
  failures: Record<"busy" | "broken" | "refuses-text" | "voice-lost", VendorReply>;
}

export class VendorRefusal extends Error {
  constructor(readonly reply: VendorReply) {
    super(JSON.stringify(reply));
  }
}

const chunkMs = 90;
const oneTime: VendorBehaviour[] = ["busy-once"];

/** A local server that speaks a vendor's protocol, with its voices in memory. */
export async function startVendor(protocol: VendorProtocol) {
  const requests: ReceivedRequest[] = [];
  let behaviour: VendorBehaviour = "good";
  let disconnects = 0;
  let refusesVoices = false;

  const reply = (response: ServerResponse, { status, body }: VendorReply) =>
    response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));

  async function handle(request: ReceivedRequest, response: ServerResponse) {
    if (request.headers.authorization !== `Bearer ${protocol.apiKey}`) return reply(response, protocol.unauthorised);
    if (refusesVoices && !protocol.isSpeech(request)) return reply(response, protocol.failures.busy);
    const answered = await protocol.answer(request);
    if (answered) return reply(response, answered);
    const now = behaviour;
    if (oneTime.includes(now)) behaviour = "good";
    if (now === "hangs-up") return response.destroy();
    if (now === "html") return response.writeHead(200, { "content-type": "text/html" }).end("<p>Welcome");
    if (now === "busy-once") return reply(response, protocol.failures.busy);
    if (now === "busy" || now === "broken" || now === "refuses-text" || now === "voice-lost") {
      return reply(response, protocol.failures[now]);
    }
    await stream(protocol.read(request, now), now, response);
  }

  async function stream(text: string, now: VendorBehaviour, response: ServerResponse) {
    const { sampleRate } = protocol;
    const tone = toneOf(text, sampleRate);
    const pcm = now === "silent" ? new Int16Array(tone.length) : tone;
    const samples = Buffer.from(pcm.buffer, pcm.byteOffset, pcm.byteLength);
    response.writeHead(200, { "content-type": "text/event-stream;charset=UTF-8" });
    const send = (event: unknown) => response.write(`data: ${JSON.stringify(event)}\n\n`);
    // Odd, so that a sample is split between two events.
    const bytes = 2 * Math.round((chunkMs * sampleRate) / 1000) + 1;
    for (let at = 0; at < samples.length || now === "endless"; at += bytes) {
      await sleep(now === "slow" || now === "endless" ? chunkMs : 2);
      if (response.destroyed) return;
      send(protocol.toEvent(at < samples.length ? samples.subarray(at, at + bytes) : Buffer.alloc(2 * bytes)));
      if (now === "fails-in-stream") {
        send(protocol.failures.broken.body);
        return response.end();
      }
      if (now === "cut-off") return response.end();
    }
    send(protocol.lastEvent);
    response.end();
  }

  const server = createServer((incoming: IncomingMessage, response) => {
    const parts: Buffer[] = [];
    response.on("close", () => {
      if (!response.writableEnded) disconnects++;
    });
    incoming.on("data", (part: Buffer) => parts.push(part));
    incoming.on("end", () => {
      const { method = "", url: path = "", headers } = incoming;
      const request = { method, path, headers, body: Buffer.concat(parts) };
      requests.push(request);
      handle(request, response).catch((error: unknown) => {
        if (!(error instanceof VendorRefusal)) throw error;
        reply(response, error.reply);
      });
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    disconnectCount: () => disconnects,
    behave(next: VendorBehaviour) {
      behaviour = next;
    },
    /** Whether calls about voices are refused as too many. */
    refuseVoices(refused: boolean) {
      refusesVoices = refused;
    },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

export type Vendor = Awaited<ReturnType<typeof startVendor>>;
