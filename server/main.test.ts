import { createServer } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { text } from "node:stream/consumers";
import { expect, test } from "vitest";
import { uploadMaxBytes } from "./contract/limits";
import { formatDataLocation, formatSpeech, limitExpectedBodies } from "./main";

test.each([
  [undefined, "/data"],
  ["postgres://owner:secret@db.example:5433/product", "postgres://db.example:5433/product"],
  ["postgres://db.example/product?user=owner&password=secret", "postgres://db.example/product"],
])("the log shows the data location without passwords: %s", (databaseUrl, expected) => {
  expect(formatDataLocation({ databaseUrl, dataDir: "/data" })).toBe(expected);
});

test.each([
  [{ wantedModels: ["kokoro"], isUnasked: true }, /^embedded for now; kokoro is fetched .*VOICES=none/],
  [{ wantedModels: ["kokoro"], isUnasked: false }, /^embedded for now; kokoro is fetched .* by itself$/],
  [{ wantedModels: [] }, /^embedded, a simulation; natural voices: npm run voices -- install kokoro$/],
])("the start says how a natural voice comes: %o", (settings, expected) => {
  const engines = [{ name: "kokoro" as const, folders: ["/nowhere"] }, { name: "embedded" as const }];
  expect(formatSpeech({ engines, styles: {}, ...settings })).toMatch(expected);
});

test.each([
  [2 * uploadMaxBytes, ["413"]],
  [uploadMaxBytes, ["100", "413"]],
])("a client that expects 100 Continue for %s bytes receives %s", async (length, expected) => {
  const server = createServer((_request, response) => response.writeHead(413, { connection: "close" }).end());
  limitExpectedBodies(server);
  await new Promise<void>((resolve) => server.listen(0, resolve));
  const socket = connect((server.address() as AddressInfo).port);
  socket.write(`POST / HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nContent-Length: ${length}\r\n\r\n`);
  const received = await text(socket);
  expect([...received.matchAll(/^HTTP\/1.1 (\d+)/gm)].map(([, status]) => status)).toEqual(expected);
  server.close();
});
