import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { calls } from "~server/contract/calls/table";
import { logIn } from "../support/account";
import { appId, openTestUpstream, type TestUpstream } from "../support/upstream";
import { closeWebApps, startWebApp } from "../support/web-app";

const found = import.meta.glob<{ action?: unknown; loader?: unknown }>(
  ["../../app/routes/{bff.*,color-mode,cashier.*}/route.{ts,tsx}"],
  { eager: true },
);
const modules = Object.fromEntries(
  Object.entries(found).map(([path, module]) => [path.split("/").at(-2) ?? "", module]),
);
const pathOf = (folder: string) =>
  `/${folder.replaceAll(".", "/").replace("calls/$name", "calls/roleUpdate").replace(/\$\w+/g, "a%00b")}`;

const deep = `${"[".repeat(20_000)}${"]".repeat(20_000)}`;
const values: unknown[] = ["\0", "a\0b", "\ud800", "%", -1, null, [], {}, ["\0"], { length: 1e9 }, { toString: 1 }];
/** All fields accepted by any call. */
const fields =
  `content text keyword name describe title reason transcript word pinyin style roleId voicePath emotionPath
  avatar taskId voiceId dubbId ids lines tags ext phone verifyCode pCode platform orderId sign consent portrait lever mode
  act id`.split(/\s+/);
const objects = values.map((value) => Object.fromEntries(fields.map((field) => [field, value])));
const nested = [
  { content: "你好。", lines: [{ roleId: "\0", content: "\0" }], consent: { statementId: "\0", voicePath: "\0" } },
  { name: "a", voicePath: "a", portrait: { "\0": "\ud800" }, tags: ["\0"], consent: { statementId: "voice-clone" } },
];
const json = [
  ...[...objects, ...nested, null, "a", []].map((value) => JSON.stringify(value)),
  ...[deep, `{"name":"a","voicePath":"a","consent":{"statementId":"a"},"portrait":{"a":${deep}}}`, "", "{", "\0"],
];
const bodies: Array<[type: string, body: string]> = [
  ...json.map((body): [string, string] => ["application/json", body]),
  ["application/x-www-form-urlencoded", "mode=%00&lever=%00&id=%00"],
  ["multipart/form-data; boundary=x", "--y\r\nbroken"],
  ["multipart/form-data; boundary=x", '--x\r\ncontent-disposition: form-data; name="mode"\r\n\r\n\0\r\n--x--\r\n'],
  ["text/plain", "\0"],
];
const queries = "keyword page pageSize roleId taskId id status sort gender format since".split(" ");

describe("bad input", () => {
  let upstream: TestUpstream;
  let url: string;
  let cookie: string;
  beforeAll(async () => {
    upstream = await openTestUpstream("embedded");
    ({ url } = await startWebApp({ modules, api: (request) => upstream.services.fetch(request), config: { appId } }));
    cookie = await logInAt(url);
  });
  afterAll(async () => {
    closeWebApps();
    await upstream.close();
  });

  /** Raises rate limits, which would hide later errors. */
  const forgetRates = () => sql`delete from rate`.execute(upstream.database());

  const statusOf = async (path: string, init: RequestInit = {}) => {
    await forgetRates();
    const headers = { origin: url, cookie, ...init.headers };
    const answer = await fetch(`${url}${path}`, { ...init, headers, redirect: "manual" });
    await answer.body?.cancel();
    return answer.status;
  };

  // These end the session that the other tests need.
  const ending = new Set(["bff.session", "bff.account"]);
  it.each(Object.keys(modules).filter((name) => modules[name]?.action && !ending.has(name)))(
    "returns a 4xx for actions of %s",
    async (name) => {
      for (const method of ["POST", "DELETE"])
        for (const [type, body] of bodies) {
          const status = await statusOf(pathOf(name), { method, headers: { "content-type": type }, body });
          expect(status, `${method} ${type} ${body.slice(0, 200)}`).toBeLessThan(500);
        }
    },
  );

  it.each(Object.keys(modules).filter((name) => modules[name]?.loader))(
    "returns a 4xx for the loader of %s",
    async (name) => {
      if (name.endsWith("events")) return;
      for (const query of [
        "",
        ...queries.flatMap((field) =>
          ["%00", "%ed%a0%80", "1e99", "-1", "a".repeat(3000)].map((value) => `?${field}=${value}`),
        ),
      ])
        expect(await statusOf(`${pathOf(name)}${query}`), query).toBeLessThan(500);
    },
  );

  it("returns a 400 for JSON at a form route and for NUL in a keyword", async () => {
    const init = { method: "POST", headers: { "content-type": "application/json" }, body: "{}" };
    for (const path of ["/color-mode", "/cashier/a"]) expect(await statusOf(path, init), path).toBe(400);
    const answer = await fetch(`${url}/bff/dubs?keyword=%00`, { headers: { cookie } });
    expect([answer.status, await answer.json()]).toEqual([
      400,
      { refusal: expect.objectContaining({ code: "bad-request" }) },
    ]);
  });

  it("leaves the session of the tests above logged in", async () => {
    const answer = await fetch(`${url}/bff/account`, { headers: { cookie } });
    expect((await answer.json()).user).not.toBeNull();
  });

  it("returns a 4xx for every call of the API", async () => {
    const member = await logIn(upstream.services);
    const headers = { appid: appId, token: member.token, "x-visitor-id": member.id };
    const send = async (target: string, init: RequestInit) => {
      await forgetRates();
      const answer = await upstream.services.fetch(new Request(`http://upstream/api/v1${target}`, init));
      await answer.body?.cancel();
      return answer.status;
    };
    const { logout, userDelete, notifyWechat, notifyAlipay, taskEvents, ...others } = calls;
    for (const { method, path } of Object.values(others)) {
      if (method === "GET")
        for (const field of queries) expect(await send(`${path}?${field}=a%00b`, { headers }), path).toBeLessThan(500);
      else
        for (const [type, body] of bodies) {
          const status = await send(path, { method, headers: { ...headers, "content-type": type }, body });
          expect(status, `${path} ${type} ${body.slice(0, 200)}`).toBeLessThan(500);
        }
    }
  });
});

/** Logs in through the site and returns the session cookie. */
async function logInAt(url: string): Promise<string> {
  const post = (path: string, body: object, cookie = "") =>
    fetch(`${url}${path}`, {
      method: "POST",
      headers: { origin: url, cookie, "content-type": "application/json" },
      body: JSON.stringify(body),
    });
  const asked = await post("/bff/calls/captcha", { phone: "13900000001" });
  const visitor = asked.headers.getSetCookie()[0]?.split(";")[0] ?? "";
  const { demoCode } = (await asked.json()) as { demoCode: string };
  const entered = await post("/bff/session", { phone: "13900000001", verifyCode: demoCode }, visitor);
  return entered.headers.getSetCookie()[0]?.split(";")[0] ?? "";
}
