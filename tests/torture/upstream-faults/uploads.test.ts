import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createServer, request } from "node:http";
import type { AddressInfo } from "node:net";
import { fileURLToPath } from "node:url";
import { afterEach, expect, test } from "vitest";
import { toRefusal } from "~server/bff/refusal.server";
import { createUpstreamClient } from "~server/bff/upstream.server";

const megabyte = 2 ** 20;
const script = fileURLToPath(new URL("upload-relay.ts", import.meta.url));
const type = "multipart/form-data; boundary=x";
const children: ChildProcess[] = [];
const closers: Array<() => void> = [];
afterEach(() => {
  for (const child of children.splice(0)) child.kill("SIGKILL");
  for (const close of closers.splice(0)) close();
});

async function startUpstream() {
  const server = createServer((incoming, response) => {
    let bytes = 0;
    incoming.on("data", (chunk) => {
      bytes += chunk.length;
    });
    incoming.on("error", () => {});
    incoming.on("end", () => response.end(JSON.stringify({ code: 0, data: { emotionPath: `/r/${bytes}` }, msg: "" })));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  closers.push(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

async function startRelay(mode: string) {
  const child = spawn(process.execPath, ["--expose-gc", "--import", "tsx", script, mode], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  children.push(child);
  const [line] = await once(child.stdout, "data");
  return JSON.parse(String(line)) as { relay: number; control: number };
}

/** Sends this many bytes in pieces, as fast as they are accepted, until there is an answer. */
async function send(port: number, bytes: number, headers: Record<string, string>) {
  const outgoing = request({ port, host: "127.0.0.1", method: "POST", headers: { "content-type": type, ...headers } });
  let isAnswered = false;
  const answered = new Promise<{ status: number; text: string }>((resolve, reject) => {
    outgoing.on("error", (error) => (isAnswered ? undefined : reject(error)));
    outgoing.on("response", async (response) => {
      isAnswered = true;
      let text = "";
      for await (const chunk of response) text += chunk;
      resolve({ status: response.statusCode ?? 0, text });
    });
  });
  const piece = Buffer.alloc(65_536, 1);
  let sent = 0;
  const more = () => {
    while (sent < bytes && !isAnswered) {
      sent += piece.length;
      if (!outgoing.write(piece)) return;
    }
    if (!isAnswered) outgoing.end();
  };
  outgoing.on("drain", more);
  more();
  return answered.finally(() => outgoing.destroy());
}

const ask = async (port: number, path: string) => Number(await (await fetch(`http://127.0.0.1:${port}${path}`)).text());

test.each(["embedded", "over the network"])("an upload of 100 MB is forwarded in constant memory, %s", async (mode) => {
  const { relay, control } = await startRelay(mode === "embedded" ? mode : await startUpstream());
  const warmUp = 10 * megabyte;
  await send(relay, warmUp, { "content-length": String(warmUp) });
  await ask(control, "/start");
  const bytes = 100 * megabyte;
  const { status } = await send(relay, bytes, { "content-length": String(bytes) });
  expect(status).toBe(200);
  const grownMb = await ask(control, "/peak");
  console.info(`${mode}: ${grownMb} MB`);
  expect(grownMb).toBeLessThan(64);
});

test("an upload above the limit is refused by its length or while it is read", async () => {
  const { relay } = await startRelay(await startUpstream());
  const bytes = 102 * megabyte;
  for (const [name, value] of [
    ["content-length", String(bytes)],
    ["transfer-encoding", "chunked"],
  ] as const) {
    const answer = await send(relay, bytes, { [name]: value });
    expect([answer.status, JSON.parse(answer.text)]).toEqual([413, { code: "too-large" }]);
  }
});

test("a body that is not multipart and an empty body are not forwarded", async () => {
  const client = createUpstreamClient({ fetch: () => new Response(), appId: "a", logger: { warn: () => {} } }).as(
    () => ({}),
  );
  for (const init of [
    { method: "POST", body: "x" },
    { method: "POST", headers: { "content-type": type } },
  ]) {
    const refused = await client
      .upload("recordingUpload", new Request("http://x/", init))
      .catch((error: unknown) => error);
    expect(toRefusal(refused)).toEqual({ code: "bad-request" });
  }
});
