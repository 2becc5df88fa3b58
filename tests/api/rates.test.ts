import { sql } from "kysely";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { logIn, nextPhone, requestCode, tryLogin } from "../support/account";
import { ruleEngines } from "../support/database";
import { waitForRateWindow } from "../support/rate-window";
import { createVisitor, openTestUpstream, type TestUpstream, type Visitor } from "../support/upstream";

describe.each(ruleEngines)("the rate limits on %s", (engine) => {
  let upstream: TestUpstream;
  beforeAll(async () => {
    upstream = await openTestUpstream(engine);
  });
  afterAll(() => upstream.close());
  beforeEach(async () => {
    await waitForRateWindow(600);
    await upstream.database().deleteFrom("rate").execute();
  });

  const visitor = (options = {}) => createVisitor(upstream.services, options);
  const create = (who: Visitor) => who.post("/voice/try/create", { content: "" });
  /** Statuses of this many calls in a row. */
  async function statusesOf(times: number, call: (n: number) => Promise<{ status: number }>): Promise<number[]> {
    const statuses = [];
    for (let n = 0; n < times; n++) statuses.push((await call(n)).status);
    return statuses;
  }
  const refusedIn = (statuses: number[]) => statuses.filter((status) => status === 429).length;

  /** Adds this many calls to the counters. */
  const countMore = (scope: "account" | "address", hits: number) =>
    sql`update rate set hits = hits + ${hits}::int where key like ${`create:${scope}:%`}`.execute(upstream.database());

  it("of 118 visitors on one address do not affect a member or a login there", async () => {
    const address = "203.0.113.7";
    const member = await logIn(upstream.services, { visitor: visitor({ address }) });
    const strangers = await statusesOf(118, () => create(visitor({ address })));
    expect(refusedIn(strangers)).toBe(0);
    await countMore("address", 200);
    expect((await create(visitor({ address }))).status).toBe(429);
    expect(refusedIn(await statusesOf(3, () => create(member)))).toBe(0);
    const phone = nextPhone();
    const { data } = await requestCode(visitor({ address }), phone);
    expect((await tryLogin(visitor({ address }), phone, data.demoCode ?? "")).code).toBe(0);
  });

  it("limit a member by account from any address", async () => {
    const { token } = await logIn(upstream.services);
    const call = () => visitor().post("/voice/try/create", { content: "" }, { token });
    await call();
    await countMore("account", 238);
    expect(await statusesOf(2, call)).toEqual([200, 429]);
    expect((await create(await logIn(upstream.services))).status).toBe(200);
  });

  it("limit one visitor before others on the same address", async () => {
    const address = "203.0.113.8";
    const eager = visitor({ address });
    expect((await statusesOf(60, () => create(eager))).indexOf(429)).toBe(40);
    expect((await create(visitor({ address }))).status).toBe(200);
  });

  it("limit an address that sends a new visitor id with each call", async () => {
    const address = "203.0.113.9";
    await create(visitor({ address }));
    await countMore("address", 238);
    expect(await statusesOf(2, () => create(visitor({ address })))).toEqual([200, 429]);
    expect((await create(visitor())).status).toBe(200);
  });

  it("count a dead token as no account", async () => {
    const address = "203.0.113.10";
    const call = (n: number) => visitor({ address }).post("/voice/try/create", { content: "" }, { token: `dead-${n}` });
    await call(0);
    await countMore("address", 238);
    expect(await statusesOf(2, call)).toEqual([200, 429]);
  });

  it("limit guesses of redeem codes by account, and by address for all its accounts", async () => {
    const address = "203.0.113.11";
    const guess = (member: Visitor) => member.post("/pay/redeem", { code: "AAAA-BBBB-CCCC-DDDD" });
    const member = await logIn(upstream.services, { visitor: visitor({ address }) });
    expect((await statusesOf(11, () => guess(member))).indexOf(429)).toBe(10);
    await sql`update rate set hits = 30 where key like 'redeem:address:%'`.execute(upstream.database());
    expect((await guess(await logIn(upstream.services, { visitor: visitor({ address }) }))).status).toBe(429);
    expect((await guess(await logIn(upstream.services))).status).not.toBe(429);
  });

  it("return when to retry", async () => {
    const who = visitor();
    await statusesOf(40, () => create(who));
    const response = await upstream.services.fetch(
      new Request("http://upstream/api/v1/voice/try/create", {
        method: "POST",
        body: '{"content": ""}',
        headers: {
          appid: "test-app",
          "x-visitor-id": who.id,
          "x-forwarded-for": who.address,
          "content-type": "application/json",
        },
      }),
    );
    expect(response.status).toBe(429);
    const seconds = Number(response.headers.get("retry-after"));
    expect(seconds).toBeGreaterThan(0);
    expect(seconds).toBeLessThanOrEqual(600);
  });

  const wav = () => {
    const form = new FormData();
    form.append("file", new Blob(["no sound"]), "a.wav");
    form.append("type", "image");
    return form;
  };
  const anonymous: Array<[string, number, (who: Visitor) => Promise<{ status: number }>]> = [
    ["/script/readings", 300, (who) => who.post("/script/readings", { content: "行" })],
    ["/dubbing/quote", 60, (who) => who.post("/dubbing/quote", { lines: [] })],
    ["/file/upload", 20, (who) => who.upload("/file/upload", wav())],
    ["/file/uploadCustom", 20, (who) => who.upload("/file/uploadCustom", wav())],
    ["/audio/transcriptions", 10, (who) => who.upload("/audio/transcriptions", wav())],
    ["/verify", 40, (who) => who.upload("/verify", wav())],
    ["/users/login", 30, (who) => tryLogin(who, "13800000000", "000000")],
    ["/role/common/report", 10, (who) => who.post("/role/common/report", { roleId: "none", reason: "a" })],
    ["/tasks/cancel", 60, (who) => who.post("/tasks/cancel", { taskId: "none" })],
    ["/sandbox/cashier", 60, (who) => who.post("/sandbox/cashier", { id: "none", lever: "pay" })],
  ];
  it.each(anonymous)("limit an anonymous caller of %s to %i calls", async (_, limit, call) => {
    const who = visitor();
    const statuses = await statusesOf(limit + 1, () => call(who));
    expect(statuses.indexOf(429)).toBe(limit);
  });
});
