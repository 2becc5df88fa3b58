import { expect, onTestFinished, test, vi } from "vitest";
import type { Config } from "../config";
import type { EmbeddedUpstream } from "../embedded-upstream";
import { createMetrics, createOperations } from "./operations";

test("event streams end when the server shuts down, and later ones end at once", async () => {
  // Uses a separate server, because a shutdown cannot be undone.
  vi.resetModules();
  const { beginShutdown } = await import("./app");
  const { startWebApp, closeWebApps } = await import("../../tests/support/web-app");
  onTestFinished(() => {
    closeWebApps();
    vi.resetModules();
  });
  const { url } = await startWebApp({
    api: () => new Response(new ReadableStream(), { headers: { "content-type": "text/event-stream" } }),
  });
  const reader = (await fetch(`${url}/bff/events`)).body?.getReader();
  await reader?.read();
  beginShutdown();
  let isDone = false;
  while (!isDone) isDone = (await reader?.read())?.done ?? true;
  expect(await (await fetch(`${url}/bff/events`)).text()).toBe("");
  expect((await fetch(`${url}/readyz`)).status).toBe(503);
});

test("a server with a part that hangs is not ready, and says so within four seconds", async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const embedded = { ready: () => new Promise(() => {}) } as unknown as EmbeddedUpstream;
  const app = createOperations({ config: {} as Config, embedded, metrics: createMetrics() });
  const answer = app.request("/readyz");
  await vi.advanceTimersByTimeAsync(4_000);
  expect((await answer).status).toBe(503);
});
