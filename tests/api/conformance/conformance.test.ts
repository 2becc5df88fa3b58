import { afterAll, beforeAll, expect, test } from "vitest";
import { logIn } from "../../support/account";
import { appId, openTestUpstream, type TestUpstream } from "../../support/upstream";
import type { Send } from "./client";
import { type CheckResult, runConformance } from "./suite";

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
  outcomes = await runConformance(send, { appId, token: "" });
  const { token } = await logIn(upstream.services);
  loggedIn = await runConformance(send, { appId, token });
});
afterAll(() => upstream.close());

test("the embedded upstream passes the conformance suite in every call", () => {
  for (const all of [outcomes, loggedIn]) expect(all.filter(({ result }) => result === "fail")).toEqual([]);
});

test("the trial calls are available", () => {
  const passed = outcomes.filter(({ result }) => result === "pass").map(({ call }) => call);
  expect(passed).toEqual(
    expect.arrayContaining(["recordingUpload", "squareHome", "squareList", "trialCreate", "trialResult", "userInfo"]),
  );
});

test("the account and payment calls are available", () => {
  const passed = loggedIn.filter(({ result }) => result === "pass").map(({ call }) => call);
  const accounts = ["captcha", "login", "logout", "userInfo", "ledger", "userDelete"];
  expect(passed).toEqual(expect.arrayContaining([...accounts, "products", "orderCreate", "payResult", "orders"]));
});

test("an upstream with arbitrary answers fails", async () => {
  const careless: Send = async () => Response.json({ code: 0, data: { list: [{ name: "no id" }] }, msg: "" });
  const results = await runConformance(careless, { appId, token: "" });
  const failed = results.filter(({ result }) => result === "fail").map(({ call }) => call);
  expect(failed).toEqual(expect.arrayContaining(["squareList", "userInfo", "trialCreate", "login", "trialResult"]));
  const silent = await runConformance(async () => new Response("<html>", { status: 404 }), { appId, token: "" });
  expect(silent.find(({ call }) => call === "squareHome")?.result).toBe("not offered");
});
