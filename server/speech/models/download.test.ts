import { readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { type AddressInfo, createServer, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { sha256Of } from "../../../tests/support/model-mirror";
import { downloadFile } from "./download";

const content = Buffer.from(Uint8Array.from({ length: 3_000_000 }, (_, i) => (i * 7919) % 251));
const quick = { retries: 1, backoffMs: 5, stallMs: 300 };

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "download-"));
});
afterAll(() => rm(folder, { recursive: true }));

let close = async () => {};
afterEach(() => close());

/** A server that writes what it likes onto every connection once a request has come. */
async function serve(write: (socket: Socket) => void): Promise<string> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on("error", () => {}).once("data", () => write(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  close = async () => {
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => server.close(resolve));
  };
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/model.onnx`;
}

let count = 0;
const fetchFrom = async (url: string) => {
  const path = join(folder, `file-${count++}`);
  const file = { urls: [url], path, bytes: content.length, sha256: sha256Of(content) };
  await downloadFile(file, { ...quick, onProgress: writeSlowly });
  return readFileSync(path);
};

/** A disk that is slower than the network: the connection is closed long before its last byte is taken. */
function writeSlowly() {
  const until = performance.now() + 2;
  while (performance.now() < until);
}

const ok = "HTTP/1.1 200 OK\r\n";

describe("a mirror", () => {
  it.each([
    ["HTTP/1.0 that states the length and closes", `HTTP/1.0 200 OK\r\nContent-Length: ${content.length}\r\n\r\n`],
    ["HTTP/1.0 that closes at the end", "HTTP/1.0 200 OK\r\n\r\n"],
    ["HTTP/1.1 that closes at the end", `${ok}Connection: close\r\n\r\n`],
  ])("may answer %s", async (_, head) => {
    const url = await serve((socket) => void socket.write(head, () => socket.end(content)));
    expect((await fetchFrom(url)).equals(content)).toBe(true);
  });

  it.each<[string, RegExp, (socket: Socket) => void]>([
    ["closes without a word", /closed|ended/, (socket) => socket.end()],
    ["speaks no HTTP", /Parse|HTTP/, (socket) => socket.end("SSH-2.0-OpenSSH_9.2\r\n")],
    ["says nothing", /hardly any data for 0\.3 s/, () => {}],
    ["drips", /hardly any data for 0\.3 s/, drip],
    ["ends early without a length", /ended \d+ bytes early/, (socket) => socket.end(`HTTP/1.0 200 OK\r\n\r\nhalf`)],
    [
      "ends early in chunks",
      /closed|early|terminated/,
      (socket) => socket.end(`${ok}Transfer-Encoding: chunked\r\n\r\n4\r\nhalf\r\n`),
    ],
    [
      "answers a page",
      /answers a page instead of the file/,
      (socket) => socket.end(`${ok}Content-Type: text/html\r\nConnection: close\r\n\r\n<h1>Please log in</h1>`),
    ],
    [
      "states another length",
      /has 5 bytes instead of/,
      (socket) => socket.end(`${ok}Content-Length: 5\r\nConnection: close\r\n\r\nhello`),
    ],
    [
      "sends more than the file",
      /sends more than/,
      (socket) => socket.end(Buffer.concat([Buffer.from(`${ok}Connection: close\r\n\r\n`), content, content])),
    ],
    [
      "sends another file of the same length",
      /another file: SHA-256/,
      (socket) =>
        socket.end(Buffer.concat([Buffer.from(`${ok}Connection: close\r\n\r\n`), Buffer.alloc(content.length)])),
    ],
    [
      "redirects to itself",
      /[Rr]edirect/,
      (socket) => socket.end("HTTP/1.1 302 Found\r\nLocation: /model.onnx\r\nConnection: close\r\n\r\n"),
    ],
    [
      "redirects nowhere",
      /model\.onnx: .+/,
      (socket) => socket.end("HTTP/1.1 302 Found\r\nLocation: http://[/\r\nConnection: close\r\n\r\n"),
    ],
  ])("that %s is named in a sentence", async (_, reason, write) => {
    const url = await serve(write);
    await expect(fetchFrom(url)).rejects.toThrow(reason);
  });

  it("that cannot be connected is named at once", async () => {
    const url = await serve(() => {});
    await close();
    await expect(fetchFrom(url)).rejects.toThrow(/ECONNREFUSED/);
  });
});

function drip(socket: Socket) {
  socket.write(`${ok}Content-Length: ${content.length}\r\n\r\n`);
  const timer = setInterval(() => socket.write("a"), 20);
  socket.once("close", () => clearInterval(timer));
}
