import { setTimeout as sleep } from "node:timers/promises";
import type { LoaderFunctionArgs } from "@remix-run/node";
import { afterEach, expect, test } from "vitest";
import { closeWebApps, sendRawRequest, startWebApp } from "../../tests/support/web-app";
import { createPublicVersion } from "../public-reads";

afterEach(closeWebApps);

/** A page that notes the arguments of each render. */
async function startPage(load: (args: LoaderFunctionArgs) => unknown = () => null) {
  const renders: LoaderFunctionArgs[] = [];
  const loader = (args: LoaderFunctionArgs) => {
    renders.push(args);
    return load(args);
  };
  return { renders, ...(await startWebApp({ page: { loader, action: () => "done" } })) };
}

const nonceOf = (policy: string | null) => /'nonce-([^']+)'/.exec(policy ?? "")?.[1];

test("visitors without a cookie share a render, each with an own nonce and request id and without a cookie", async () => {
  const { url, renders } = await startPage();
  const nonces = new Set<string>();
  for (let visitor = 0; visitor < 4; visitor++) {
    const answer = await fetch(`${url}/page`);
    const body = await answer.text();
    const nonce = nonceOf(answer.headers.get("content-security-policy")) ?? "none";
    nonces.add(nonce);
    expect(body).toContain(`nonce="${nonce}"`);
    expect(body).toContain(answer.headers.get("x-request-id"));
    expect(answer.headers.get("set-cookie")).toBeNull();
    expect(answer.headers.get("cache-control")).toBe("private, no-store");
    expect(answer.headers.get("vary")).toContain("Cookie");
    expect(answer.headers.get("x-frame-options")).toBe("DENY");
  }
  expect([renders.length, nonces.size]).toEqual([1, 4]);
});

test("a change of public data drops the cached pages, and a change by a visitor is followed by its own renders", async () => {
  const publicVersion = createPublicVersion();
  let renders = 0;
  const page = {
    loader() {
      renders += 1;
      return null;
    },
    action: () => "done",
  };
  const { url } = await startWebApp({ page, publicVersion });
  const readTwice = async (headers = {}) => {
    for (let i = 0; i < 2; i++) await fetch(`${url}/page`, { headers });
    return renders;
  };
  expect(await readTwice()).toBe(1);
  publicVersion.advance();
  expect(await readTwice()).toBe(2);
  const changed = await fetch(`${url}/page.data`, { method: "POST", headers: { origin: url } });
  const cookie = changed.headers.getSetCookie().map((text) => text.split(";")[0]);
  renders = 0;
  expect(await readTwice({ cookie: cookie.join("; ") })).toBe(2);
});

test.each([
  ["gzip, br", "br"],
  ["gzip", null],
  ["identity", null],
])("a cached page has each answer's nonce under accept-encoding %s", async (accepted, encoding) => {
  const { url } = await startPage();
  for (let visitor = 0; visitor < 3; visitor++) {
    const answer = await fetch(`${url}/page`, { headers: { "accept-encoding": accepted } });
    expect(answer.headers.get("content-encoding")).toBe(encoding);
    expect(answer.headers.get("vary")).toContain(encoding ? "Accept-Encoding" : "Cookie");
    expect(await answer.text()).toContain(`nonce="${nonceOf(answer.headers.get("content-security-policy"))}"`);
  }
});

test("a long cached page is compressed with gzip for browsers without Brotli", async () => {
  const { url } = await startWebApp({ text: "声".repeat(1000) });
  for (let visitor = 0; visitor < 2; visitor++) {
    const answer = await fetch(`${url}/page`, { headers: { "accept-encoding": "gzip" } });
    expect(answer.headers.get("content-encoding")).toBe("gzip");
    expect(await answer.text()).toContain(`nonce="${nonceOf(answer.headers.get("content-security-policy"))}"`);
  }
});

test("a visitor with any cookie gets a separate render, before and after others", async () => {
  const { url, renders } = await startPage();
  for (const cookie of ["color-mode=dark", "fresh=1", "unknown=1", ""]) {
    await fetch(`${url}/page`);
    await fetch(`${url}/page`, { headers: { cookie } });
  }
  expect(renders.map(({ request }) => request.headers.get("cookie"))).toEqual([
    null,
    "color-mode=dark",
    "fresh=1",
    "unknown=1",
    "",
  ]);
});

test("query, device and host are different pages", async () => {
  const { url, port, renders } = await startPage();
  const phone = { "user-agent": "Mozilla/5.0 (iPhone; CPU iPhone OS 17_0 like Mac OS X)" };
  for (let i = 0; i < 2; i++) {
    await fetch(`${url}/page`);
    await fetch(`${url}/page?a=1`);
    await fetch(`${url}/page`, { headers: phone });
    await fetch(`http://127.0.0.1:${port}/page`);
  }
  expect(
    renders.map(({ request, context }) => [request.url, request.headers.get("sec-ch-ua-mobile"), context.siteUrl]),
  ).toEqual([
    [`${url}/page`, "?0", url],
    [`${url}/page?a=1`, "?0", url],
    [`${url}/page`, "?1", url],
    [`http://127.0.0.1:${port}/page`, "?0", `http://127.0.0.1:${port}`],
  ]);
});

test("a shared render knows nothing of the visitor who caused it", async () => {
  const { url, renders } = await startPage();
  const headers = { "user-agent": "Visitor", "accept-language": "fr", referer: `${url}/secret`, token: "t" };
  await fetch(`${url}/page`, { headers: { ...headers, "x-forwarded-for": "9.9.9.9" } });
  const [{ request, context }] = renders as [LoaderFunctionArgs];
  expect([...request.headers.keys()].sort()).toEqual(["host", "sec-ch-ua-mobile"]);
  expect([context.clientAddress, context.session.values.token]).toEqual(["", undefined]);
});

test("the first visitor's leaving does not fail the others", async () => {
  let open = () => {};
  const isOpen = new Promise<void>((resolve) => {
    open = resolve;
  });
  const { url, renders } = await startPage(({ request }) => isOpen.then(() => request.signal.aborted));
  const controller = new AbortController();
  const left = fetch(`${url}/page`, { signal: controller.signal }).catch(() => "left");
  await expect.poll(() => renders.length).toBe(1);
  const stayed = fetch(`${url}/page`);
  await sleep(50);
  controller.abort();
  expect(await left).toBe("left");
  await sleep(50);
  open();
  expect((await stayed).status).toBe(200);
  expect(renders.length).toBe(1);
});

test("redirects, errors and answers with a cookie are made for each visitor", async () => {
  const answers: Array<[(args: LoaderFunctionArgs) => unknown, number]> = [
    [() => new Response(null, { status: 302, headers: { location: "/elsewhere" } }), 302],
    [() => Promise.reject(new Response("gone", { status: 404 })), 404],
    [() => Promise.reject(new Error("broken")), 500],
    [({ context }) => context.session.countTrials(1), 200],
  ];
  for (const [load, status] of answers) {
    const { url } = await startPage((args) => load(args) ?? null);
    const seen = [];
    for (let visitor = 0; visitor < 3; visitor++) {
      const answer = await fetch(`${url}/page`, { redirect: "manual" });
      const nonce = nonceOf(answer.headers.get("content-security-policy"));
      seen.push(answer.headers.get("set-cookie") ?? nonce);
      expect(answer.status).toBe(status);
    }
    expect(new Set(seen).size).toBe(3);
  }
});

test("only GET requests of pages are shared", async () => {
  const { url, port, renders } = await startPage();
  for (let i = 0; i < 2; i++) {
    await fetch(`${url}/page.data`);
    await fetch(`${url}/page`, { method: "HEAD" });
    expect(await sendRawRequest(port, "GET /nothing HTTP/1.1\nHost: localhost\nConnection: close\n\n")).toMatch(/ 404/);
    await fetch(`${url}/page`, { method: "POST", headers: { origin: url } });
  }
  expect(renders.length).toBe(6);
});

test("a visitor who only reads gets no cookie, and the first change gives one", async () => {
  const { url } = await startPage();
  for (const path of ["/page", "/page?a=1", "/page.data", "/bff/media?url=x"])
    expect((await fetch(url + path, { headers: { cookie: "color-mode=dark" } })).headers.get("set-cookie")).toBeNull();
  const changed = await fetch(`${url}/page`, { method: "POST", headers: { origin: url } });
  expect(changed.headers.get("set-cookie")).toMatch(/^__Host-vid=/);
});
