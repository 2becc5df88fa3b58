import { expect, onTestFinished, test, vi } from "vitest";

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
