import { once } from "node:events";
import { readdirSync, readFileSync } from "node:fs";
import { request } from "node:http";
import { afterEach, expect, test } from "vitest";
import { uploadMaxBytesOf } from "~server/bff/upload.server";
import { jsonMaxBytes, multipartFramingBytes } from "~server/contract/limits";
import { closeWebApps, startWebApp } from "../../tests/support/web-app";

afterEach(closeWebApps);

const megabyte = 2 ** 20;
const type = "multipart/form-data; boundary=x";
const answer = { emotionPath: "/r/1", url: "/i/1", ours: null, labelled: null };

/** An upstream that reads a body only on demand; `read` returns how many bytes arrived. */
function createSlowApi() {
  let body: ReadableStreamDefaultReader<Uint8Array> | undefined;
  let finish = () => {};
  const finished = new Promise<void>((resolve) => {
    finish = resolve;
  });
  return {
    async api(request: Request) {
      body = request.body?.getReader();
      await finished;
      return Response.json({ code: 0, data: answer, msg: "" });
    },
    isAsked: () => body !== undefined,
    async read() {
      let bytes = 0;
      for (;;) {
        const piece = await body?.read();
        if (!piece || piece.done) break;
        bytes += piece.value.byteLength;
      }
      finish();
      return bytes;
    },
  };
}

/** Sends this many bytes as fast as they are accepted; `taken` counts them. */
function createBody(bytes: number) {
  const piece = new Uint8Array(65_536);
  const counted = { taken: 0 };
  const stream = new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        if (counted.taken >= bytes) return controller.close();
        counted.taken += piece.byteLength;
        controller.enqueue(piece);
      },
    },
    { highWaterMark: 0 },
  );
  return { stream, counted };
}

const files = [
  ["/bff/uploads/recordingUpload", 99],
  ["/bff/uploads/verify", 49],
  ["/bff/uploads/fileUpload", 9],
] as const;

test.each(files)("POST %s forwards %s MB, no faster than the upstream reads them", async (path, size) => {
  const { api, isAsked, read } = createSlowApi();
  const { url } = await startWebApp({ api });
  const { stream, counted } = createBody(size * megabyte);
  const headers = { origin: url, "content-type": type };
  const sent = fetch(`${url}${path}`, { method: "POST", headers, body: stream, duplex: "half" } as RequestInit);
  await expect.poll(isAsked).toBe(true);
  let before: number;
  do {
    before = counted.taken;
    await new Promise((resolve) => setTimeout(resolve, 100));
  } while (counted.taken !== before);
  expect(counted.taken).toBeLessThan(9 * megabyte);
  expect(await read()).toBe(size * megabyte);
  expect((await sent).status).toBe(200);
});

test("a body over the route's limit, or over the JSON limit on any other route, returns 413", async () => {
  const { url } = await startWebApp({
    api: async (request) => {
      for await (const _ of request.body as unknown as AsyncIterable<Uint8Array>);
      return Response.json({ code: 0, data: answer, msg: "" });
    },
  });
  const limits = Object.entries(uploadMaxBytesOf).map(
    ([name, maxBytes]) => [`/bff/uploads/${name}`, maxBytes] as const,
  );
  for (const [path, maxBytes] of [
    ...limits,
    ["/bff/trials", jsonMaxBytes] as const,
    ["/bff/uploads/verify/", jsonMaxBytes] as const,
    ["/bff/uploads/other", jsonMaxBytes] as const,
  ]) {
    const { stream } = createBody(maxBytes + 2 * multipartFramingBytes);
    const init = { method: "POST", headers: { origin: url, "content-type": type }, body: stream, duplex: "half" };
    const refused = await fetch(`${url}${path}`, init as RequestInit);
    expect([refused.status, (await refused.json()).refusal], path).toEqual([413, { code: "too-large" }]);
  }
});

test("a proxy that still sends a refused body reads the answer, and is not reset", async () => {
  const { url } = await startWebApp({ api: async () => Response.json({ code: 0, data: answer, msg: "" }) });
  const size = 24 * megabyte;
  const headers = { origin: url, "content-type": "application/json", "content-length": size };
  const proxy = request(`${url}/bff/trials`, { method: "POST", headers });
  const answered = once(proxy, "response");
  for (let sent = 0; sent < size; sent += megabyte) {
    if (!proxy.write(Buffer.alloc(megabyte))) await once(proxy, "drain");
  }
  proxy.end();
  const [response] = await answered;
  expect(response.statusCode).toBe(413);
  await once(response.resume(), "end");
});

test("only the upload route streams bodies to the upstream, and only for the listed kinds", async () => {
  const routes = readdirSync("app/routes").filter((name) => name.startsWith("bff."));
  const uploading = routes.filter((name) => readFileSync(`app/routes/${name}/route.ts`, "utf8").includes(".upload("));
  expect(uploading).toEqual(["bff.uploads.$name"]);
  const { url } = await startWebApp({ api: async () => Response.json({ code: 0, data: answer, msg: "" }) });
  const headers = { origin: url, "content-type": type };
  const sent = await fetch(`${url}/bff/uploads/other`, { method: "POST", headers, body: "--x--" });
  expect([sent.status, (await sent.json()).refusal]).toEqual([404, { code: "not-found" }]);
});
