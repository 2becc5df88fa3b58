import { afterEach, expect, test } from "vitest";
import { closeWebApps, startWebApp } from "../../tests/support/web-app";

afterEach(closeWebApps);

/** An upstream's event stream with one event, open until it is cancelled. */
const openEvents = (onCancel: () => void) =>
  new Response(
    new ReadableStream({
      start: (controller) =>
        controller.enqueue(new TextEncoder().encode('id: 1\ndata: {"taskId":"t","kind":"trial","status":1}\n\n')),
      cancel: onCancel,
    }),
    { headers: { "content-type": "text/event-stream" } },
  );

test("an event stream is one upstream call, which ends when the reader disconnects", async () => {
  let [asked, ended] = [0, 0];
  const { url } = await startWebApp({
    api: () => {
      asked += 1;
      return openEvents(() => {
        ended += 1;
      });
    },
  });
  for (let visitor = 0; visitor < 5; visitor++) {
    const controller = new AbortController();
    const answer = await fetch(`${url}/bff/events`, { signal: controller.signal });
    expect(answer.headers.get("content-type")).toBe("text/event-stream");
    const reader = answer.body?.pipeThrough(new TextDecoderStream()).getReader();
    let received = "";
    while (!received.includes("event: task")) received += (await reader?.read())?.value ?? "";
    controller.abort();
  }
  await expect.poll(() => ended).toBe(5);
  expect(asked).toBe(5);
});

test("a HEAD request of a stream leaves no open response", async () => {
  let asked = 0;
  let isCancelled = false;
  const wav = Buffer.concat([Buffer.from("RIFF0000WAVE"), Buffer.alloc(200_000)]);
  const body = () =>
    new ReadableStream({
      pull: (controller) => controller.enqueue(wav),
      cancel: () => {
        isCancelled = true;
      },
    });
  const { url } = await startWebApp({
    api: (request) => {
      asked += 1;
      if (request.url.includes("/files/")) return new Response(body(), { headers: { "content-type": "audio/wav" } });
      return Response.json({ code: 0, data: { taskId: "t", status: 1 }, msg: "" });
    },
  });
  const events = await fetch(`${url}/bff/events`, { method: "HEAD" });
  expect([events.status, events.headers.get("content-type")]).toEqual([200, "text/event-stream"]);
  const file = await fetch(`${url}/bff/media?url=/api/v1/files/a.wav`, { method: "HEAD" });
  expect([file.status, file.headers.get("content-type")]).toEqual([200, "audio/wav"]);
  await expect.poll(() => isCancelled).toBe(true);
  await new Promise((resolve) => setTimeout(resolve, 900));
  expect(asked).toBe(1);
});

const sound = Buffer.concat([Buffer.from("RIFF0000WAVE"), Buffer.alloc(500_000, 7)]);
const file =
  (bytes: Uint8Array | ReadableStream, type: string, headers = {}) =>
  () =>
    new Response(bytes as Uint8Array<ArrayBuffer>, { headers: { "content-type": type, ...headers } });

test("an audio file is sent completely with sandbox, private cache and request id headers", async () => {
  const { url } = await startWebApp({ api: file(sound, "audio/wav", { "content-length": String(sound.length) }) });
  const answer = await fetch(`${url}/bff/media?url=/api/v1/files/a.wav&download=a.wav`);
  expect(Buffer.from(await answer.arrayBuffer()).equals(sound)).toBe(true);
  expect(Object.fromEntries(answer.headers)).toMatchObject({
    "content-type": "audio/wav",
    "content-length": String(sound.length),
    "content-security-policy": "sandbox; default-src 'none'",
    "content-disposition": expect.stringMatching(/^attachment/),
    "cache-control": "private, no-store",
    "x-content-type-options": "nosniff",
    "cross-origin-resource-policy": "same-origin",
    "x-request-id": expect.stringMatching(/^[\w-]{36}$/),
    vary: "Cookie",
  });
});

test("a file to be saved is the download, which has the audible mark", async () => {
  const asked: string[] = [];
  const { url } = await startWebApp({
    api: (request) => {
      asked.push(request.url.replace(/^.*\/files/, ""));
      return new Response(sound, { headers: { "content-type": "audio/wav" } });
    },
  });
  for (const end of ["&download=a.wav", ""]) {
    await (await fetch(`${url}/bff/media?url=/api/v1/files/a.wav${end}`)).arrayBuffer();
  }
  expect(asked).toEqual(["/a.wav?download=1", "/a.wav"]);
});

test("a truncated audio file is truncated for the listener", async () => {
  let pulls = 0;
  const body = new ReadableStream({
    pull: (controller) => (pulls++ < 3 ? controller.enqueue(sound) : controller.error(new Error("gone"))),
  });
  const { url } = await startWebApp({ api: file(body, "audio/wav") });
  const whole = async () => (await fetch(`${url}/bff/media?url=/api/v1/files/a.wav`)).arrayBuffer();
  await expect(whole()).rejects.toThrow();
});

test("a listener's disconnect aborts the upstream response", async () => {
  let isCancelled = false;
  const body = new ReadableStream({
    pull: (controller) => controller.enqueue(sound),
    cancel: () => {
      isCancelled = true;
    },
  });
  const { url } = await startWebApp({ api: file(body, "audio/wav", { "content-length": "900000000" }) });
  const controller = new AbortController();
  const answer = await fetch(`${url}/bff/media?url=/api/v1/files/a.wav`, { signal: controller.signal });
  await answer.body?.getReader().read();
  controller.abort();
  await expect.poll(() => isCancelled).toBe(true);
});

test("a timeline is compressed; a refused file is 404, or 204 for downloads", async () => {
  const timeline = JSON.stringify({ words: Array.from({ length: 500 }, (_, i) => i) });
  const { url } = await startWebApp({ api: file(Buffer.from(timeline), "application/json") });
  const answer = await fetch(`${url}/bff/media?url=/api/v1/files/a.json`, { headers: { "accept-encoding": "gzip" } });
  expect([answer.headers.get("content-encoding"), await answer.text()]).toEqual(["gzip", timeline]);
  for (const foreign of ["https://example.com/a.mp3", "/api/v1/users/export", ""]) {
    const address = `${url}/bff/media?url=${encodeURIComponent(foreign)}`;
    expect((await fetch(address)).status).toBe(404);
    expect((await fetch(`${address}&download=a.mp3`)).status).toBe(204);
  }
});
