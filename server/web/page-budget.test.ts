import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { LoaderFunctionArgs } from "@remix-run/node";
import { afterEach, expect, test, vi } from "vitest";
import { closeWebApps, startWebApp } from "../../tests/support/web-app";

const upstream = createServer(() => {});
afterEach(async () => {
  vi.restoreAllMocks();
  upstream.closeAllConnections();
  upstream.close();
  await closeWebApps();
});

test("a page waits five seconds for a list that hangs, an action waits on", async () => {
  await new Promise<void>((resolve) => upstream.listen(0, "127.0.0.1", resolve));
  const outcomes: string[] = [];
  const realNow = performance.now.bind(performance);
  let lateMs = 0;
  vi.spyOn(performance, "now").mockImplementation(() => realNow() + lateMs);
  const ask = async ({ request, context }: LoaderFunctionArgs) => {
    lateMs = 4_900;
    const fault = await context.upstream.call("squareHome", {}).catch((error: Error) => error.message);
    outcomes.push(`${request.method} ${fault}`);
    return null;
  };
  const apiBaseUrl = `http://127.0.0.1:${(upstream.address() as AddressInfo).port}`;
  const { url } = await startWebApp({ page: { loader: ask, action: ask }, config: { apiBaseUrl } });
  const read = await fetch(`${url}/page`, { signal: AbortSignal.timeout(2_000) });
  expect([read.status, outcomes]).toEqual([200, ["GET network"]]);
  lateMs = 0;
  const leaving = { method: "POST", headers: { origin: url }, signal: AbortSignal.timeout(400) };
  await expect(fetch(`${url}/page`, leaving)).rejects.toThrow();
  expect(outcomes).toEqual(["GET network"]);
});
