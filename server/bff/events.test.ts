import { createServer, type RequestListener, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { PassThrough } from "node:stream";
import fc from "fast-check";
import { afterEach, expect, test } from "vitest";
import { readMessages, type TaskEvent } from "./events.server";
import { createUpstreamClient } from "./upstream.server";

const closers: Array<() => void> = [];
afterEach(() => {
  for (const close of closers.splice(0)) close();
});

async function upstreamWith(listener: RequestListener) {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  closers.push(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  const logger = { warn: () => {} };
  return createUpstreamClient({ baseUrl: `http://127.0.0.1:${port}`, appId: "a", logger }).as(() => ({ token: "t" }));
}

const begin = (response: ServerResponse) => response.writeHead(200, { "content-type": "text/event-stream" });
const eventOf = (number: number, progress: number) =>
  `id: ${number}\ndata: ${JSON.stringify({ taskId: "a", kind: "clone", status: 1, progress })}\n\n`;

async function all(events: AsyncIterable<TaskEvent>) {
  const received: TaskEvent[] = [];
  for await (const event of events) received.push(event);
  return received;
}

test("events after the requested number are sent with their numbers", async () => {
  const asked: string[] = [];
  const upstream = await upstreamWith((request, response) => {
    asked.push(`${request.url} ${request.headers.token}`);
    begin(response).end(`retry: 2000\n\n:\n\n${eventOf(8, 0.25)}data: not json\n\n${eventOf(9, 0.5)}`);
  });
  const received = await all(upstream.openEvents(7, new AbortController().signal));
  expect(asked).toEqual(["/api/v1/tasks/events?since=7 t"]);
  expect(received.map(({ number, event }) => [number, event.progress])).toEqual([
    [8, 0.25],
    [9, 0.5],
  ]);
});

test("without a number no past events are requested", async () => {
  const asked: URLSearchParams[] = [];
  const upstream = await upstreamWith((request, response) => {
    asked.push(new URL(request.url ?? "", "http://a").searchParams);
    begin(response).end();
  });
  await all(upstream.openEvents(null, new AbortController().signal));
  expect(Number(asked[0]?.get("since"))).toBe(Number.MAX_SAFE_INTEGER);
});

test("a disconnect ends the upstream's response", async () => {
  let isClosed: Promise<unknown> = Promise.resolve();
  const upstream = await upstreamWith((_request, response) => {
    isClosed = new Promise((resolve) => response.on("close", resolve));
    begin(response).write(eventOf(1, 0.1));
  });
  const leaving = new AbortController();
  for await (const { number } of upstream.openEvents(null, leaving.signal)) {
    expect(number).toBe(1);
    leaving.abort();
  }
  await isClosed;
});

test.each([
  ["a login that is over", { code: 5, data: null, msg: "" }, "login-expired"],
  ["an upstream that answers an empty success", { code: 0, data: null, msg: "" }, "request-failed"],
])("%s is sent as a refusal", async (_case, envelope, code) => {
  const upstream = await upstreamWith((_request, response) => response.end(JSON.stringify(envelope)));
  await expect(all(upstream.openEvents(null, new AbortController().signal))).rejects.toMatchObject({
    refusal: { code },
  });
});

test("messages are the same for any chunk boundaries", async () => {
  const stream = `id: 1\r\ndata: 一\r\n\r\n:\n\nid: 2\ndata: a\ndata: b\n\nevent: x\ndata: 三\n\n`;
  const bytes = Buffer.from(stream);
  await fc.assert(
    fc.asyncProperty(fc.array(fc.integer({ min: 0, max: bytes.length }), { maxLength: 8 }), async (cuts) => {
      const body = new PassThrough({ readableHighWaterMark: 1 });
      const at = [0, ...cuts.sort((a, b) => a - b), bytes.length];
      at.slice(1).forEach((to, index) => void body.write(bytes.subarray(at[index], to)));
      body.end();
      const received = [];
      for await (const message of readMessages(body, () => {})) received.push(message);
      expect(received).toEqual([
        { id: "1", data: "一" },
        { id: "2", data: "a\nb" },
        { id: "2", data: "三" },
      ]);
    }),
    { numRuns: 60 },
  );
});
