import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/node";
import { Hono } from "hono";
import { afterEach, expect, test } from "vitest";
import { closeWebApps, startWebApp } from "../../tests/support/web-app";
import { createPublicVersion } from "../public-reads";
import { cacheVisitorPages } from "./page-cache";
import type { WebEnv } from "./request";

afterEach(closeWebApps);

/** A page that notes the arguments of each render. */
async function startPage(load: (args: LoaderFunctionArgs) => unknown = () => null) {
  const renders: LoaderFunctionArgs[] = [];
  const loader = (args: LoaderFunctionArgs) => {
    renders.push(args);
    return load(args);
  };
  const action = ({ context }: ActionFunctionArgs) => Response.json(context.session.values.visitorId);
  return { renders, ...(await startWebApp({ text: "声".repeat(1000), page: { loader }, data: { action } })) };
}

const nonceOf = (policy: string | null) => /'nonce-([^']+)'/.exec(policy ?? "")?.[1];

test("visitors share a whole answer with its nonce, each under an own request id and an own visitor", async () => {
  const { url, renders } = await startPage();
  const seen: Array<{ body: string; id: string | null; cookie: string | null }> = [];
  for (let visitor = 0; visitor < 4; visitor++) {
    const { headers, ...answer } = await fetch(`${url}/page`).then(async (response) => ({
      headers: response.headers,
      body: await response.text(),
    }));
    expect(answer.body).toContain(`nonce="${nonceOf(headers.get("content-security-policy"))}"`);
    expect(headers.get("cache-control")).toBe("private, no-store");
    expect(headers.get("vary")).toContain("Cookie");
    expect(headers.get("x-frame-options")).toBe("DENY");
    seen.push({ body: answer.body, id: headers.get("x-request-id"), cookie: headers.get("set-cookie") });
  }
  const count = (pick: (one: (typeof seen)[number]) => unknown) => new Set(seen.map(pick)).size;
  expect(renders.length).toBe(1);
  expect([count(({ body }) => body), count(({ id }) => id), count(({ cookie }) => cookie)]).toEqual([1, 4, 4]);
  for (const { id, cookie } of seen) {
    expect(cookie).toMatch(/^__Host-vid=/);
    expect(seen[0]?.body).not.toContain(id);
  }
});

test("the first changes of a visitor come from one visitor", async () => {
  const { url } = await startPage();
  const cookie = (await fetch(`${url}/page`)).headers.get("set-cookie")?.split(";")[0] ?? "";
  const change = () => fetch(`${url}/data/1`, { method: "POST", headers: { origin: url, cookie } });
  const visitors = await Promise.all([change(), change()].map(async (answer) => (await answer).json()));
  expect(visitors[0]).toMatch(/^[\w-]{36}$/);
  expect(visitors[1]).toBe(visitors[0]);
});

test.each([
  ["gzip, br", "br"],
  ["gzip", "gzip"],
  ["identity", null],
])("a page that was cached in other encodings is sent under accept-encoding %s as %s", async (accepted, encoding) => {
  const { url, renders } = await startPage();
  for (const other of ["br", "gzip", "identity", accepted, accepted])
    await (await fetch(`${url}/page`, { headers: { "accept-encoding": other } })).text();
  const answer = await fetch(`${url}/page`, { headers: { "accept-encoding": accepted } });
  expect(answer.headers.get("content-encoding")).toBe(encoding);
  expect(await answer.text()).toContain(`nonce="${nonceOf(answer.headers.get("content-security-policy"))}"`);
  expect(renders.length).toBe(3);
});

test("a visitor with any cookie gets a separate render, before and after others", async () => {
  const { url, renders } = await startPage();
  for (const cookie of ["color-mode=dark", "unknown=1", ""]) {
    await fetch(`${url}/page`);
    await fetch(`${url}/page`, { headers: { cookie } });
  }
  const cookies = renders.map(({ request }) => request.headers.get("cookie"));
  expect(cookies).toEqual([null, "color-mode=dark", "unknown=1", ""]);
});

test("path, query, device and host are different pages", async () => {
  const { url, port, renders } = await startPage();
  const phone = { "user-agent": "Mozilla/5.0 (iPhone; CPU iPhone OS 17_0 like Mac OS X)" };
  for (let i = 0; i < 2; i++) {
    await fetch(`${url}/page`);
    await fetch(`${url}/page?a=1`);
    await fetch(`${url}/page/`);
    await fetch(`${url}/page`, { headers: phone });
    await fetch(`${url}/page`, { headers: { "sec-ch-ua-mobile": "?1" } });
    await fetch(`http://127.0.0.1:${port}/page`);
  }
  expect(renders.map(({ request, context }) => [request.url, context.siteUrl])).toEqual([
    [`${url}/page`, url],
    [`${url}/page?a=1`, url],
    [`${url}/page/`, url],
    [`${url}/page`, url],
    [`http://127.0.0.1:${port}/page`, `http://127.0.0.1:${port}`],
  ]);
});

test("the first visitor's leaving does not fail the others", async () => {
  let open = () => {};
  const isOpen = new Promise<void>((resolve) => {
    open = resolve;
  });
  const { url, renders } = await startPage(async ({ request }) => {
    if (renders.length > 1) return null;
    await isOpen;
    request.signal.throwIfAborted();
  });
  const controller = new AbortController();
  const left = fetch(`${url}/page`, { signal: controller.signal }).catch(() => "left");
  await expect.poll(() => renders.length).toBe(1);
  const stayed = [fetch(`${url}/page`), fetch(`${url}/page`)];
  controller.abort();
  expect(await left).toBe("left");
  await expect.poll(() => renders[0]?.request.signal.aborted).toBe(true);
  open();
  for (const answer of stayed) expect((await answer).status).toBe(200);
});

test("redirects, errors, answers with a cookie and other methods are made for each visitor", async () => {
  const answers: Array<[(args: LoaderFunctionArgs) => unknown, number]> = [
    [() => new Response(null, { status: 302, headers: { location: "/elsewhere" } }), 302],
    [() => Promise.reject(new Response("gone", { status: 404 })), 404],
    [() => Promise.reject(new Error("broken")), 500],
    [({ context }) => context.session.countTrials(1), 200],
  ];
  for (const [load, status] of answers) {
    const { url, renders } = await startPage((args) => load(args) ?? null);
    for (let visitor = 0; visitor < 3; visitor++)
      expect((await fetch(`${url}/page`, { redirect: "manual" })).status).toBe(status);
    expect(renders.length).toBe(3);
  }
  const headers = { "content-type": "text/html", "cache-control": "public, max-age=300" };
  const files = await startWebApp({ data: { loader: () => new Response("for all", { headers }) } });
  expect((await fetch(`${files.url}/data/1`)).headers.get("set-cookie")).toBeNull();
  const { url, renders } = await startPage();
  for (let i = 0; i < 2; i++) {
    await fetch(`${url}/page.data`);
    await fetch(`${url}/page`, { method: "HEAD" });
  }
  expect(renders.length).toBe(4);
});

/** The middleware alone, over pages that show how often they were rendered. */
function openCache() {
  const clock = { now: 0 };
  const version = createPublicVersion();
  let renders = 0;
  const app = new Hono<WebEnv>();
  app.use(async (c, next) => {
    c.set("connection", { clientAddress: "", isDirect: true, protocol: "http", host: "localhost" });
    await next();
  });
  app.use(cacheVisitorPages({ version, newVisitorCookie: async () => null, now: () => clock.now }));
  app.get("/:size", async (c) => {
    const count = ++renders;
    await new Promise((resolve) => setTimeout(resolve));
    return c.html(String(count).padEnd(Number(c.req.param("size"))));
  });
  const read = async (target = "/1") => Number(await (await app.request(target)).text());
  return { clock, version, read };
}

test("a page is rendered once in two seconds and for requests that arrive meanwhile", async () => {
  const { clock, read } = openCache();
  expect(await Promise.all([read(), read(), read()])).toEqual([1, 1, 1]);
  clock.now = 1_999;
  expect(await read()).toBe(1);
  clock.now = 2_000;
  expect(await read()).toBe(2);
});

test("a change drops every page, also one that was being rendered", async () => {
  const { version, read } = openCache();
  const early = read();
  version.advance();
  expect(await early).toBe(1);
  expect([await read(), await read()]).toEqual([2, 2]);
});

test("pages are bounded in number, the oldest go first, and a large one is not cached", async () => {
  const { read } = openCache();
  for (let page = 1; page <= 65; page++) await read(`/1?page=${page}`);
  expect([await read("/1?page=65"), await read("/1?page=1")]).toEqual([65, 66]);
  expect([await read("/300000"), await read("/300000")]).toEqual([67, 68]);
});
