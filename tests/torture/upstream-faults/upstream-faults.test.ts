import { createHash } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { toRefusal } from "~server/bff/refusal.server";
import { createUpstreamClient, type Upstream } from "~server/bff/upstream.server";
import type { ErrorCode } from "~server/contract/codes";
import { type FaultName, type FaultyUpstream, startFaultyUpstream } from "./faulty-upstream";

/** Only a missing answer is expected to hit the deadline; other answers may be slow on a busy machine. */
const impatient = { connectMs: 300, headersMs: 500, totalMs: 900 };
const patient = { connectMs: 5_000, headersMs: 10_000, totalMs: 10_000 };
const silentFaults: FaultName[] = ["hanging", "slow", "stalled in mid-body"];
const logger = { warn: () => {} };
let faulty: FaultyUpstream;
let upstream: Upstream;
let hurried: Upstream;

beforeAll(async () => {
  faulty = await startFaultyUpstream();
  const withTimeouts = (timeouts: typeof patient) =>
    createUpstreamClient({ baseUrl: faulty.url, appId: "app", logger, timeouts }).as(() => ({
      token: "t",
      visitorId: "v",
      clientAddress: "192.0.2.1",
      requestId: "r",
    }));
  upstream = withTimeouts(patient);
  hurried = withTimeouts(impatient);
});
afterAll(() => faulty.close());

const readList = (via = upstream) => via.call("squareHome", {});
const startTrial = (via = upstream) => via.call("trialCreate", { content: "你好", roleId: "1" });

async function refusalOf(work: Promise<unknown>) {
  return toRefusal(
    await work.then(
      () => new Error("no refusal"),
      (error: unknown) => error,
    ),
  );
}

const expected: Array<[FaultName, ErrorCode, string | undefined]> = [
  ["hanging", "network", undefined],
  ["slow", "network", undefined],
  ["reset", "network", undefined],
  ["reset in mid-body", "network", undefined],
  ["truncated", "network", undefined],
  ["stalled in mid-body", "network", undefined],
  ["malformed JSON", "request-failed", undefined],
  ["empty", "request-failed", undefined],
  ["HTML", "request-failed", undefined],
  ["HTML 502", "request-failed", undefined],
  ["stack in a 500", "request-failed", undefined],
  ["endless body", "request-failed", undefined],
  ["compression bomb", "request-failed", undefined],
  ["deep JSON", "request-failed", undefined],
  ["wrong types", "unreadable", undefined],
  ["code is no number", "request-failed", undefined],
  ["redirect elsewhere", "request-failed", undefined],
  ["413", "too-large", undefined],
  ["429", "too-many", undefined],
  ["503", "request-failed", undefined],
  ["400 with a message", "request-failed", "内容不合规"],
  ["code 5", "login-expired", undefined],
  ["code 5 as a string", "login-expired", undefined],
  ["code 5 with 401", "login-expired", undefined],
  ["code 1001", "entitlement", "试用次数已用完"],
  ["code 7", "failure", "余额不足"],
  ["code 7 with a reason", "reference-silent", undefined],
];

test.each(expected)(
  'the upstream fault "%s" is %s after a bounded number of requests',
  async (fault, code, message) => {
    for (const [call, attempts] of [
      [readList, 1],
      [startTrial, 2],
    ] as const) {
      faulty.meet(fault);
      const refusal = await refusalOf(call(silentFaults.includes(fault) ? hurried : upstream));
      expect(refusal).toMatchObject({ code, ...(message && { message }) });
      if (!message) expect(refusal.message).toBeUndefined();
      expect(faulty.requests.length).toBeLessThanOrEqual(attempts);
    }
  },
);

test("code 1001 keeps its data", async () => {
  faulty.meet("code 1001");
  expect(await refusalOf(startTrial())).toMatchObject({ data: { reason: "trial", left: 0 } });
});

test("a write is retried once under the same key, a read never", async () => {
  faulty.meet("503", { answer: { taskId: 9 } });
  expect((await startTrial()).taskId).toBe("9");
  const [first, second] = faulty.requests;
  expect(first?.headers["idempotency-key"]).toMatch(/^[\w-]{36}$/);
  expect(second?.headers["idempotency-key"]).toBe(first?.headers["idempotency-key"]);
  expect(second?.body).toBe(first?.body);

  faulty.meet("503", { answer: [] });
  expect(await refusalOf(readList())).toEqual({ code: "request-failed" });
  expect(faulty.requests).toHaveLength(1);
  expect(faulty.requests[0]?.headers["idempotency-key"]).toBeUndefined();
});

test("a write that is to be repeated in an hour is not repeated, and says so at once", async () => {
  faulty.meet("429 for an hour");
  expect((await refusalOf(startTrial(hurried))).code).toBe("too-many");
  expect(faulty.requests).toHaveLength(1);
});

test("calls succeed again as soon as the upstream recovers", async () => {
  faulty.meet("reset", { answer: [{ roleId: 1, name: "甲" }] });
  await refusalOf(readList());
  expect(await readList()).toMatchObject([{ roleId: "1", name: "甲" }]);
});

test("every call carries the headers of the contract", async () => {
  faulty.meet({ answer: { taskId: "1" } });
  await startTrial();
  expect(faulty.requests[0]?.headers).toMatchObject({
    appid: "app",
    token: "t",
    "x-visitor-id": "v",
    "x-request-id": "r",
    "x-forwarded-for": "192.0.2.1",
    "content-type": "application/json",
  });
  const client = createUpstreamClient({ baseUrl: faulty.url, appId: "app", logger, timeouts: patient });
  faulty.meet({ answer: [] });
  await client.as(() => ({})).call("squareHome", {});
  expect(faulty.requests[0]?.headers.token).toBe("");
});

test("the list of dubs is requested by GET with a query and a body", async () => {
  faulty.meet({ answer: { list: [], total: 0 } });
  await upstream.call("dubList", { page: 2 });
  expect(faulty.requests[0]).toMatchObject({
    method: "GET",
    path: "/api/v1/dubbing/list?page=2&pageSize=10",
    body: '{"page":2,"pageSize":10}',
  });
});

test("the payment calls are signed", async () => {
  faulty.meet({ answer: { orderId: "o", url: "u" } });
  await upstream.call("orderCreate", { pCode: "vip-month", platform: 1 });
  expect(JSON.parse(faulty.requests[0]?.body ?? "")).toEqual({
    pCode: "vip-month",
    sign: createHash("md5").update("vip-month").digest("hex"),
    platform: 1,
  });
});

test("a token that is not a valid header value means the login has expired", async () => {
  const client = createUpstreamClient({ baseUrl: faulty.url, appId: "app", logger, timeouts: patient });
  faulty.meet({ answer: [] });
  for (const token of ["中文", "a\r\nx: y"])
    expect((await refusalOf(client.as(() => ({ token })).call("squareHome", {}))).code).toBe("login-expired");
  expect(faulty.requests).toHaveLength(0);
});

test("__proto__ in an answer has no effect", async () => {
  faulty.meet({
    answer: JSON.parse('[{"roleId":"1","__proto__":{"isAdmin":true},"portrait":{"__proto__":{"a":1},"b":2}}]'),
  });
  const [role] = await readList();
  expect(Object.keys(role?.portrait ?? {})).toEqual(["b"]);
  expect(({} as Record<string, unknown>).isAdmin).toBeUndefined();
});

test("an embedded upstream that throws or never answers is refused in the same way", async () => {
  const throwing = createUpstreamClient({
    fetch: () => Promise.reject(new Error("bug")),
    appId: "app",
    logger,
    timeouts: impatient,
  });
  expect(await refusalOf(throwing.as(() => ({})).call("squareHome", {}))).toEqual({ code: "request-failed" });
  const hanging = createUpstreamClient({
    fetch: () => new Promise(() => {}),
    appId: "app",
    logger,
    timeouts: impatient,
  });
  expect(await refusalOf(hanging.as(() => ({})).call("squareHome", {}))).toEqual({ code: "network" });
});

test("input that the contract refuses is not sent", async () => {
  faulty.meet({ answer: null });
  expect(await refusalOf(upstream.call("trialCreate", { content: "" }))).toEqual({ code: "bad-request" });
  expect(faulty.requests).toHaveLength(0);
});
