import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import { type TOTP, URI } from "otpauth";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import type { CallData } from "~server/contract/calls/table";
import type { ConsoleAnswer, ConsoleMe, OperatorRole } from "~server/contract/console";
import { createAccountKeys, hashOf } from "~server/upstream/accounts/credentials";
import { logIn, type Member, requestCode, tryLogin } from "../support/account";
import { ruleEngines } from "../support/database";
import { createVisitor, openTestUpstream, type TestUpstream, testConfig } from "../support/upstream";

const keys = createAccountKeys(testConfig("").dataKey);

describe.each(ruleEngines)("the operators' console on %s", (engine) => {
  let upstream: TestUpstream;
  beforeAll(async () => {
    upstream = await openTestUpstream(engine);
    upstream.services.startWorker();
  });
  afterAll(() => upstream.close());

  const accountOf = async ({ phone }: { phone: string }) =>
    (
      await upstream
        .database()
        .selectFrom("account")
        .selectAll()
        .where("phone_hash", "=", keys.hashPhone(phone))
        .executeTakeFirstOrThrow()
    ).id;
  const findSquareRole = () =>
    upstream.database().selectFrom("role").select("id").where("owner", "is", null).executeTakeFirstOrThrow();
  async function insertClone(row: object): Promise<string> {
    const written = { content: "再试一次。", style: "", speed: 1, genre: 0, characters: 5 };
    const absent = { transcript: null, recording_id: null, pitch: null, volume: null, ext: null, tone_id: null };
    const unset = { job_id: null, rendition_id: null, fingerprint: null, failed_at: 0 };
    const clone = { ...written, ...absent, ...unset, ...row } as never;
    return (await upstream.database().insertInto("clone").values(clone).returning("id").executeTakeFirstOrThrow()).id;
  }
  const allowCode = () =>
    sql`update login_code set sent_at = sent_at - interval '61 seconds'`.execute(upstream.database());
  const enter = async (member: Member): Promise<string> => {
    await allowCode();
    const { data } = await requestCode(member, member.phone);
    const visitor = createVisitor(upstream.services);
    const login = await visitor.post<{ token: string }>("/console/login", { phone: member.phone, code: data.demoCode });
    return login.data.token;
  };
  /** The code of the period after `ahead` more, as an authenticator whose clock is at most one period fast shows it. */
  const codeOf = (totp: TOTP, ahead = 0) => totp.generate({ timestamp: Date.now() + ahead * 30_000 });

  async function openConsole(role: OperatorRole) {
    const member = await logIn(upstream.services);
    const row = { account_id: await accountOf(member), name: `${role} ${member.phone.slice(-2)}`, role };
    await upstream
      .database()
      .insertInto("operator")
      .values({ ...row, totp_sealed: null })
      .execute();
    const token = await enter(member);
    const visitor = createVisitor(upstream.services);
    const me = () => visitor.get<ConsoleMe>("/console/me", { token });
    const totp = URI.parse((await me()).data.secretUri ?? "") as TOTP;
    const verify = (code: string) => visitor.post<{ recoveryCodes: string[] }>("/console/code", { code }, { token });
    const { data } = await verify(codeOf(totp));
    return {
      ...{ member, token, me, totp, verify, name: row.name, recoveryCodes: data.recoveryCodes },
      read: (name: string, input: Record<string, string> = {}) =>
        visitor.get<ConsoleAnswer>(`/console/operations/${name}?${new URLSearchParams(input)}`, { token }),
      act: (name: string, input: Record<string, string>, more: { reason?: string; code?: string } = {}) =>
        visitor.post<Record<string, unknown>>(`/console/operations/${name}`, { input, ...more }, { token }),
    };
  }
  const grow = (token: string, column: "seen_at" | "fresh_at", minutes: number) =>
    sql`update operator_login set ${sql.ref(column)} = now() - make_interval(mins => ${minutes}::int)
      where hash = ${hashOf(token)}`.execute(upstream.database());

  describe("logs in", () => {
    it("with a phone's code and the authenticator's, whose codes count once", async () => {
      const owner = await openConsole("owner");
      expect(owner.recoveryCodes).toHaveLength(10);
      expect((await owner.me()).data).toMatchObject({ stage: "in", isFresh: true, secretUri: null });
      expect(await owner.verify(codeOf(owner.totp))).toMatchObject({ msg: "code-wrong" });
      expect(await owner.verify(codeOf(owner.totp, 1))).toMatchObject({ code: 0, data: { recoveryCodes: [] } });
      expect(await owner.verify(codeOf(owner.totp, 9))).toMatchObject({ msg: "code-wrong" });
    });

    it("with a recovery code, once", async () => {
      const owner = await openConsole("owner");
      const [code = ""] = owner.recoveryCodes;
      expect(await owner.verify(code)).toMatchObject({ code: 0 });
      expect(await owner.verify(code)).toMatchObject({ msg: "code-wrong" });
    });

    it("no one without the authenticator, and no one who is no operator", async () => {
      const { member } = await openConsole("owner");
      const token = await enter(member);
      const visitor = createVisitor(upstream.services);
      expect((await visitor.get<ConsoleMe>("/console/me", { token })).data.stage).toBe("code");
      const read = await visitor.get("/console/operations/today", { token });
      expect(read).toMatchObject({ code: 5 });
      expect(await enter(await logIn(upstream.services))).toBeUndefined();
      expect(await visitor.get("/console/me", { token: member.token })).toMatchObject({ code: 5 });
    });

    it("until half an hour without a call has passed, or the operator is removed", async () => {
      const owner = await openConsole("owner");
      await grow(owner.token, "seen_at", 29);
      expect((await owner.me()).code).toBe(0);
      await grow(owner.token, "seen_at", 31);
      expect((await owner.me()).code).toBe(5);
      const removed = await openConsole("support");
      const other = await openConsole("owner");
      expect(await other.act("operator-remove", { who: removed.member.phone })).toMatchObject({ code: 0 });
      expect((await removed.me()).code).toBe(5);
    });

    it("with ten tries of the authenticator's code", async () => {
      const owner = await openConsole("owner");
      for (let tries = 1; tries < 10; tries++) expect((await owner.verify("000000")).msg).toBe("code-wrong");
      expect(await owner.verify("000000")).toMatchObject({ status: 429, msg: "too-many" });
    });
  });

  it("shows and does what the role may", async () => {
    const moderator = await openConsole("moderator");
    const names = (await moderator.me()).data.operations.map(({ name }) => name);
    expect(names).toContain("report-keep");
    expect(names).not.toContain("refund");
    expect(names).not.toContain("proof-hear");
    expect(await moderator.read("orders")).toMatchObject({ status: 403 });
    expect(await moderator.act("grant", { who: "13800000000", tier: "vip", days: "1" })).toMatchObject({ status: 403 });
    const owner = await openConsole("owner");
    expect(await owner.act("proof-hear", { proof: randomUUID() })).toMatchObject({ status: 403 });
    expect(await owner.act("today", {})).toMatchObject({ status: 404 });
    expect(await owner.read("ban", { who: "13800000000" })).toMatchObject({ status: 404 });
  });

  it("names the field that is wrong, and what the books refuse", async () => {
    const finance = await openConsole("finance");
    const why = { reason: "goodwill" };
    expect(await finance.act("grant", { who: "13800000000", tier: "gold", days: "1" }, why)).toMatchObject({
      data: { field: "tier" },
    });
    expect(await finance.act("grant", { who: "13800000000", tier: "vip", days: "1" })).toMatchObject({
      data: { field: "reason" },
    });
    expect(await finance.act("refund", { order: randomUUID() }, why)).toMatchObject({
      data: { detail: "no such order" },
    });
  });

  it("asks for a fresh code before money moves, and the audit names the operator", async () => {
    const finance = await openConsole("finance");
    const member = await logIn(upstream.services);
    const gift = { who: member.phone, characters: "500" };
    await grow(finance.token, "fresh_at", 6);
    expect(await finance.act("grant-characters", gift, { reason: "goodwill" })).toMatchObject({ msg: "code-wrong" });
    const code = codeOf(finance.totp, 1);
    expect(await finance.act("grant-characters", gift, { reason: "goodwill", code })).toMatchObject({ code: 0 });
    const { data } = await (await openConsole("owner")).read("audit", { of: await accountOf(member) });
    expect(data.sections[0]?.rows).toMatchObject([{ action: "grant", operator: finance.name }]);
    const card = await finance.read("person", { who: member.phone });
    expect(card.data.sections[0]?.rows).toMatchObject([{ charactersLeft: 500 }]);
  });

  it("lets a second operator do what the first asked for", async () => {
    const [asking, other] = [await openConsole("moderator"), await openConsole("moderator")];
    const asked = await asking.act("takedown", { role: randomUUID() }, { reason: "a court's order" });
    expect(asked.data).toEqual({ isWaiting: true, sections: [] });
    const request = String((await other.read("requests")).data.sections[0]?.rows[0]?.id);
    expect(await asking.act("request-approve", { request })).toMatchObject({ msg: "forbidden" });
    // The act itself is refused, so that the request stays.
    expect(await other.act("request-approve", { request })).toMatchObject({
      data: { detail: "no such role with a recording" },
    });
    expect(await other.act("request-dismiss", { request })).toMatchObject({ code: 0 });
    expect((await other.read("requests")).data.sections[0]?.rows).toEqual([]);
  });

  it("pages through reports and takedowns without losing or repeating a row", async () => {
    const moderator = await openConsole("moderator");
    const db = upstream.database();
    const { id } = await findSquareRole();
    // Rows of one moment: the id alone orders them.
    const at = new Date();
    const numbers = Array.from({ length: 5 }, (_, number) => number);
    const reports = numbers.map((number) => ({
      role_id: id,
      reporter: `visitor:${number}`,
      address: "203.0.113.1",
      reason: `reason ${number}`,
    }));
    await db
      .insertInto("role_report")
      .values(reports.map((row) => ({ ...row, created_at: at })) as never)
      .execute();
    const takedowns = numbers.map((number) => ({
      role_id: randomUUID(),
      operator: "tester",
      reason: `reason ${number}`,
    }));
    await db
      .insertInto("voice_takedown")
      .values(takedowns.map((row) => ({ ...row, requested_at: at, done_at: at })) as never)
      .execute();
    for (const name of ["reports", "takedowns"]) {
      const seen: unknown[] = [];
      for (let after: string | null = "", first = true; first || after; first = false) {
        const page = await moderator.read(name, { limit: "2", after });
        seen.push(...(page.data.sections[0]?.rows ?? []).map(({ reason }) => reason));
        after = page.data.sections[0]?.next ?? "";
      }
      expect(seen.sort()).toEqual(numbers.map((number) => `reason ${number}`));
    }
    await db.deleteFrom("role_report").execute();
  });

  it("pages through withdrawn roles, and shows a kept one no more", async () => {
    const moderator = await openConsole("moderator");
    const roles = await upstream.database().selectFrom("role").select("id").limit(3).execute();
    for (const { id } of roles) await moderator.act("report-withdraw", { role: id });
    const first = (await moderator.read("reports", { limit: "2" })).data.sections[1];
    expect(first).toMatchObject({ name: "withdrawn-roles", acts: [{ name: "report-keep" }, { name: "takedown" }] });
    const rest = await moderator.read("reports", { limit: "2", after: first?.next ?? "" });
    expect(rest.data.sections.map(({ name }) => name)).toEqual(["withdrawn-roles"]);
    const seen = [...(first?.rows ?? []), ...(rest.data.sections[0]?.rows ?? [])].map(({ roleId }) => roleId);
    expect(seen.sort()).toEqual(roles.map(({ id }) => id).sort());
    for (const { id } of roles) await moderator.act("report-keep", { role: id });
    expect((await moderator.read("reports")).data.sections[1]?.rows).toEqual([]);
  });

  it("pages through a list without losing or repeating a row", async () => {
    const owner = await openConsole("owner");
    for (let more = 0; more < 5; more++) await logIn(upstream.services);
    const seen: unknown[] = [];
    for (let after: string | null = "", first = true; first || after; first = false) {
      const page = await owner.read("users", { limit: "3", after });
      seen.push(...(page.data.sections[0]?.rows ?? []).map(({ accountId }) => accountId));
      after = page.data.sections[0]?.next ?? "";
    }
    const accounts = await upstream.database().selectFrom("account").select("id").execute();
    expect(new Set(seen).size).toBe(accounts.length);
    expect(seen).toHaveLength(accounts.length);
  });

  describe("bans", () => {
    it("an account: calls and logins are refused, and its data are there again afterwards", async () => {
      const support = await openConsole("support");
      const member = await logIn(upstream.services);
      expect(await support.act("ban", { who: member.phone }, { reason: "fraud" })).toMatchObject({ code: 0 });
      for (const answer of [
        await member.get("/users/info"),
        await member.get("/voice/list"),
        await member.post("/voice/create", {}),
      ])
        expect(answer).toMatchObject({ status: 403, msg: "account-banned" });
      await allowCode();
      const { data } = await requestCode(member, member.phone);
      const visitor = createVisitor(upstream.services);
      expect(await tryLogin(visitor, member.phone, data.demoCode ?? "")).toMatchObject({ msg: "account-banned" });
      expect(await support.act("ban", { who: member.phone }, { reason: "fraud" })).toMatchObject({
        msg: "bad-request",
      });
      await support.act("unban", { who: member.phone }, { reason: "a mistake" });
      expect(await member.get("/users/info")).toMatchObject({ code: 5 });
      await allowCode();
      const back = await logIn(upstream.services, { phone: member.phone });
      expect((await back.get<CallData<"userInfo">>("/users/info")).code).toBe(0);
    });

    it("an account's running tasks, which end at once as cancelled", async () => {
      const support = await openConsole("support");
      const member = await logIn(upstream.services);
      const owner = `account:${await accountOf(member)}`;
      const role_id = (await findSquareRole()).id;
      const id = await insertClone({ owner, role_id, status: 1, msg: null, settled_at: null });
      await support.act("ban", { who: member.phone }, { reason: "fraud" });
      const clones = upstream.database().selectFrom("clone").select(["status", "msg"]).where("id", "=", id);
      const stopped = { status: 3, msg: "cancelled" };
      await vi.waitFor(async () => expect(await clones.executeTakeFirst()).toEqual(stopped), {
        timeout: 20_000,
        interval: 100,
      });
    });

    it("nobody by logging out everywhere", async () => {
      const support = await openConsole("support");
      const member = await logIn(upstream.services);
      expect(await support.act("log-out", { who: member.phone }, { reason: "a lost phone" })).toMatchObject({
        code: 0,
      });
      expect(await member.get("/users/info")).toMatchObject({ code: 5 });
    });
  });

  it("edits, withdraws and restores a package, and the price list shows it at once", async () => {
    const finance = await openConsole("finance");
    const visitor = createVisitor(upstream.services);
    const listed = async () =>
      (await visitor.get<CallData<"products">>("/pay/product", { "cache-control": "no-cache" })).data;
    const find = async () => JSON.stringify(await listed());
    await finance.act("package-edit", { code: "vip-month", name: "体验月卡", badge: "新" });
    expect(await find()).toContain("体验月卡");
    expect(await finance.act("package-edit", { code: "vip-month", name: " ", badge: "" })).toMatchObject({
      data: { field: "name" },
    });
    await finance.act("package-edit", { code: "vip-month", name: "体验月卡", badge: "" });
    const [list] = (await finance.read("packages")).data.sections;
    expect(list?.acts).toContainEqual(expect.objectContaining({ fill: expect.objectContaining({ badge: "badge" }) }));
    expect(list?.rows).toContainEqual(expect.objectContaining({ code: "vip-month", name: "体验月卡", badge: "" }));
    await finance.act("package-withdraw", { code: "vip-month" });
    expect(await find()).not.toContain("体验月卡");
    await finance.act("package-restore", { code: "vip-month" });
    expect(await find()).toContain("体验月卡");
    expect(await finance.act("package-restore", { code: "vip-month" })).toMatchObject({ msg: "bad-request" });
  });

  it("runs a failed task again", async () => {
    const support = await openConsole("support");
    const member = await logIn(upstream.services);
    const owner = `account:${await accountOf(member)}`;
    const role = await findSquareRole();
    expect(await support.act("task-retry", { task: randomUUID() })).toMatchObject({ msg: "not-found" });
    const id = await insertClone({
      owner,
      role_id: role.id,
      status: 3,
      msg: "synthesis-failed",
      settled_at: new Date(),
    });
    const failed = await support.read("tasks");
    expect(failed.data.sections[0]?.rows).toContainEqual(
      expect.objectContaining({ taskId: id, kind: "clone", reason: "synthesis-failed" }),
    );
    expect(await support.act("task-retry", { task: id })).toMatchObject({ code: 0 });
    await vi.waitFor(
      async () => {
        const row = await upstream
          .database()
          .selectFrom("clone")
          .select("status")
          .where("id", "=", id)
          .executeTakeFirst();
        expect(row?.status).toBe(2);
      },
      { timeout: 60_000, interval: 100 },
    );
  });

  it("counts today's figures", async () => {
    const owner = await openConsole("owner");
    const { data } = await owner.read("today");
    const days = data.sections.find(({ name }) => name === "by-day");
    expect(days?.rows).toHaveLength(30);
    expect(days?.rows[0]).toMatchObject({ paidFen: 0, refundedFen: 0, failures: expect.any(Number) });
    expect(Number(days?.rows[0]?.signUps)).toBeGreaterThan(1);
    expect(data.sections.find(({ name }) => name === "waiting")?.rows).toMatchObject([{ anomalies: 0 }]);
  });

  it("shows the engines of every process, and which process does not report any more", async () => {
    const owner = await openConsole("owner");
    await sql`insert into engine_report (process, engine, role, state, since, seen_at) values
      ('worker-1:7', 'kokoro', 'worker', 'resting', now(), now()),
      ('worker-2:7', 'kokoro', 'worker', 'speaking', now(), now() - interval '61 seconds')`.execute(
      upstream.database(),
    );
    const { data } = await owner.read("today");
    expect(data.sections.find(({ name }) => name === "engines")?.rows).toMatchObject([
      { engine: "kokoro", process: "worker-1:7", role: "worker", state: "resting" },
      { engine: "kokoro", process: "worker-2:7", role: "worker", state: "gone" },
    ]);
  });
});
