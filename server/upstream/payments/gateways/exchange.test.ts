import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { exchange } from "./exchange";

describe("exchange", () => {
  /** Answers with as many bytes as the path says. */
  const server = createServer((request, response) => response.end("x".repeat(Number(request.url?.slice(1)))));
  let origin = "";
  beforeAll(async () => {
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterAll(() => void server.close());

  const ask = (bytes: number, maxBytes?: number) =>
    exchange({ method: "GET", url: new URL(`/${bytes}`, origin), headers: {}, ...(maxBytes && { maxBytes }) });

  it("reads an answer up to its limit, and takes a longer one as none", async () => {
    expect((await ask(1000, 1000)).body).toHaveLength(1000);
    await expect(ask(1001, 1000)).rejects.toMatchObject({ fault: "timeout" });
    expect((await ask(256 * 1024)).body).toHaveLength(256 * 1024);
    await expect(ask(256 * 1024 + 1)).rejects.toMatchObject({ fault: "timeout" });
  });
});
