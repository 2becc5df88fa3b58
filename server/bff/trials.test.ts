import { expect, test } from "vitest";
import { trialMax } from "../contract/limits";
import { toRefusal, UpstreamRefusal } from "./refusal.server";
import { createSessions } from "./session.server";
import { createTrial, readTrial } from "./trials.server";
import { createUpstreamClient } from "./upstream.server";

const envelope = (data: unknown, code = 0) => Response.json({ code, data, msg: "" });
const upstreamAnswering = (answer: (request: Request) => Response | Promise<Response>) =>
  createUpstreamClient({ fetch: answer, appId: "a", logger: { warn: () => {} } }).as(() => ({}));
const newSession = () => createSessions({ secrets: ["s".repeat(40)] }).open(null, true);
const input = { content: "你好", roleId: "1" };

test("the upstream's count of trials is kept in the session", async () => {
  const session = await newSession();
  const upstream = upstreamAnswering(() => envelope({ taskId: "t", tryNum: 2 }));
  expect(await createTrial({ upstream, session }, input)).toMatchObject({ tryNum: 2, tryMax: trialMax });
  expect(session.values.trialsUsed).toBe(2);
});

test("the browser's idempotency key is sent to the upstream", async () => {
  const keys: Array<string | null> = [];
  const upstream = upstreamAnswering((request) => {
    keys.push(request.headers.get("idempotency-key"));
    return envelope({ taskId: "t", tryNum: 1 });
  });
  const visit = { upstream, session: await newSession() };
  for (const key of ["order-0001", "order-0001", undefined]) await createTrial(visit, input, key);
  expect(keys.slice(0, 2)).toEqual(["order-0001", "order-0001"]);
  expect(keys[2]).toMatch(/^[\w-]{36}$/);
});

test("if the upstream counts no trials, the session allows three", async () => {
  const session = await newSession();
  let calls = 0;
  const upstream = upstreamAnswering(() => {
    calls += 1;
    return envelope({ taskId: "t" });
  });
  for (const used of [1, 2, 3]) expect((await createTrial({ upstream, session }, input)).tryNum).toBe(used);
  const refusal = toRefusal(await createTrial({ upstream, session }, input).catch((error: unknown) => error));
  expect(refusal).toMatchObject({ code: "entitlement", data: { reason: "trial" } });
  expect(calls).toBe(3);
});

test("an upstream's refusal for used trials is recorded in the session", async () => {
  const session = await newSession();
  const upstream = upstreamAnswering(() => envelope({ reason: "trial" }, 1001));
  await expect(createTrial({ upstream, session }, input)).rejects.toBeInstanceOf(UpstreamRefusal);
  expect(session.values.trialsUsed).toBe(3);
});

test.each([
  [
    { status: 1, progress: 0.5, queuePos: 1 },
    { state: "running", progress: 0.5, queuePos: 1, durationMs: 0 },
  ],
  [
    { status: 2, duration: "1.5", voiceUrl: "/api/v1/files/a.mp3" },
    { state: "done", progress: 1, durationMs: 1500 },
  ],
  [
    { status: 3, reason: "reference-noisy" },
    { state: "failed", failure: { code: "reference-noisy" } },
  ],
])("a trial of %o is shown as %o", async (record, shown) => {
  const upstream = upstreamAnswering(() => envelope({ taskId: "t", ...record }));
  expect(await readTrial(upstream, "t")).toMatchObject({ taskId: "t", ...shown });
});

test("a member's trials leave the visitor's count in the session as it is", async () => {
  const session = await newSession();
  session.countTrials(trialMax, { isOwnCount: true });
  session.logIn("t");
  const counted = upstreamAnswering(() => envelope({ taskId: "t", tryNum: 1 }));
  expect(await createTrial({ upstream: counted, session }, input)).toMatchObject({ tryNum: 1 });
  const silent = upstreamAnswering(({ url }) =>
    envelope(url.includes("/users/info") ? { phone: "1", tryNum: 2 } : null),
  );
  expect(await createTrial({ upstream: silent, session }, input)).toMatchObject({ tryNum: 2 });
  const usedUp = upstreamAnswering(() => envelope({ reason: "trial" }, 1001));
  await expect(createTrial({ upstream: usedUp, session }, input)).rejects.toBeInstanceOf(UpstreamRefusal);
  session.logOut();
  await expect(createTrial({ upstream: counted, session }, input)).rejects.toBeInstanceOf(UpstreamRefusal);
});
