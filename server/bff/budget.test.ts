import type { AddressInfo } from "node:net";
import { createServer } from "node:net";
import { expect, test } from "vitest";
import { createUpstreamClient } from "./upstream.server";

const heads = {
  "in its headers": "HTTP/1.1 200 OK\r\nx-a:",
  "in its body": "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n\r\n{",
  "in an answer to be repeated": "HTTP/1.1 503 Busy\r\ncontent-length: 100000\r\n\r\n",
};

/** An upstream that sends one byte at a time without end. */
async function startDripping(head: string) {
  const state = { asked: 0 };
  const server = createServer((socket) => {
    state.asked += 1;
    socket.write(head);
    const timer = setInterval(() => socket.write(" "), 10);
    socket.on("error", () => {}).on("close", () => clearInterval(timer));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { state, baseUrl, close: () => server.close() };
}

test.each(Object.entries(heads))(
  "a request whose upstream sends %s slowly is aborted when its time budget is used up",
  async (_, head) => {
    const { state, baseUrl, close } = await startDripping(head);
    const client = createUpstreamClient({ baseUrl, appId: "a", logger: { warn: () => {} } });
    const answerBy = performance.now() + 400;
    const upstream = client.as(() => ({ answerBy }));
    const network = { refusal: { code: "network" } };
    await expect(upstream.call("captcha", { phone: "13812345678" })).rejects.toMatchObject(network);
    expect(performance.now()).toBeGreaterThanOrEqual(answerBy - 5);
    const { asked } = state;
    // A second call of the same page has no time left.
    await expect(upstream.call("products", {})).rejects.toMatchObject(network);
    expect(state.asked).toBe(asked);
    close();
  },
);
