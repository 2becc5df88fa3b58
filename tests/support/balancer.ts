import { Agent, createServer, type IncomingMessage, request, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { pipeline } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";

export interface Balancer {
  url: string;
  /** Requests that a server did not answer. */
  broken: string[];
  /** Waits until it sends requests to this server. */
  takesIn(server: string): Promise<void>;
  close(): Promise<void>;
}

const askEveryMs = 100;

/**
 * A load balancer: distributes requests in turn to the servers whose /readyz is ok, keeps connections open and never
 * retries, so that every request lost in a restart is counted.
 */
export async function openBalancer(servers: string[]): Promise<Balancer> {
  const agent = new Agent({ keepAlive: true });
  const ready = new Set<string>();
  const broken: string[] = [];
  let turn = 0;

  const ask = async (server: string) => {
    const answer = await fetch(`${server}/readyz`, { signal: AbortSignal.timeout(10_000) }).catch(() => null);
    await answer?.arrayBuffer().catch(() => {});
    if (answer?.ok) ready.add(server);
    else ready.delete(server);
  };
  await Promise.all(servers.map(ask));
  const timer = setInterval(() => servers.forEach((server) => void ask(server)), askEveryMs);

  function pass(incoming: IncomingMessage, outgoing: ServerResponse) {
    const able = servers.filter((server) => ready.has(server));
    const server = able[turn++ % able.length];
    let hasLeft = false;
    const fail = (why: string) => {
      if (!hasLeft) broken.push(`${incoming.method} ${incoming.url}: ${why}`);
      if (!outgoing.headersSent) outgoing.writeHead(502);
      outgoing.end();
    };
    if (!server) return fail("no server is ready");
    const { method, url, headers, socket } = incoming;
    const forwarded = { ...headers, "x-forwarded-for": headers["x-forwarded-for"] ?? socket.remoteAddress };
    const onward = request(new URL(url ?? "/", server), { method, headers: forwarded, agent }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, withoutHops(answer.headers));
      pipeline(answer, outgoing, () => {});
    });
    onward.on("error", (error) => fail(error.message));
    outgoing.on("close", () => {
      hasLeft = !outgoing.writableFinished;
      onward.destroy();
    });
    incoming.pipe(onward);
  }

  const front = createServer(pass);
  await new Promise<void>((resolve) => front.listen(0, "localhost", resolve));
  return {
    url: `http://localhost:${(front.address() as AddressInfo).port}`,
    broken,
    async takesIn(server) {
      while (!ready.has(server)) await sleep(askEveryMs);
    },
    async close() {
      clearInterval(timer);
      front.closeAllConnections();
      await new Promise((resolve) => front.close(resolve));
      agent.destroy();
    },
  };
}

const withoutHops = ({
  connection,
  "keep-alive": _,
  "transfer-encoding": __,
  ...headers
}: IncomingMessage["headers"]) => headers;
