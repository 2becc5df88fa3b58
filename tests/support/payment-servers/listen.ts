import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

export interface ReceivedRequest {
  method: string;
  /** Including the query. */
  target: string;
  headers: IncomingMessage["headers"];
  body: string;
}

export interface VendorResponse {
  status: number;
  headers?: Record<string, string>;
  body: string | Buffer;
}

/**
 * Network faults: `before` the request is not executed · `lost` it is executed and the connection breaks · `cut` half
 * of the answer is sent · `slow` no answer before any timeout · the others change the answer.
 */
export type NetworkFault = "before" | "lost" | "cut" | "slow" | "html" | "500" | "429" | "redirect" | "endless";

export interface PaymentServer {
  origin: string;
  /** Every received request, oldest first. */
  asked: ReceivedRequest[];
  /** Sets the fault of all further answers; undefined removes it. */
  spoil: NetworkFault | undefined;
  close(): Promise<void>;
}

/** A local server of a payment vendor. */
export async function listen(answer: (request: ReceivedRequest) => VendorResponse): Promise<PaymentServer> {
  const state: Pick<PaymentServer, "asked" | "spoil"> = { asked: [], spoil: undefined };
  const server = createServer(async (request, response) => {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part as Buffer);
    const { method = "", url = "", headers } = request;
    const received = { method, target: url, headers, body: Buffer.concat(parts).toString("utf8") };
    state.asked.push(received);
    if (state.spoil === "before") return void response.destroy();
    sendResponse(response, answer(received), state.spoil);
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const close = () =>
    new Promise<void>((done) => {
      server.close(() => done());
      server.closeAllConnections();
    });
  return Object.assign(state, { origin, close });
}

function sendResponse(
  response: ServerResponse,
  { status, headers = {}, body }: VendorResponse,
  spoil: NetworkFault | undefined,
) {
  const bytes = Buffer.from(body);
  if (spoil === "lost") return response.destroy();
  if (spoil === "slow") return;
  if (spoil === "html") return response.writeHead(200, { "content-type": "text/html" }).end("<html>busy</html>");
  if (spoil === "500") return response.writeHead(500, headers).end('{"code":"SYSTEM_ERROR"}');
  if (spoil === "429") return response.writeHead(429, headers).end('{"code":"FREQUENCY_LIMITED"}');
  if (spoil === "redirect") return response.writeHead(307, { location: "/elsewhere" }).end();
  if (spoil === "endless") return response.writeHead(status, headers).end(Buffer.alloc(80 * 1024 * 1024, " "));
  response.writeHead(status, { ...headers, "content-length": String(bytes.length) });
  if (spoil !== "cut") return response.end(bytes);
  response.write(bytes.subarray(0, bytes.length >> 1), () => response.destroy());
}

/** Fault of a call to a gateway; "no fault" for one that succeeded. */
export const fault = (call: Promise<unknown>): Promise<string> =>
  call.then(
    () => "no fault",
    (error) => error.fault ?? error.reason ?? String(error),
  );
