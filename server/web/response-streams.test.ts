import { once } from "node:events";
import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { Readable } from "node:stream";
import { serve } from "@hono/node-server";
import { Hono } from "hono";
import { afterAll, expect, test, vi } from "vitest";
import type { WebEnv } from "./request";

const servers: Server[] = [];
const open = async (app: Pick<Hono<WebEnv>, "fetch">) => {
  const server = serve({ fetch: app.fetch, port: 0, hostname: "127.0.0.1" }) as Server;
  servers.push(server);
  await once(server, "listening");
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
};
afterAll(() => {
  for (const server of servers) server.close();
});

test("a stream is sent completely if another server was created before this module was loaded", async () => {
  await open(new Hono<WebEnv>());
  // The state of the library's module when it is loaded afterwards.
  const light = new Response(null, { headers: { "x-hono-already-sent": "true" } });
  vi.doMock("@hono/node-server/utils/response", () => ({ RESPONSE_ALREADY_SENT: light }));
  vi.resetModules();
  const { pipeStreams } = await import("./response-streams");
  vi.doUnmock("@hono/node-server/utils/response");
  vi.resetModules();
  const app = new Hono<WebEnv>();
  app.use(pipeStreams);
  app.get("/", (c) => {
    c.set("stream", Readable.from([Buffer.alloc(300_000, 1), Buffer.alloc(300_000, 2)]));
    return c.body(null, 200, { "content-type": "audio/wav" });
  });
  const answer = await fetch(await open(app));
  expect(answer.headers.get("x-hono-already-sent")).toBeNull();
  expect((await answer.arrayBuffer()).byteLength).toBe(600_000);
});
