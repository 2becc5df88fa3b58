import { Hono } from "hono";
import { streamSSE } from "hono/streaming";
import { expect, test } from "vitest";
import { createGetRequest } from "./in-process";

const app = new Hono().basePath("/api");
app.get("/seen/:id", (c) =>
  c.json({ id: c.req.param("id"), query: c.req.query(), header: c.req.header("token"), path: c.req.path }),
);
app.get("/events", (c) =>
  streamSSE(c, async (stream) => {
    await stream.writeSSE({ data: "first" });
    await new Promise<void>((resolve) => stream.onAbort(resolve));
  }),
);

const ask = (path: string, signal = new AbortController().signal) =>
  app.fetch(
    createGetRequest({
      url: `http://site.invalid${path}`,
      headers: new Headers({ token: "t" }),
      signal: () => signal,
    }),
  );

test("Hono routes the plain GET and reads its path, query and headers", async () => {
  const answer = await ask("/api/seen/7?page=2&keyword=%E4%BD%A0");
  expect(await answer.json()).toEqual({
    id: "7",
    query: { page: "2", keyword: "你" },
    header: "t",
    path: "/api/seen/7",
  });
  expect((await ask("/api/none")).status).toBe(404);
});

test("an event stream of a plain GET ends when its reader leaves", async () => {
  const { body } = await ask("/api/events");
  const reader = body?.getReader();
  expect(new TextDecoder().decode((await reader?.read())?.value)).toBe("data: first\n\n");
  await reader?.cancel();
  expect((await reader?.read())?.done).toBe(true);
});
