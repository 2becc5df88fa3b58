import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { Readable } from "node:stream";
import { afterEach, expect, test } from "vitest";
import { createMediaClient } from "./media.server";
import { mediaResponse } from "./media-file.server";
import { createNetworkTransport } from "./transport.server";
import { createUpstreamClient } from "./upstream.server";

const closers: Array<() => void> = [];
afterEach(() => {
  for (const close of closers.splice(0)) close();
});

async function listening(server: Server) {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  closers.push(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

async function upstreamWith(listener: RequestListener) {
  const baseUrl = await listening(createServer(listener));
  const logger = { warn: () => {} };
  return createUpstreamClient({ baseUrl, appId: "a", logger }).as(() => ({ token: "t" }));
}

const wav = Buffer.concat([Buffer.from("RIFF\0\0\0\0WAVEfmt "), Buffer.alloc(100_000, 7)]);
const path = "/api/v1/files/a.wav";

test("a file request sends the token and returns the file with its detected type", async () => {
  const upstream = await upstreamWith((request, response) => {
    response.writeHead(request.headers.token === "t" ? 200 : 403, { "content-type": "text/html" }).end(wav);
  });
  const answer = mediaResponse(await upstream.openFile(path), "我的 声音/1.wav");
  expect(answer.status).toBe(200);
  expect(answer.headers.get("content-type")).toBe("audio/wav");
  expect(answer.headers.get("content-security-policy")).toContain("sandbox");
  expect(answer.headers.get("x-content-type-options")).toBe("nosniff");
  expect(answer.headers.get("content-disposition")).toBe(
    "attachment; filename=\"__ ___1.wav\"; filename*=UTF-8''%E6%88%91%E7%9A%84%20%E5%A3%B0%E9%9F%B3_1.wav",
  );
  expect(Buffer.from(await answer.arrayBuffer()).equals(wav)).toBe(true);
});

test("range requests and partial responses pass through", async () => {
  const upstream = await upstreamWith((request, response) => {
    const range = request.headers.range ?? "";
    if (range === "bytes=900000-") return response.writeHead(416, { "content-range": "bytes */100016" }).end();
    const headers = { "content-type": "audio/x-wav", "content-range": "bytes 10-19/100016", "content-length": 10 };
    return response.writeHead(206, headers).end(wav.subarray(10, 20));
  });
  const part = await upstream.openFile(path, "bytes=10-19");
  expect(part?.status).toBe(206);
  expect(part?.headers.get("content-range")).toBe("bytes 10-19/100016");
  expect(part?.headers.get("content-type")).toBe("audio/wav");
  expect((await mediaResponse(part ?? null, null).arrayBuffer()).byteLength).toBe(10);
  const beyond = await upstream.openFile(path, "bytes=900000-");
  expect([beyond?.status, beyond?.headers.get("content-range")]).toEqual([416, "bytes */100016"]);
});

test("a range shorter than the signature passes, with and without a length", async () => {
  const upstream = await upstreamWith((request, response) => {
    const headers = { "content-type": "audio/wav", "content-range": "bytes 10-14/100016" };
    const length = request.headers.range === "bytes=10-14" ? { "content-length": 5 } : {};
    response.writeHead(206, { ...headers, ...length });
    response.write(wav.subarray(10, 12), () => setTimeout(() => response.end(wav.subarray(12, 15)), 20));
  });
  for (const range of ["bytes=10-14", "bytes=10-"]) {
    const answer = mediaResponse(await upstream.openFile(path, range), null);
    expect(Buffer.from(await answer.arrayBuffer()).equals(wav.subarray(10, 15))).toBe(true);
  }
});

test("a file above the limit and a stalled file are aborted", async () => {
  let isEndless = true;
  const server = createServer((_, response) => {
    response.write(wav);
    if (isEndless) Readable.from(repeat(wav)).pipe(response);
  });
  const base = await listening(server);
  const client = createMediaClient({
    base,
    transport: createNetworkTransport(),
    appId: "a",
    filePaths: [],
    fileOrigins: [],
    maxBytes: 1_000_000,
    idleMs: 300,
  });
  await expect(
    mediaResponse(await client.openFile({}, { reference: path, range: null }), null).arrayBuffer(),
  ).rejects.toThrow();
  isEndless = false;
  const startedAt = Date.now();
  await expect(
    mediaResponse(await client.openFile({}, { reference: path, range: null }), null).arrayBuffer(),
  ).rejects.toThrow();
  expect(Date.now() - startedAt).toBeGreaterThan(250);
});

test("a file that is still being encoded is asked for until it is there, any other one once", async () => {
  const asked: string[] = [];
  const server = createServer(({ url = "" }, response) => {
    asked.push(url);
    if (url.endsWith(".flac") && asked.length === 3) response.end(Buffer.from("fLaC and frames"));
    else response.writeHead(503).end();
  });
  const client = createMediaClient({
    ...{ base: await listening(server), transport: createNetworkTransport(), appId: "a", retryMs: 5 },
    ...{ filePaths: [], fileOrigins: [] },
  });
  const flac = await client.openFile({}, { reference: "/api/v1/files/a.flac", range: null });
  expect([flac?.status, flac?.headers.get("content-type")]).toEqual([200, "audio/flac"]);
  flac?.body?.destroy();
  const refused: number[] = [];
  await client.openFile({}, { reference: path, range: null, onFailure: (status) => refused.push(status) });
  expect([refused, asked.length]).toEqual([[503], 4]);
  const leaving = new AbortController();
  const left = client.openFile({ signal: leaving.signal }, { reference: "/api/v1/files/b.flac", range: null });
  leaving.abort();
  expect(await left).toBeNull();
});

function* repeat(piece: Buffer) {
  for (;;) yield piece;
}

test("an invalid range is not sent", async () => {
  const seen: unknown[] = [];
  const upstream = await upstreamWith((request, response) => {
    seen.push(request.headers.range);
    response.end(wav);
  });
  for (const range of ["bytes=0-1,5-6", "lines=1-2", "bytes=a-b", "bytes=-"]) {
    const file = await upstream.openFile(path, range);
    file?.body?.destroy();
  }
  expect(seen).toEqual([undefined, undefined, undefined, undefined]);
});

const refusals: Array<[string, RequestListener]> = [
  [
    "HTML under an audio type",
    (_, response) => response.writeHead(200, { "content-type": "audio/mpeg" }).end("<html>"),
  ],
  ["SVG", (_, response) => response.writeHead(200, { "content-type": "image/svg+xml" }).end("<svg/>")],
  ["an empty file", (_, response) => response.end()],
  ["missing", (_, response) => response.writeHead(404).end(wav)],
  ["forbidden", (_, response) => response.writeHead(403).end(wav)],
  ["a redirect", (_, response) => response.writeHead(302, { location: "http://127.0.0.1/" }).end()],
  ["a fault", (_, response) => response.writeHead(500).end("stack")],
  ["a reset", (_, response) => response.socket?.resetAndDestroy()],
  [
    "a later part of HTML",
    (_, response) =>
      response.writeHead(206, { "content-type": "text/html", "content-range": "bytes 5-9/10" }).end("<b>hi"),
  ],
];
const refusedWith: Record<string, number> = { missing: 404, forbidden: 403, "a fault": 500 };
test.each(refusals)("an upstream answer with %s returns null, sent as 204", async (_name, listener) => {
  const upstream = await upstreamWith(listener);
  const statuses: number[] = [];
  const range = _name.startsWith("a later") ? "bytes=5-9" : null;
  const file = await upstream.openFile(path, range, { onFailure: (status) => statuses.push(status) });
  expect(file).toBeNull();
  expect(statuses).toEqual([refusedWith[_name] ?? 502]);
  expect(mediaResponse(file, null).status).toBe(204);
});

test("a truncated upstream file also ends early for the browser", async () => {
  const upstream = await upstreamWith((_, response) => {
    response.writeHead(200, { "content-length": wav.length });
    response.write(wav.subarray(0, 50_000), () => response.socket?.resetAndDestroy());
  });
  const file = await upstream.openFile(path);
  await expect(mediaResponse(file, null).arrayBuffer()).rejects.toThrow();
});

test("a browser that stops reading aborts the upstream request", async () => {
  let sent = 0;
  let isClosed = false;
  const upstream = await upstreamWith((_, response) => {
    response.write(wav);
    const more = () => {
      while (response.write(Buffer.alloc(65_536))) sent += 65_536;
      sent += 65_536;
    };
    response.on("drain", more).on("close", () => {
      isClosed = true;
    });
    more();
  });
  const file = await upstream.openFile(path);
  file?.body?.read();
  await new Promise((resolve) => setTimeout(resolve, 300));
  expect(sent).toBeLessThan(20_000_000);
  file?.body?.destroy();
  await expect.poll(() => isClosed).toBe(true);
});

test("a file of a configured origin is read from this machine", async () => {
  const fileOrigin = (await listening(createServer((_, response) => response.end(wav)))).replace(
    "127.0.0.1",
    "localhost",
  );
  const client = createMediaClient({
    ...{ base: "http://upstream.test", transport: createNetworkTransport(), appId: "a", filePaths: [] },
    fileOrigins: [fileOrigin],
  });
  const file = await client.openFile({}, { reference: `${fileOrigin}/a.wav`, range: null });
  expect(file?.status).toBe(200);
  file?.body?.destroy();
});

test("a configured origin whose name resolves to a private address is not read", async () => {
  let requests = 0;
  const local = await listening(
    createServer((_, response) => {
      requests++;
      response.end(wav);
    }),
  );
  // The root's dot makes it a name like every other, which the resolver knows.
  const fileOrigin = local.replace("127.0.0.1", "localhost.");
  const client = createMediaClient({
    ...{ base: "http://upstream.test", transport: createNetworkTransport(), appId: "a", filePaths: [] },
    fileOrigins: [fileOrigin],
  });
  expect(await client.openFile({}, { reference: `${fileOrigin}/a.wav`, range: null })).toBeNull();
  expect(requests).toBe(0);
});

test("a place whose files are not allowed is logged once, with the setting to add it to", async () => {
  const lines: unknown[] = [];
  const logger = { warn: (details: object) => void lines.push(details) };
  const upstream = createUpstreamClient({ baseUrl: "http://upstream.test", appId: "a", logger }).as(() => ({}));
  for (const reference of [
    ...["/uploads/a.wav", "/uploads/b.png", "http://upstream.test/static/a.wav", "https://cdn.example.com/a.wav"],
    ...["/../etc/passwd", "javascript:alert(1)", "/a.wav"],
  ])
    expect(await upstream.openFile(reference)).toBeNull();
  expect(lines).toEqual([
    { setting: "FILE_PATHS", value: "/uploads/" },
    { setting: "FILE_PATHS", value: "/static/" },
    { setting: "FILE_ORIGINS", value: "https://cdn.example.com" },
    { setting: "FILE_PATHS", value: "/" },
  ]);
});
