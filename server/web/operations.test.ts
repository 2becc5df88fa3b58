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
    api: () => Response.json({ code: 0, data: { taskId: "t", status: 1 }, msg: "" }),
  });
  const reader = (await fetch(`${url}/bff/events?trial=t`)).body?.getReader();
  await reader?.read();
  beginShutdown();
  let isDone = false;
  while (!isDone) isDone = (await reader?.read())?.done ?? true;
  expect(await (await fetch(`${url}/bff/events?trial=t`)).text()).toBe("");
  expect((await fetch(`${url}/readyz`)).status).toBe(503);
});
