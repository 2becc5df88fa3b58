import { createHash } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** Faults that the mirror can inject into a request for a file. */
export type MirrorFault = "cut" | "stall" | "longer" | "shorter" | "wrong" | "missing" | "broken" | "gzip";

export interface Mirror {
  url: string;
  /** The Range header of every request, by path. */
  requests: Array<{ path: string; range: string | undefined }>;
  /** Applied to the next requests for a path, one each; `always` to all. */
  plan(path: string, faults: MirrorFault[], options?: { always?: boolean }): void;
  /** Sends half of a file until it is released. */
  hold(path: string): () => void;
  /** Changes the tag of all files. */
  retag(): void;
  ignoreRanges: boolean;
  close(): Promise<void>;
}

export const sha256Of = (bytes: Uint8Array): string => createHash("sha256").update(bytes).digest("hex");

/** Serves files like a mirror of models, with the faults of the world. */
export async function startMirror(files: Record<string, Uint8Array>): Promise<Mirror> {
  const plans = new Map<string, { faults: MirrorFault[]; always: boolean }>();
  const holds = new Map<string, Promise<void>>();
  let tag = 1;
  const answer = (request: IncomingMessage, response: ServerResponse) => {
    const path = (request.url ?? "").slice(1);
    const { range } = request.headers;
    mirror.requests.push({ path, range });
    const plan = plans.get(path);
    const fault = plan?.always ? plan.faults[0] : plan?.faults.shift();
    const file = files[path];
    if (fault === "broken") return void response.writeHead(503).end();
    if (!file || fault === "missing") return void response.writeHead(404).end();
    const etag = `"${tag}"`;
    const isPart = range && !mirror.ignoreRanges && request.headers["if-range"] === etag;
    const start = isPart ? Number(/bytes=(\d+)-/.exec(range)?.[1]) : 0;
    const whole = fault === "wrong" ? file.map((byte) => byte ^ 1) : file;
    const body = whole.subarray(start);
    const stated = body.length + (fault === "longer" ? 1000 : fault === "shorter" ? -10 : 0);
    const total = file.length + stated - body.length;
    response.writeHead(isPart ? 206 : 200, {
      etag,
      ...(isPart && { "content-range": `bytes ${start}-${total - 1}/${total}` }),
      "content-length": stated,
      ...(fault === "gzip" && { "content-encoding": "gzip" }),
    });
    if (fault === "cut")
      return void response.write(body.subarray(0, body.length / 2), () => setTimeout(() => response.destroy(), 20));
    if (fault === "stall") return void response.write(body.subarray(0, body.length / 2));
    if (fault === "longer") return void response.write(body, () => setTimeout(() => response.destroy(), 20));
    const held = holds.get(path);
    if (held) {
      response.write(body.subarray(0, body.length / 2));
      return void held.then(() => response.end(body.subarray(body.length / 2)));
    }
    response.end(fault === "shorter" ? body.subarray(0, stated) : body);
  };
  const server = createServer(answer);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const mirror: Mirror = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests: [],
    plan: (path, faults, { always = false } = {}) => void plans.set(path, { faults, always }),
    hold(path) {
      let release = () => {};
      holds.set(path, new Promise((resolve) => (release = resolve)));
      return release;
    },
    retag: () => void tag++,
    ignoreRanges: false,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
  return mirror;
}
