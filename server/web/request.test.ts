import type { AddressInfo } from "node:net";
import { type HttpBindings, serve } from "@hono/node-server";
import { Hono } from "hono";
import { request } from "undici";
import { afterAll, expect, test } from "vitest";
import { encodingOf, moveBodyToQuery, type WebEnv } from "./request";

const app = new Hono<{ Bindings: HttpBindings }>().all("*", async (c) => {
  const passed = await moveBodyToQuery(c.req.raw, c.env.incoming);
  return c.json({ query: Object.fromEntries(new URL(passed.url).searchParams), token: passed.headers.get("token") });
});
const server = serve({ fetch: app.fetch, port: 0, hostname: "127.0.0.1" });
afterAll(() => server.close());

async function ask(query: string, body: string, method: "GET" | "POST" = "GET") {
  const { port } = server.address() as AddressInfo;
  const headers = { "content-type": "application/json", token: "mine" };
  const answer = await request(`http://127.0.0.1:${port}/list${query}`, { method, body, headers });
  return (await answer.body.json()) as { query: Record<string, string>; token: string };
}

test("a GET's body is added to its query and takes precedence", async () => {
  expect(await ask("?page=1&status=2", JSON.stringify({ page: 3, keyword: "春 天&" }))).toEqual({
    query: { page: "3", status: "2", keyword: "春 天&" },
    token: "mine",
  });
});

test.each(["{", "[1]", "null", '"page"', '{"page":{"a":1},"ids":[1]}', `{"page":"${"x".repeat(20_000)}"}`])(
  "an invalid GET body is ignored: %.20s",
  async (body) => {
    expect((await ask("?page=1", body)).query).toEqual({ page: "1" });
  },
);

test("a POST's body is not added to the query", async () => {
  expect((await ask("?page=1", '{"page":3}', "POST")).query).toEqual({ page: "1" });
});

test.each([
  ["gzip, deflate, br, zstd", "br"],
  ["br;q=0, gzip", "gzip"],
  ["BR;q=0.5", "br"],
  ["gzip;q=0.0, br; q=0", null],
  ["identity, x-br", null],
  ["", null],
])("a client that accepts %j gets %j", async (accepted, encoding) => {
  const encodings = new Hono<WebEnv>().get("*", (c) => c.text(String(encodingOf(c))));
  const answer = await encodings.request("/", { headers: { "accept-encoding": accepted } });
  expect(await answer.text()).toBe(String(encoding));
});
