import { Readable } from "node:stream";
import { expect, test } from "vitest";
import { z } from "zod/v4";
import { failureOf, MissingCall, type Refusal, refusalOfEnvelope, toRefusal, UpstreamRefusal } from "./refusal.server";
import { findSquareHuman } from "./roles.server";
import type { Upstream } from "./upstream.server";
import { readAnswer, refused } from "./upstream-call.server";

/** The refusal that the BFF derives from an unsuccessful upstream answer. */
async function refusalOf(status: number, body: unknown): Promise<Refusal> {
  const text = typeof body === "string" ? body : JSON.stringify(body);
  const incoming = { status, header: () => null, body: Readable.from([]), text: async () => text };
  return readAnswer(incoming, z.unknown()).then(
    () => {
      throw new Error("no refusal");
    },
    (error: unknown) => toRefusal(error),
  );
}

test.each([
  ["Chinese", "今日名额已满，请明天再来"],
  ["English", "Daily quota exceeded, contact support@example.com"],
  ["markup, which React escapes", "请先<b>实名</b>认证 {id}"],
  ["a path", "请到 /main/account 完成认证"],
])("a refusal with code 1001 keeps its message: %s", async (_what, msg) => {
  expect(await refusalOf(200, { code: 1001, data: null, msg })).toEqual({ code: "entitlement", message: msg });
});

test("a refusal with code 1001 keeps its data", async () => {
  expect(await refusalOf(200, { code: 1001, data: { reason: "quota", left: 2 }, msg: "不够了" })).toEqual({
    code: "entitlement",
    message: "不够了",
    data: { reason: "quota", left: 2 },
  });
});

test("a refusal with any other code keeps its message", async () => {
  expect(await refusalOf(200, { code: 3007, data: null, msg: "Voice 12 is banned (policy 4.1)" })).toMatchObject({
    message: "Voice 12 is banned (policy 4.1)",
  });
  expect(await refusalOf(200, { code: "9", message: "稍后再试" })).toMatchObject({ message: "稍后再试" });
});

test("an upstream without its database counts as unreachable: what was sent may have taken effect", async () => {
  const answer = { code: 7, msg: "network", data: { reason: "network", requestId: "r-1" } };
  expect(await refusalOf(503, answer)).toEqual({ code: "network", data: answer.data });
});

test("a refusal's message is cut to 500 characters on one line", () => {
  const { message } = refusalOfEnvelope({ code: 7, msg: `第一行\r\n第二行\u0000${"字".repeat(600)}`, data: null });
  expect([...(message ?? "")]).toHaveLength(500);
  expect(message).toMatch(/^第一行 第二行 字+$/u);
});

test.each([
  ["a plain body", 404, "Not Found"],
  ["JSON of a framework", 404, { statusCode: 404, message: "Not Found" }],
  ["an envelope-like body", 404, { code: 404, message: "404 Not Found", data: null }],
  ["a gateway", 502, { message: "Bad Gateway" }],
  ["an unknown route", 404, { message: "Cannot GET /api/v1/pay/orders" }],
  ["a stack", 500, { code: 7, msg: "Error: boom at Object.<anonymous> (/srv/app/index.js:1:1)" }],
  ["HTML", 503, "<html><body>Service Unavailable</body></html>"],
])("a refusal omits messages of frameworks: %s", async (_what, status, body) => {
  expect(await refusalOf(status, body)).toEqual({ code: "request-failed" });
});

test.each([
  "TypeError: Cannot read properties of undefined (reading 'id')\n    at Object.<anonymous> (/srv/app.js:1:1)",
  "系统异常 java.lang.NullPointerException",
  "Internal Server Error",
])("a refusal with HTTP 200 omits a message that a server wrote, which is logged: %s", async (msg) => {
  expect(await refusalOf(200, { code: 500, data: null, msg })).toEqual({ code: "request-failed" });
  expect(failureOf(undefined, msg)).toEqual({ code: "failure" });
  expect(await refusalOf(200, { code: 7, data: null, msg: "forbidden" })).toEqual({ code: "forbidden" });
  const text = JSON.stringify({ code: 7, data: null, msg });
  const incoming = { status: 200, header: () => null, body: Readable.from([]), text: async () => text };
  const error: unknown = await readAnswer(incoming, z.unknown()).catch((thrown: unknown) => thrown);
  const lines: object[] = [];
  refused(error, { name: "cloneList", caller: {}, logger: { warn: (line) => void lines.push(line) } });
  expect(lines).toMatchObject([{ call: "cloneList", cause: expect.stringContaining(msg) }]);
});

test("the Chinese reason of a failed task is its message", () => {
  expect(failureOf("合成失败", "")).toEqual({ code: "failure", message: "合成失败" });
  expect(failureOf("unreadable", "")).toEqual({ code: "unreadable" });
  expect(failureOf("SYNTH_FAIL", "")).toEqual({ code: "failure" });
});

test.each([200, "200"])("the code %j with HTTP 200 is a success", async (code) => {
  const answer = (status: number) => {
    const text = JSON.stringify({ code, data: "x", msg: "success" });
    const incoming = { status, header: () => null, body: Readable.from([]), text: async () => text };
    return readAnswer(incoming, z.unknown());
  };
  expect(await answer(200)).toBe("x");
  await expect(answer(500)).rejects.toBeInstanceOf(UpstreamRefusal);
});

test("a refusal with another HTTP status keeps the message of its body", async () => {
  expect(await refusalOf(400, { message: "内容不合规" })).toEqual({ code: "request-failed", message: "内容不合规" });
  expect(await refusalOf(403, { code: 7, msg: "Account suspended", data: null })).toMatchObject({
    message: "Account suspended",
  });
});

test("a refusal with status 413 is too-large for any body", async () => {
  expect(await refusalOf(413, { message: "Payload Too Large" })).toEqual({ code: "too-large" });
});

test.each([
  [404, "404 page not found"],
  [405, ""],
  [501, {}],
  [200, { code: 404, data: null, msg: "Not Found" }],
])("a missing call is recognised: %i %j", async (status, body) => {
  const text = typeof body === "string" ? body : JSON.stringify(body);
  const incoming = { status, header: () => null, body: Readable.from([]), text: async () => text };
  await expect(readAnswer(incoming, z.unknown())).rejects.toBeInstanceOf(MissingCall);
});

test("a missing record does not count as a missing call", async () => {
  const body = { code: 7, data: { reason: "not-found" }, msg: "not-found" };
  const text = JSON.stringify(body);
  const incoming = { status: 404, header: () => null, body: Readable.from([]), text: async () => text };
  const error: unknown = await readAnswer(incoming, z.unknown()).catch((thrown: unknown) => thrown);
  expect(error).not.toBeInstanceOf(MissingCall);
  expect(toRefusal(error).code).toBe("not-found");
});

test("a role whose id the contract refuses does not exist, other refusals stay", async () => {
  const refusing = (code: "bad-request" | "network") =>
    ({ call: () => Promise.reject(new UpstreamRefusal({ code })) }) as unknown as Upstream;
  expect(await findSquareHuman(refusing("bad-request"), "\0")).toBeNull();
  await expect(findSquareHuman(refusing("network"), "a")).rejects.toBeInstanceOf(UpstreamRefusal);
});
