/** Separate process: forwards one upload through the BFF's uploader and prints its memory growth in MB. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { serve } from "@hono/node-server";
import { toRefusal } from "../../../server/bff/refusal.server";
import { createUpstreamClient, type UpstreamOptions } from "../../../server/bff/upstream.server";

const mode = process.argv[2];
const answer = { code: 0, data: { emotionPath: "/r/1" }, msg: "" };
const options: UpstreamOptions = { appId: "a", logger: { warn: () => {} } };

if (mode === "embedded") {
  options.fetch = async (request) => {
    for await (const _ of request.body as unknown as AsyncIterable<Uint8Array>);
    return Response.json(answer);
  };
} else {
  // The upstream runs in the parent, so that its memory does not count here.
  options.baseUrl = mode;
}

const client = createUpstreamClient(options);
const relay = serve({
  port: 0,
  hostname: "127.0.0.1",
  fetch: async (request) => {
    try {
      return Response.json(await client.as(() => ({})).upload("recordingUpload", request));
    } catch (error) {
      return Response.json(toRefusal(error), { status: 413 });
    }
  },
});

const megabytes = () => process.memoryUsage.rss() / 2 ** 20;
let before = 0;
let peak = 0;
// What is kept counts, not the garbage that a busy machine collects late.
setInterval(() => {
  globalThis.gc?.();
  peak = Math.max(peak, megabytes());
}, 20).unref();

const control = createServer((request, response) => {
  if (request.url === "/start") {
    before = megabytes();
    peak = before;
  }
  response.end(String(Math.round(peak - before)));
});
relay.once("listening", () =>
  control.listen(0, "127.0.0.1", () => {
    const port = (server: { address(): unknown }) => (server.address() as AddressInfo).port;
    console.log(JSON.stringify({ relay: port(relay), control: port(control) }));
  }),
);
