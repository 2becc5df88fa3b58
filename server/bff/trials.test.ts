import { expect, test } from "vitest";
import { trialMax } from "../contract/limits";
import { toRefusal, UpstreamRefusal } from "./refusal.server";
import { createSessions } from "./session.server";
import { createTrial, type TrialProgress, watchTrial } from "./trials.server";
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

test("a trial is polled to its end after lost responses", async () => {
  const answers = [
    () => envelope({ taskId: "t", status: 1, progress: 0.5, queuePos: 1 }),
    () => new Response("bad gateway", { status: 502 }),
    () => envelope({ taskId: "t", status: 2, duration: "1.5", voiceUrl: "/api/v1/files/a.mp3" }),
  ];
  const seen: TrialProgress[] = [];
  const watch = { signal: new AbortController().signal, onProgress: (p: TrialProgress) => seen.push(p), intervalMs: 1 };
  await watchTrial(
    upstreamAnswering(() => answers.shift()?.() ?? envelope(null)),
    "t",
    watch,
  );
  expect(seen.map(({ state, progress, durationMs }) => [state, progress, durationMs])).toEqual([
    ["running", 0.5, 0],
    ["done", 1, 1500],
  ]);
});

test("a failed trial returns its reason", async () => {
  const seen: TrialProgress[] = [];
  const watch = { signal: new AbortController().signal, onProgress: (p: TrialProgress) => seen.push(p) };
  await watchTrial(
    upstreamAnswering(() => envelope({ taskId: "t", status: 3, reason: "reference-noisy" })),
    "t",
    watch,
  );
  expect(seen[0]?.refusal).toEqual({ code: "reference-noisy" });
});

test("trial polling ends on disconnect, on timeout and at code 5", async () => {
  const running = upstreamAnswering(() => envelope({ taskId: "t", status: 1 }));
  const controller = new AbortController();
  await watchTrial(running, "t", { signal: controller.signal, onProgress: () => controller.abort() });

  const { signal } = new AbortController();
  const late = watchTrial(running, "t", { signal, onProgress: () => {}, intervalMs: 1, maxMs: 5 });
  expect(toRefusal(await late.catch((error: unknown) => error))).toEqual({ code: "timeout" });
  const expired = watchTrial(
    upstreamAnswering(() => envelope(null, 5)),
    "t",
    { signal, onProgress: () => {} },
  );
  expect(toRefusal(await expired.catch((error: unknown) => error))).toEqual({ code: "login-expired" });
});
