import { randomUUID } from "node:crypto";
import type { LoaderFunctionArgs } from "@remix-run/node";
import { afterEach, expect, test } from "vitest";
import { paths } from "~/paths";
import { closeWebApps, config, sendRawRequest, startWebApp } from "../../tests/support/web-app";
import { throwIfLoginExpired } from "../bff/json-route.server";
import { createSessions } from "../bff/session.server";
import type { Config } from "../config";
import type { AlipaySettings } from "../settings/payments";

afterEach(closeWebApps);

test("a page is sent with security headers and a private cache", async () => {
  const { url } = await startWebApp();
  const answer = await fetch(`${url}/page`);
  expect(answer.status).toBe(200);
  const policy = answer.headers.get("content-security-policy") ?? "";
  expect(policy).toMatch(/script-src 'self' 'nonce-[^']{20,}'/);
  expect(policy).not.toMatch(/script-src[^;]*unsafe-inline/);
  expect(policy).toContain("form-action 'self';");
  expect(policy).toContain("frame-ancestors 'none'");
  expect(answer.headers.get("cache-control")).toBe("private, no-store");
  expect(answer.headers.get("vary")).toContain("Cookie");
  expect(answer.headers.get("permissions-policy")).toContain("microphone=(self)");
  expect(answer.headers.get("x-content-type-options")).toBe("nosniff");
  expect(answer.headers.get("x-powered-by")).toBeNull();
  expect(answer.headers.get("x-request-id")).toMatch(/^[\w-]{36}$/);
  expect(answer.headers.get("strict-transport-security")).toBeNull();
});

test("forms may be sent to payment gateways only before a foreign upstream", async () => {
  const { url } = await startWebApp({ config: { apiBaseUrl: "https://api.example" } });
  const policy = (await fetch(`${url}/page`)).headers.get("content-security-policy");
  expect(policy).toContain("form-action 'self' https://*.alipay.com https://*.alipaydev.com;");
});

test("the CSP nonce is new for each response and equal in page and policy", async () => {
  const seen: string[] = [];
  const { url } = await startWebApp({
    page: { loader: ({ context }: { context: { nonce: string } }) => seen.push(context.nonce) },
  });
  for (const i of [0, 1]) {
    const policy = (await fetch(`${url}/page`, { headers: { cookie: "a=b" } })).headers.get("content-security-policy");
    expect(policy).toContain(`'nonce-${seen[i]}'`);
  }
  expect(seen[0]).not.toBe(seen[1]);
});

test("plain HTTP on an IP address sets a cookie that browsers accept there", async () => {
  const { port } = await startWebApp({ page: { action: () => "ok" } });
  const origin = `http://127.0.0.1:${port}`;
  const cookie = (await fetch(`${origin}/page`, { method: "POST", headers: { origin } })).headers.get("set-cookie");
  expect(cookie).toMatch(/^vid=/);
});

test("production sends HSTS and accepts only its own host", async () => {
  const site: Partial<Config> = { mode: "production", siteUrl: "https://example.com" };
  const { url, port } = await startWebApp({ config: site, page: { action: () => "ok" } });
  expect((await fetch(`${url}/page`)).status).toBe(421);
  const head = "Host: example.com\nOrigin: https://example.com\nContent-Length: 0\nConnection: close\n\n";
  const answer = await sendRawRequest(port, `POST /page HTTP/1.1\n${head}`);
  expect(answer).toMatch(/^HTTP\/1\.1 200/);
  expect(answer).toContain("strict-transport-security: max-age=31536000");
  expect(answer).toContain("set-cookie: __Host-vid=");
});

test("the api of separate roles answers web servers and gateways by any host name", async () => {
  const site: Partial<Config> = { mode: "production", role: "api", siteUrl: "https://example.com" };
  const { port } = await startWebApp({ config: site });
  for (const host of ["api", "api:3000", "10.0.0.7:3000", "pay.example.com"]) {
    const answer = await sendRawRequest(port, `GET /api/v1/pay/product HTTP/1.1\nHost: ${host}\nConnection: close\n\n`);
    expect(answer).toMatch(/^HTTP\/1\.1 200/);
  }
});

test("one process answers notifications at the address that payments name", async () => {
  const settings = { notifyUrl: "https://pay.example.com/api/v1/pay/notify/alipay" } as AlipaySettings;
  const payments = { wechatPay: undefined, alipay: settings };
  const { port } = await startWebApp({ config: { mode: "production", siteUrl: "https://example.com", payments } });
  const statusAt = async (host: string) =>
    (await sendRawRequest(port, `GET /api/v1/x HTTP/1.1\nHost: ${host}\nConnection: close\n\n`)).slice(9, 12);
  expect([await statusAt("pay.example.com"), await statusAt("other.example.com")]).toEqual(["200", "421"]);
});

test("forms are accepted behind a proxy that sets the site's host", async () => {
  const site: Partial<Config> = { mode: "production", siteUrl: "https://example.com", trustedProxies: ["127.0.0.1"] };
  const { port } = await startWebApp({ config: site, page: { action: () => "ok" } });
  const forwarded = "X-Forwarded-Host: example.com\nX-Forwarded-Proto: https\nOrigin: https://example.com\n";
  const answer = await sendRawRequest(
    port,
    `POST /page HTTP/1.1\nHost: internal\n${forwarded}Content-Length: 0\nConnection: close\n\n`,
  );
  expect(answer).toMatch(/^HTTP\/1\.1 200/);
});

test.each([
  ["an absolute-form target", "GET http://evil.example/page HTTP/1.1\nHost: localhost\n", 400],
  ["a foreign host", "GET /page HTTP/1.1\nHost: evil.example\n", 421],
  ["a host with blanks", "GET /page HTTP/1.1\nHost: a b\n", 4],
  ["an asterisk", "OPTIONS * HTTP/1.1\nHost: localhost\n", 4],
  ["a backslash", "GET /page\\x HTTP/1.1\nHost: localhost\n", 4],
  ["a junk Origin", "POST /page HTTP/1.1\nHost: localhost\nOrigin: junk\nContent-Length: 0\n", 403],
  ["a missing Origin", "POST /page HTTP/1.1\nHost: localhost\nContent-Length: 0\n", 403],
  ["TRACE of the API", "TRACE /api/v1/x HTTP/1.1\nHost: localhost\n", 405],
  ["_data", "GET /page?_data=root HTTP/1.1\nHost: localhost\n", 400],
  [
    "a wrong form type",
    "POST /page HTTP/1.1\nHost: localhost\nOrigin: http://localhost\nContent-Type: x/y\nContent-Length: 1\n",
    415,
  ],
])("%s returns a 4xx with a body, and a 403 is never cached", async (_name, request, status) => {
  const { port } = await startWebApp();
  const answer = await sendRawRequest(
    port,
    `${request}Connection: close\n\n${request.includes("Length: 1") ? "a" : ""}`,
  );
  const [head = "", body = ""] = answer.split("\r\n\r\n");
  expect(head).toMatch(new RegExp(`^HTTP/1\\.1 ${status}`));
  if (status > 100) expect(body.length).toBeGreaterThan(20);
  if (status === 403) expect(head).toMatch(/^cache-control: private, no-store/im);
});

test("a form above 1 MB is refused, with a length or chunked", async () => {
  const { url } = await startWebApp({ page: { action: () => "ok" } });
  const headers = { origin: url, "content-type": "application/x-www-form-urlencoded" };
  const big = "a".repeat(1024 * 1024 + 1);
  const stream = () => new Blob([big]).stream();
  const answers = [
    await fetch(`${url}/page`, { method: "POST", headers, body: big }),
    await fetch(`${url}/page`, { method: "POST", headers, body: stream(), duplex: "half" } as RequestInit),
  ];
  expect(answers.map(({ status }) => status)).toEqual([413, 413]);
});

test("forwarding headers and cookies of clients are not sent to the API", async () => {
  let seen = new Headers();
  const { url } = await startWebApp({
    api: (request) => {
      seen = request.headers;
      return Response.json({ code: 0 });
    },
  });
  await fetch(`${url}/api/v1/x`, {
    headers: { "x-forwarded-for": "6.6.6.6", forwarded: "for=6.6.6.6", cookie: "a=b", token: "t" },
  });
  expect(seen.get("x-forwarded-for")).toBe("127.0.0.1");
  expect([seen.get("forwarded"), seen.get("cookie"), seen.get("token")]).toEqual([null, null, "t"]);
});

/** A request is logged when its answer has been sent, which may be after the client has read it. */
const expectLogged = (lines: string[], text: string) => expect.poll(() => lines.join("")).toContain(text);

test("an upstream error returns a 500 with a body that does not contain the cause", async () => {
  const { url, lines } = await startWebApp({ api: () => Promise.reject(new Error("secret /srv/path 13812345678")) });
  const answer = await fetch(`${url}/api/v1/x`);
  const body = await answer.text();
  expect(answer.status).toBe(500);
  expect(body).toContain(answer.headers.get("x-request-id"));
  expect(body).not.toContain("secret");
  await expectLogged(lines, "138****5678");
  expect(lines.join("")).not.toContain("13812345678");
});

test("the log names no token of a secret link", async () => {
  const { url, lines } = await startWebApp({});
  const token = "t".repeat(32);
  for (const page of ["v", "pay"]) {
    await fetch(`${url}/${page}/${token}`);
    await fetch(`${url}/${page}/${token}.data`);
    await expectLogged(lines, `"path":"/${page}/…"`);
  }
  const written = ["/V/", "//v/", "/v//", "/%76/", "/%56/", "/v%2F", "/%2576/", "/x/../v/", "/v/%74"];
  const mistyped = ["/v/%20", "/v/'", "/v/.", "/v%2f.%2f", "/v/x/", "/v;a/", "/v:", "/%EF%BD%96/", "/vv/", "/vv/%2574"];
  const payment = ["/PAY/", "/p%61y/", "/%50ay//", "/pay%2F"];
  for (const path of [...written, ...mistyped, ...payment]) await fetch(`${url}${path}${token}`);
  await fetch(`${url}/last`);
  await expectLogged(lines, '"path":"/last"');
  expect(lines.join("")).not.toContain(token);
});

test("a visitor who leaves is no server error", async () => {
  const leaving = new AbortController();
  const loader = async ({ context }: LoaderFunctionArgs) => {
    leaving.abort();
    await new Promise((resolve) => setTimeout(resolve, 50));
    return context.upstream.call("squareHome", {});
  };
  const { url, lines } = await startWebApp({ page: { loader } });
  await expect(fetch(`${url}/page`, { signal: leaving.signal })).rejects.toThrow();
  await expectLogged(lines, '"path":"/page","status":499');
});

test("the log keeps ids and the names of assets", async () => {
  const { url, lines } = await startWebApp({});
  const paths = [`/x/${randomUUID()}`, "/assets/a-rather-long-name-of-a-route-AbCd_123.js"];
  for (const path of paths) await fetch(`${url}${path}`);
  for (const path of paths) await expectLogged(lines, `"path":"${path}"`);
});

test("the log keeps the paths of payments that hold no secret", async () => {
  const { url, lines } = await startWebApp({});
  const paths = ["/pay/order", "/pay/order.data", "/api/v1/pay/notify/wechat", "/api/v1/pay/order/qrcode"];
  for (const path of paths) await fetch(`${url}${path}`);
  for (const path of paths) await expectLogged(lines, `"path":"${path}"`);
});

test("a route's data is complete, private and compressed, and a thrown Response is the answer", async () => {
  const loader = ({ params }: { params: { size: string } }) => {
    if (params.size === "0") throw Response.json({ none: true }, { status: 404 });
    return Response.json("a".repeat(Number(params.size)));
  };
  const { url } = await startWebApp({ data: { loader } });
  const ask = async (size: number) => {
    const answer = await fetch(`${url}/data/${size}`, { headers: { "accept-encoding": "gzip" } });
    return { text: await answer.text(), status: answer.status, headers: Object.fromEntries(answer.headers) };
  };
  const [none, short, long] = [await ask(0), await ask(100), await ask(5_000)];
  expect([none.status, none.text]).toEqual([404, '{"none":true}']);
  expect(short.headers).toMatchObject({ "cache-control": "private, no-store" });
  expect(short.headers["set-cookie"]).toBeUndefined();
  expect(long.headers).toMatchObject({ "content-encoding": "gzip", vary: "Cookie, Accept-Encoding" });
  expect(JSON.parse(long.text)).toHaveLength(5_000);
});

test("code 5 ends the session and returns 401", async () => {
  const { url } = await startWebApp({ api: () => Response.json({ code: 5, data: null, msg: "" }) });
  const answer = await fetch(`${url}/bff/trials`, {
    method: "POST",
    headers: { origin: url, "content-type": "application/json" },
    body: '{"content":"a","roleId":"1"}',
  });
  expect([answer.status, await answer.json()]).toEqual([401, { refusal: { code: "login-expired" } }]);
});

test("a page whose login has expired redirects to the login and takes the token out of the cookie", async () => {
  const loader = ({ context }: LoaderFunctionArgs) =>
    context.upstream.call("userInfo", {}).catch((error: unknown) => {
      throwIfLoginExpired(error, context.session, paths.loginExpired);
      throw error;
    });
  const { url } = await startWebApp({
    page: { loader },
    api: () => Response.json({ code: 5, data: null, msg: "" }),
  });
  const sessions = createSessions({ secrets: ["s".repeat(40)] });
  const member = await sessions.open(null, true);
  member.logIn("ended");
  const cookie = (await member.setCookie())?.split(";")[0] ?? "";
  const answer = await fetch(`${url}/page`, { headers: { cookie }, redirect: "manual" });
  expect([answer.status, answer.headers.get("location")]).toEqual([302, paths.loginExpired]);
  const renewed = await sessions.open(answer.headers.get("set-cookie"), true);
  expect(renewed.values).toMatchObject({ visitorId: member.values.visitorId });
  expect(renewed.values.token).toBeUndefined();
});

test("health, readiness and metrics respond; metrics only with the token", async () => {
  const { url } = await startWebApp();
  expect(await (await fetch(`${url}/healthz`)).json()).toEqual({ ok: true });
  expect(await (await fetch(`${url}/readyz`)).json()).toEqual({ database: true, running: true });
  const authorization = `Bearer ${config.metricsToken}`;
  const figures = await (await fetch(`${url}/metrics`, { headers: { authorization } })).text();
  expect(figures).toContain("http_requests_total");
  expect(figures).toContain('# TYPE jobs gauge\njobs{kind="clone",state="ready"} 3\n');
  const metricsWith = async (at: string, headers: HeadersInit) => (await fetch(`${at}/metrics`, { headers })).status;
  expect(await metricsWith(url, {})).toBe(404);
  expect(await metricsWith(url, { "x-forwarded-for": "1.2.3.4" })).toBe(404);
  expect(await metricsWith(url, { authorization: `${authorization}m` })).toBe(404);
  const open = await startWebApp({ config: { metricsToken: undefined } });
  expect(await metricsWith(open.url, {})).toBe(404);
  expect(await metricsWith(open.url, { authorization: "Bearer undefined" })).toBe(404);
});

test("payment notifications reach the api without Origin, with any type, and with unchanged headers and body", async () => {
  const api = async (request: Request) =>
    new Response(`${request.headers.get("wechatpay-nonce")} ${await request.text()}`, { status: 401 });
  for (const role of ["all", "api"] as const) {
    const { url } = await startWebApp({ config: { role }, api });
    const origins: Array<Record<string, string>> = [{}, { origin: "https://elsewhere.example" }];
    for (const origin of origins) {
      const headers = { "wechatpay-nonce": "n", "content-type": "application/x-www-form-urlencoded", ...origin };
      const init = { method: "POST", headers, body: "a=%2f+1&&b=" };
      const answer = await fetch(`${url}/api/v1/pay/notify/wechat`, init);
      expect([answer.status, await answer.text()]).toEqual([401, "n a=%2f+1&&b="]);
    }
  }
});

test("the role api serves no pages", async () => {
  const { url } = await startWebApp({ config: { role: "api" } });
  expect((await fetch(`${url}/api/v1/x`)).status).toBe(200);
  expect((await fetch(`${url}/page`)).status).toBe(404);
});

test("log lines contain no token, cookie or phone", async () => {
  const { url, lines } = await startWebApp();
  await fetch(`${url}/page/13812345678%0d%0ainjected?phone=13812345678`, {
    headers: { token: "tok-secret", cookie: "c=secret" },
  });
  await expectLogged(lines, '"path":"/page/');
  expect(lines.join("")).not.toMatch(/13812345678|tok-secret|c=secret/);
  expect(lines.every((line) => line.split("\n").length === 2)).toBe(true);
});
