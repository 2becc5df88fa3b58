import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { type CallName, calls } from "~server/contract/calls/table";
import { logIn } from "../../support/account";
import {
  responseShapes,
  type SpecificationUpstream,
  startSpecificationUpstream,
} from "../../support/specification-upstream";
import { appId, openTestUpstream, type TestUpstream } from "../../support/upstream";
import { type Send, sendTo } from "./client";
import { explainedCalls } from "./hidden";
import type { CheckResult } from "./recorder";
import { formatReport, toReport } from "./report";
import { runConformance } from "./suite";

let upstream: TestUpstream;
let outcomes: CheckResult[];
let loggedIn: CheckResult[];
beforeAll(async () => {
  upstream = await openTestUpstream("embedded");
  upstream.services.startWorker();
  const send: Send = async ({ method, path, headers, body }) => {
    const hasBody = method !== "GET" && body !== undefined;
    return upstream.services.fetch(
      new Request(`http://api.invalid${path}`, { method, headers, ...(hasBody && { body }) }),
    );
  };
  outcomes = await runConformance(send, { appId, token: "", pauseMs: 100 });
  const { token } = await logIn(upstream.services);
  loggedIn = await runConformance(send, { appId, token, payWaitMs: 0, pauseMs: 100 });
});
afterAll(() => upstream.close());

const passedCalls = (all: readonly CheckResult[]) =>
  new Set(all.filter(({ result }) => result === "pass").map(({ call }) => call));

test("the embedded upstream passes every check as a visitor and with an account", () => {
  for (const all of [outcomes, loggedIn]) expect(all.filter(({ result }) => result === "fail")).toEqual([]);
});

test("the embedded upstream's trials, records, accounts and payments are reached", () => {
  const visits: CallName[] = ["recordingUpload", "squareHome", "squareList", "trialCreate", "trialResult", "userInfo"];
  expect([...passedCalls(outcomes)]).toEqual(expect.arrayContaining(visits));
  const accounts: CallName[] = [
    "captcha",
    "login",
    "logout",
    "userInfo",
    "ledger",
    "userDelete",
    "products",
    "payResult",
  ];
  const records: CallName[] = [
    "cloneCreate",
    "cloneList",
    "cloneDelete",
    "dubCreate",
    "dubList",
    "dubDelete",
    "orders",
  ];
  expect([...passedCalls(loggedIn)]).toEqual(expect.arrayContaining([...accounts, ...records]));
});

test("an upstream with arbitrary answers fails", async () => {
  const careless: Send = async () => Response.json({ code: 0, data: { list: [{ name: "no id" }] }, msg: "" });
  const { must } = toReport(await runConformance(careless, { appId, token: "" }));
  const failed = must.failed.map(({ call }) => call);
  expect(failed).toEqual(expect.arrayContaining(["squareList", "userInfo", "products", "squareHome"]));
  const silent = toReport(
    await runConformance(async () => new Response("<html>", { status: 404 }), { appId, token: "" }),
  );
  expect(silent.must.failed.map(({ call }) => call)).toEqual(expect.arrayContaining(["squareHome", "roleList"]));
  expect(silent.hidden.map(({ part }) => part)).toContain("分享 and the shared pages");
});

test("another success code, a wrong total, and the code and message of a refusal are named", async () => {
  const people = [1, 2].map((roleId) => ({ roleId, name: "沈砚" }));
  const odd: Send = async ({ path }) => {
    if (!path.startsWith("/api/v1/role/common/list")) return Response.json({ code: "1", data: null, msg: "系统繁忙" });
    const total = path.includes("page=2") ? 9 : 2;
    return Response.json({ code: "200", data: { list: people, total }, msg: "success" });
  };
  const { must, should } = toReport(await runConformance(odd, { appId, token: "t" }));
  expect(named(must.failed)).toContain('userInfo: answered HTTP 200, code "1", msg "系统繁忙"');
  expect(must.failed.filter(({ call }) => call === "squareList" || call === "logout")).toEqual([]);
  expect(must.failed.map(({ check }) => check)).toContain("code 5 with a wrong token");
  expect(named(should.failed)).toContain('squareList: answered HTTP 200, code "200", msg "success"');
  expect(named(should.failed)).toContain("squareList: total 2 on page 1, 9 on page 2");
});

test("the trial is run before the probes, which use trials up", async () => {
  const asked: string[] = [];
  const send: Send = async ({ path, body }) => {
    if (path === "/api/v1/voice/try/create") asked.push(String(body));
    const data = path.includes("/role/common") ? [{ roleId: 1, name: "沈砚" }] : { taskId: "1", url: "/a.mp3" };
    return Response.json({ code: 0, data, msg: "" });
  };
  await runConformance(send, { appId, token: "", pauseMs: 1 });
  expect(asked[0]).toContain("你好，世界");
});

test("the report says of every call of ours what the site hides without it", () => {
  const ours = (Object.keys(calls) as CallName[]).filter((name) => calls[name].confidence === "O");
  expect(ours.filter((name) => !explainedCalls.has(name))).toEqual([]);
});

const opened: SpecificationUpstream[] = [];
afterEach(async () => {
  await Promise.all(opened.splice(0).map((one) => one.close()));
});

type Plant = Record<string, unknown>;

/** The report on a specification-only upstream, whose calls answer what is planted. */
async function report(shape: keyof typeof responseShapes, plants: Plant = {}) {
  const specification = await startSpecificationUpstream(responseShapes[shape]);
  opened.push(specification);
  for (const [path, data] of Object.entries(plants))
    specification.answerAlways(path, { body: { code: 0, data, msg: "" } });
  const { url: base } = specification;
  return toReport(
    await runConformance(sendTo(base), {
      base,
      appId,
      token: "",
      phone: "13800000000",
      code: "123456",
      payWaitMs: 1_000,
      pauseMs: 20,
    }),
  );
}

const named = (failed: readonly CheckResult[]) => failed.map(({ call, detail }) => `${call}: ${detail}`).join("\n");

test.each(Object.keys(responseShapes) as Array<keyof typeof responseShapes>)(
  "the specification-only upstream that answers %s passes every must, from log-in to paid and from created to heard",
  async (shape) => {
    const { must, notTried, hidden } = await report(shape);
    expect(must.failed).toEqual([]);
    expect(notTried).toEqual([]);
    expect(must.passed).toBeGreaterThan(40);
    expect(hidden.map(({ part }) => part)).toContain("公开到广场");
  },
);

const product = {
  pCount: 1,
  pCode: "a",
  tagMark: "月卡",
  discountMark: "",
  cornerMark: "",
  packageType: 1,
  usedChar: 5,
};
const account = { phone: "13800000000", vipExpire: 0, svipExpire: 0, isMonthly: false, tryNum: 0 };

test.each<[string, "must" | "should", Plant, RegExp]>([
  ["a wrong token field", "must", { "/users/login": { auth: "t" } }, /login: token: .*the answer has: auth/],
  ["another token field", "should", { "/users/login": { accessToken: "t" } }, /login: token: /],
  [
    "a price in yuan",
    "must",
    { "/pay/product": [{ ...product, price: "39.00" }] },
    /products: price: .*expected number/,
  ],
  [
    "a price as text",
    "should",
    { "/pay/product": [{ ...product, price: "3900" }] },
    /products: price: expected number/,
  ],
  [
    "an order without url",
    "must",
    { "/pay/order/qrcode": { orderId: "o", address: "x" } },
    /orderCreate: no url; .*address/,
  ],
  ["an order without id", "must", { "/pay/order/qrcode": { url: "u", nr: "x" } }, /orderCreate: no orderId; .*nr/],
  ["SUCCESS", "should", { "/pay/result": { result: "SUCCESS" } }, /payResult: result: .*"success"/],
  [
    "an unknown result",
    "must",
    { "/pay/result": { result: "PAID_OK" } },
    /payResult: result "PAID_OK" is read as waiting/,
  ],
  [
    "a textual expiry",
    "should",
    { "/users/info": { ...account, vipExpire: "2027-01-01 00:00:00" } },
    /userInfo: vipExpire: /,
  ],
  [
    "an expiry in milliseconds",
    "should",
    { "/users/info": { ...account, vipExpire: 1798732800000 } },
    /vipExpire: milli/,
  ],
  ["an expiry in words", "must", { "/users/info": { ...account, vipExpire: "永久" } }, /userInfo: vipExpire: /],
  ["a role without id", "must", { "/role/common/list": [{ name: "a", number: 1 }] }, /squareList: list.roleId: /],
  [
    "a sound under no known name",
    "must",
    { "/voice/list": [{ id: 1, content: "a", status: 2, handle: 7 }] },
    /cloneList: /,
  ],
])("%s is named as a %s", async (_fault, level, plants, detail) => {
  const all = await report("list", plants);
  if (level === "should") expect(named(all.must.failed)).not.toMatch(detail);
  expect(named(all[level].failed)).toMatch(detail);
  expect(formatReport(all)).toMatch(level === "must" ? /^MUST/m : /^SHOULD/m);
});

test("files elsewhere are named with the setting that allows them", async () => {
  const { should } = await report("array");
  expect(named(should.failed)).toContain("cloneList: set FILE_PATHS=/uploads/");
});
