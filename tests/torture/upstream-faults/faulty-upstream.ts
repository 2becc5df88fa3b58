import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { gzipSync } from "node:zlib";

type Fault = (response: ServerResponse, request: IncomingMessage) => void;

const json =
  (body: string, status = 200, headers: Record<string, string> = {}): Fault =>
  (response) =>
    response.writeHead(status, { "content-type": "application/json", ...headers }).end(body);
const envelope = (value: object) => json(JSON.stringify(value));

/** Faults of an upstream. */
export const faults = {
  hanging: () => {},
  slow: (response) => setTimeout(() => envelope({ code: 0, data: [], msg: "" })(response, response.req), 5_000).unref(),
  reset: (response) => response.socket?.resetAndDestroy(),
  "reset in mid-body": (response) => {
    response.writeHead(200, { "content-type": "application/json", "content-length": "1000" });
    response.write('{"code":0,"data":[', () => response.socket?.resetAndDestroy());
  },
  truncated: (response) => {
    response.writeHead(200, { "content-length": "1000" });
    response.write('{"code":0', () => response.socket?.end());
  },
  "stalled in mid-body": (response) => void response.writeHead(200).write('{"code":0,'),
  "malformed JSON": json('{"code":0,'),
  empty: json(""),
  HTML: json("<html><body>nginx at /etc/nginx</body></html>", 200, { "content-type": "text/html" }),
  "HTML 502": json("<html>Bad Gateway</html>", 502),
  "stack in a 500": json('{"code":7,"msg":"Error: boom at Object.<anonymous> (/srv/app/index.js:1:1)"}', 500),
  "endless body": (response) => {
    response.writeHead(200);
    const more = () => {
      while (response.write("x".repeat(65_536)));
    };
    response.on("drain", more).on("error", () => {});
    more();
  },
  "compression bomb": (response) => {
    const bomb = gzipSync(Buffer.alloc(50_000_000, 0x20));
    response.writeHead(200, { "content-type": "application/json", "content-encoding": "gzip" }).end(bomb);
  },
  "deep JSON": json(`{"code":0,"data":${"[".repeat(200_000)}${"]".repeat(200_000)}}`),
  "wrong types": envelope({ code: 0, data: { list: "none", taskId: { a: 1 } }, msg: 5 }),
  "code is no number": envelope({ code: "zero", data: [], msg: "" }),
  "redirect elsewhere": (response) => response.writeHead(302, { location: "http://169.254.169.254/" }).end(),
  "413": json("", 413),
  "429": json("", 429, { "retry-after": "0" }),
  "429 for an hour": json("", 429, { "retry-after": "3600" }),
  "503": json("", 503),
  "400 with a message": json('{"message":"内容不合规"}', 400),
  "code 5": envelope({ code: 5, data: null, msg: "whatever" }),
  "code 5 as a string": envelope({ code: "5", data: null, msg: "" }),
  "code 5 with 401": json('{"code":5,"msg":"expired"}', 401),
  "code 1001": envelope({ code: 1001, data: { reason: "trial", left: 0 }, msg: "试用次数已用完" }),
  "code 7": envelope({ code: 7, data: null, msg: "余额不足" }),
  "code 7 with a reason": envelope({ code: 7, data: { reason: "reference-silent" }, msg: "reference-silent" }),
} satisfies Record<string, Fault>;
export type FaultName = keyof typeof faults;

export interface FaultyUpstream {
  url: string;
  /** Faults of the next requests; a list is consumed one by one, and its last entry stays. */
  meet(...names: Array<FaultName | { answer: unknown }>): void;
  requests: Array<{ method: string; path: string; headers: IncomingMessage["headers"]; body: string }>;
  close(): Promise<void>;
}

export async function startFaultyUpstream(): Promise<FaultyUpstream> {
  let next: Fault[] = [faults.empty];
  const requests: FaultyUpstream["requests"] = [];
  const server = createServer(async (request, response) => {
    let body = "";
    for await (const chunk of request) body += chunk;
    requests.push({ method: request.method ?? "", path: request.url ?? "", headers: request.headers, body });
    const fault = next.length > 1 ? next.shift() : next[0];
    fault?.(response, request);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    meet(...names) {
      requests.length = 0;
      next = names.map((name) =>
        typeof name === "string" ? faults[name] : envelope({ code: 0, data: name.answer, msg: "" }),
      );
    },
    requests,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
