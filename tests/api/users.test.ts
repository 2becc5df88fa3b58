import { writeFile } from "node:fs/promises";
import { basename } from "node:path";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import type { CallData } from "~server/contract/calls/table";
import { trialMax } from "~server/contract/limits";
import { createOperations } from "~server/upstream/billing/operations";
import { createQueue } from "~server/upstream/jobs/queue";
import { deleteAccount, logIn, type Member, requestCode, requestDeletionCode, tryLogin } from "../support/account";
import { ruleEngines } from "../support/database";
import { findDownload } from "../support/downloads";
import { findMp3Labels } from "../support/independent-label";
import { readZip } from "../support/read-zip";
import { createTrial, firstRoleId, sentence, trialResult, uploadVoice, waitForTrial } from "../support/trial";
import { createVisitor, openTestUpstream, type TestUpstream, type Visitor } from "../support/upstream";

describe.each(ruleEngines)("accounts on %s", (engine) => {
  let upstream: TestUpstream;
  let roleId: string;
  beforeAll(async () => {
    upstream = await openTestUpstream(engine);
    upstream.services.startWorker();
    roleId = await firstRoleId(visitor());
  });
  afterAll(() => upstream.close());

  const visitor = (options = {}) => createVisitor(upstream.services, options);
  const member = (options = {}) => logIn(upstream.services, options);
  const infoOf = async (who: Member) => (await who.get<CallData<"userInfo">>("/users/info")).data;
  const statusOf = async (who: Visitor, url: string, headers?: HeadersInit) => {
    const response = await who.file(url, headers);
    await response.arrayBuffer();
    return response.status;
  };
  const noneLeft = { status: 200, code: 1001, data: { reason: "trial", left: 0, limit: trialMax } };
  const accountIdOf = async ({ id }: { id: string }) => {
    const { rows } = await sql<{ owner: string }>`
      select owner from trial where content = ${id} limit 1`.execute(upstream.database());
    return rows[0]?.owner.replace("account:", "") ?? "";
  };
  /** Identifies an account by a trial it made, because no call returns its id. */
  const give = async (who: Member, tier: "vip" | "svip") => {
    const content = `${who.id.replace(/\D/g, "").slice(0, 20)}号`;
    await createTrial(who, { content, roleId });
    const operations = createOperations(
      { db: upstream.database(), queue: createQueue(), now: () => new Date(), gateways: {}, reconcile: async () => [] },
      { operator: "tester", reason: "a test" },
    );
    await operations.grant(await accountIdOf({ id: content }), { tier, days: 30 });
  };

  describe("receive in user info", () => {
    it("the values of a new account", async () => {
      const who = await member();
      const empty = { total: 0, used: 0, left: 0 };
      const info = await infoOf(who);
      expect(info).toEqual({
        vipExpire: 0,
        svipExpire: 0,
        isMonthly: false,
        phone: `${who.phone.slice(0, 3)}****${who.phone.slice(7)}`,
        tryNum: 0,
        tryMax: trialMax,
        quota: { vip: empty, svip: empty, pack: empty },
        resetAt: 0,
        buckets: [],
        nextStep: null,
      });
    });

    it("their tier and its characters", async () => {
      const who = await member();
      await give(who, "svip");
      const { svipExpire, quota, resetAt, buckets } = await infoOf(who);
      expect(Math.abs(svipExpire - Date.now() / 1000 - 30 * 86_400)).toBeLessThan(60);
      expect(quota?.svip).toEqual({ total: 100_000, used: 0, left: 100_000 });
      expect(buckets).toEqual([{ ...quota?.svip, bucket: "svip", startsAt: expect.any(Number), endsAt: svipExpire }]);
      expect(resetAt).toBe(svipExpire);
    });

    it("no characters of a tier that waits", async () => {
      const who = await member();
      await give(who, "vip");
      await give(who, "svip");
      const { quota } = await infoOf(who);
      expect(quota?.vip).toEqual({ total: 0, used: 0, left: 0 });
      expect(quota?.svip).toEqual({ total: 100_000, used: 0, left: 100_000 });
    });

    it("no ledger of another account", async () => {
      const who = await member();
      await give(who, "vip");
      const rows = async (of: Member) => (await of.get<{ total: number }>("/users/ledger")).data.total;
      expect([await rows(who), await rows(await member())]).toEqual([2, 0]);
    });
  });

  describe("trials", () => {
    it("are three per account, on any device and for any visitor", async () => {
      const first = await member();
      for (const tryNum of Array.from({ length: trialMax }, (_, index) => index + 1)) {
        expect((await createTrial(first, { content: sentence, roleId })).data).toMatchObject({
          tryNum,
          tryMax: trialMax,
        });
      }
      expect(await createTrial(first, { content: sentence, roleId })).toMatchObject(noneLeft);
      expect(await createTrial({ ...first, id: "another-visitor" }, { content: sentence, roleId })).toMatchObject(
        noneLeft,
      );
      expect((await infoOf(first)).tryNum).toBe(trialMax);
    });

    it("of a new account are three, whatever the visitor used; the visitor's stay used", async () => {
      const before = visitor();
      for (let i = 0; i < trialMax; i++) await createTrial(before, { content: sentence, roleId });
      const who = await member({ visitor: before });
      expect((await infoOf(who)).tryNum).toBe(0);
      expect((await createTrial(who, { content: sentence, roleId })).data.tryNum).toBe(1);
      await sql`update login_code set sent_at = sent_at - interval '61 seconds'`.execute(upstream.database());
      const again = await member({ visitor: before, phone: who.phone });
      expect((await infoOf(again)).tryNum).toBe(1);
      expect(await createTrial(before, { content: sentence, roleId })).toMatchObject(noneLeft);
    });

    it("of the account are not returned for a visitor's trial that fails after the login", async () => {
      const before = visitor();
      const release = upstream.speech.hold();
      upstream.speech.faults.segments = 1000;
      try {
        const { data } = await createTrial(before, { content: "登录前的这一句说不出来。", roleId });
        const who = await member({ visitor: before });
        await sql`insert into trial_allowance (scope, used)
          select 'account:' || id, 1 from account order by created_at desc limit 1`.execute(upstream.database());
        release();
        expect((await waitForTrial(who, data.taskId)).status).toBe(3);
        expect((await infoOf(who)).tryNum).toBe(1);
      } finally {
        upstream.speech.faults.segments = 0;
        release();
      }
    });

    it("and recordings of the visitor belong to the account after login", async () => {
      const before = visitor();
      const voicePath = await uploadVoice(before);
      const { data } = await createTrial(before, { content: sentence, voicePath });
      const { voiceUrl } = await waitForTrial(before, data.taskId);
      const who = await member({ visitor: before });
      expect((await trialResult(who, data.taskId)).data).toMatchObject({ status: 2, voiceUrl });
      for (const url of [voiceUrl, voicePath]) {
        expect(await statusOf(who, url)).toBe(200);
        expect(await statusOf(before, url)).toBe(404);
      }
      expect((await trialResult(before, data.taskId)).msg).toBe("not-found");
      expect((await createTrial(who, { content: sentence, voicePath })).code).toBe(0);
    });

    it("still running at login finish in the account", async () => {
      const before = visitor();
      const release = upstream.speech.hold();
      try {
        const { data } = await createTrial(before, { content: sentence, roleId });
        await vi.waitFor(
          async () => expect((await trialResult(before, data.taskId)).data.segTotal).toBeGreaterThan(0),
          {
            timeout: 150_000,
          },
        );
        const who = await member({ visitor: before });
        release();
        const result = await waitForTrial(who, data.taskId);
        expect(result.status).toBe(2);
        for (const url of [result.voiceUrl, findDownload(result, "wav"), result.timelineUrl]) {
          expect(await statusOf(who, String(url))).toBe(200);
        }
      } finally {
        release();
      }
    });

    it("are returned to the account if they fail", async () => {
      const who = await member();
      upstream.speech.faults.segments = 1000;
      try {
        const { data } = await createTrial(who, { content: "这一句也说不出来。", roleId });
        expect((await waitForTrial(who, data.taskId)).status).toBe(3);
      } finally {
        upstream.speech.faults.segments = 0;
      }
      expect((await infoOf(who)).tryNum).toBe(0);
    });

    it.each([
      ["vip", 500],
      ["svip", 1500],
    ] as const)("of a %s are not counted and allow %i characters", async (tier, limit) => {
      const who = await member();
      await give(who, tier);
      for (let i = 0; i < 5; i++) {
        expect((await createTrial(who, { content: sentence, roleId })).data).toMatchObject({ tryNum: 1 });
      }
      const long = await createTrial(who, { content: "字".repeat(limit + 1), roleId });
      expect(long).toMatchObject({ code: 7, msg: "text-too-long", data: { need: limit + 1, limit } });
      const { code, data } = await createTrial(who, { content: "字".repeat(limit), roleId });
      expect(code).toBe(0);
      upstream.speech.faults.segments = 0;
      expect((await waitForTrial(who, data.taskId, 30_000)).status).toBe(2);
      expect((await infoOf(who)).tryNum).toBe(1);
    });

    it("allow a hundred characters without a tier", async () => {
      const answer = await createTrial(await member(), { content: "字".repeat(101), roleId });
      expect(answer).toMatchObject({ msg: "text-too-long", data: { limit: 100 } });
    });
  });

  it("have separate files, recordings and tasks", async () => {
    const [mine, theirs] = [await member(), await member()];
    const voicePath = await uploadVoice(mine);
    const { data } = await createTrial(mine, { content: sentence, voicePath });
    const { voiceUrl } = await waitForTrial(mine, data.taskId);
    for (const stranger of [theirs, visitor(), visitor({ id: mine.id })]) {
      expect((await trialResult(stranger, data.taskId)).msg).toBe("not-found");
      for (const url of [voicePath, voiceUrl]) expect(await statusOf(stranger, url)).toBe(404);
      expect((await createTrial(stranger, { content: sentence, voicePath })).msg).toBe("voice-missing");
    }
    expect(await statusOf(mine, voiceUrl, { token: "dead" })).toBe(404);
  });

  describe("exporting one", () => {
    it("returns all of its data and labelled audio, and nothing of another account", async () => {
      const other = await member();
      await uploadVoice(other);
      const who = await member();
      await give(who, "vip");
      const voicePath = await uploadVoice(who);
      const { data } = await createTrial(who, { content: "导出来听的话。", voicePath });
      const { voiceUrl, downloads } = await waitForTrial(who, data.taskId);
      const response = await who.file("/api/v1/users/export");
      expect(response.headers.get("content-type")).toBe("application/zip");
      const entries = readZip(Buffer.from(await response.arrayBuffer()));
      const json = (name: string) => JSON.parse(entries.get(`${name}.json`)?.toString() ?? "null");
      expect(json("account")).toMatchObject({ phone: who.phone });
      expect(json("ledger").total).toBe(2);
      expect(json("recordings")).toMatchObject([{ url: voicePath }]);
      expect(json("trials").map(({ content }: { content: string }) => content)).toContain("导出来听的话。");
      const inArchive = (url: string) => entries.get(`files/${url.split("/").at(-1)}`);
      for (const url of [voicePath, findDownload({ downloads }, "mp3"), findDownload({ downloads }, "wav")]) {
        const kept = Buffer.from(await (await who.file(url)).arrayBuffer());
        expect(inArchive(url)?.equals(kept)).toBe(true);
      }
      expect(findMp3Labels(inArchive(findDownload({ downloads }, "mp3")) ?? Buffer.alloc(0))).toHaveLength(1);
      expect(inArchive(voiceUrl)).toBeUndefined();
      expect([...entries.keys()].filter((name) => name.startsWith("files/"))).toHaveLength(
        1 + json("trials").filter(({ status }: { status: number }) => status === 2).length * 3,
      );
    });

    it("skips files without their label and lists them", async () => {
      const who = await member();
      const { data } = await createTrial(who, { content: sentence, roleId });
      const { downloads } = await waitForTrial(who, data.taskId);
      const name = findDownload({ downloads }, "wav").split("/").at(-1) ?? "";
      const { rows } = await sql<{ storage_key: string; bytes: number }>`
        select storage_key, bytes from media_file where id = ${name.replace(".wav", "")}`.execute(upstream.database());
      await writeFile(upstream.bytes.pathOf(rows[0]?.storage_key ?? ""), Buffer.alloc(rows[0]?.bytes ?? 0));
      const response = await who.file("/api/v1/users/export");
      const entries = readZip(Buffer.from(await response.arrayBuffer()));
      expect(entries.has(`files/${name}`)).toBe(false);
      expect(JSON.parse(entries.get("left-out.json")?.toString() ?? "")).toEqual([`files/${name}`]);
    });

    it("requires a login", async () => {
      expect((await visitor().get("/users/export")).code).toBe(5);
    });
  });

  describe("deleting one", () => {
    const filesOnDisk = async () => (await upstream.bytes.keys()).map((key) => basename(key));

    it("removes recordings, results, their bytes and the tokens, and returns a receipt", async () => {
      const who = await member();
      const voicePath = await uploadVoice(who);
      const segments = async () =>
        (await upstream.database().selectFrom("segment").select("fingerprint").orderBy("fingerprint").execute()).map(
          ({ fingerprint }) => fingerprint,
        );
      const before = await segments();
      const { data } = await createTrial(who, { content: "只为删除说的话。", voicePath });
      const { voiceUrl } = await waitForTrial(who, data.taskId);
      const said = (await segments()).filter((segment) => !before.includes(segment));
      expect(said).toHaveLength(1);
      const nameOf = (url: string) => url.split("/").at(-1) ?? "";
      expect(await filesOnDisk()).toEqual(expect.arrayContaining([nameOf(voicePath), nameOf(voiceUrl)]));
      const owner = await sql<{ owner: string }>`
        select owner from trial where id = ${data.taskId}`.execute(upstream.database());

      const receipt = await deleteAccount(upstream, who, "delete-1");
      expect(receipt).toMatchObject({ code: 0, data: { removed: { roles: 0, clones: 0, dubs: 0, files: 5 } } });
      expect(receipt.data.deletedAt).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+08:00$/);

      expect((await who.get("/users/info")).code).toBe(5);
      const left = await filesOnDisk();
      for (const url of [voicePath, voiceUrl]) expect(left).not.toContain(nameOf(url));
      expect(await segments()).not.toContain(said[0]);
      for (const table of ["trial", "recording", "rendition", "media_file", "idempotency"]) {
        const { rows } = await sql`
          select 1 from ${sql.table(table)} where owner = ${owner.rows[0]?.owner}`.execute(upstream.database());
        expect([table, rows.length]).toEqual([table, 0]);
      }
      const again = await who.post("/users/delete", { verifyCode: "000000" }, { "idempotency-key": "delete-1" });
      expect(again).toEqual(receipt);
      expect((await who.post("/users/delete", { verifyCode: "000000" }, { "idempotency-key": "delete-2" })).code).toBe(
        5,
      );
    });

    it("requires the code sent to its phone, which expires after five wrong attempts", async () => {
      const who = await member();
      const before = await who.post("/users/delete", { verifyCode: "000000" });
      expect(before.msg).toBe("code-wrong");
      const verifyCode = await requestDeletionCode(upstream, who);
      const wrong = verifyCode === "000001" ? "000002" : "000001";
      for (let tries = 0; tries < 5; tries++)
        expect((await who.post("/users/delete", { verifyCode: wrong })).msg).toBe("code-wrong");
      expect((await who.post("/users/delete", { verifyCode })).msg).toBe("code-wrong");
      expect((await who.get("/users/info")).code).toBe(0);
      expect((await visitor().post("/users/delete/code", {})).code).toBe(5);
    });

    it("refuses a malformed call", async () => {
      const who = await member();
      const headers = { appid: "test-app", token: who.token, "content-type": "application/json" };
      for (const body of ["", '{"a":']) {
        const request = new Request("http://upstream/api/v1/users/delete", { method: "POST", body, headers });
        expect((await upstream.services.fetch(request)).status).toBe(400);
      }
      expect((await who.get("/users/info")).code).toBe(0);
    });

    const minuteGoesBy = () =>
      sql`update login_code set sent_at = sent_at - interval '61 seconds'`.execute(upstream.database());

    it("allows a new account for the phone that keeps only the used trials", async () => {
      const who = await member();
      await give(who, "vip");
      await deleteAccount(upstream, who);
      await minuteGoesBy();
      const anew = await member({ phone: who.phone });
      expect(await infoOf(anew)).toMatchObject({ vipExpire: 0, tryNum: 1 });
      expect((await anew.get<{ total: number }>("/users/ledger")).data.total).toBe(0);
    });

    it("does not reset the phone's trials and code limits", async () => {
      let who = await member();
      const { phone } = who;
      for (let i = 0; i < trialMax; i++) await createTrial(who, { content: sentence, roleId });
      for (let deletions = 0; deletions < 2; deletions++) {
        await deleteAccount(upstream, who);
        expect(await requestCode(visitor(), phone)).toMatchObject({ status: 429, msg: "too-many" });
        await minuteGoesBy();
        who = await member({ phone });
        expect(await createTrial(who, { content: sentence, roleId })).toMatchObject(noneLeft);
      }
    });

    it("resets the phone's trials after ninety days", async () => {
      const who = await member();
      await createTrial(who, { content: sentence, roleId });
      await deleteAccount(upstream, who);
      const kept = async () => {
        const { rows } = await sql<{ days: number }>`
          select extract(epoch from expires_at - now()) / 86400 as days from trial_allowance
          where scope like 'phone:%' order by expires_at desc limit 1`.execute(upstream.database());
        return Number(rows[0]?.days);
      };
      expect(await kept()).toBeCloseTo(90, 1);
      await sql`update trial_allowance set expires_at = now() - interval '1 second'
        where scope like 'phone:%'`.execute(upstream.database());
      await minuteGoesBy();
      expect(await infoOf(await member({ phone: who.phone }))).toMatchObject({ tryNum: 0 });
    });

    it("is executed once for twenty concurrent calls", async () => {
      const who = await member();
      const verifyCode = await requestDeletionCode(upstream, who);
      const answers = await Promise.all(
        Array.from({ length: 20 }, () =>
          who.post("/users/delete", { verifyCode }, { "idempotency-key": "delete-many" }),
        ),
      );
      expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
      expect(answers[0]?.code).toBe(0);
    });

    it("stops running tasks", async () => {
      const who = await member();
      upstream.speech.faults.delayMs = 300;
      try {
        await createTrial(who, { content: "说到一半就不说了。真的不说了。", roleId });
        expect((await deleteAccount(upstream, who)).code).toBe(0);
        await vi.waitFor(
          async () => {
            const { rows } = await sql`
              select 1 from job where kind = 'trial' and state in ('ready', 'active')`.execute(upstream.database());
            expect(rows).toHaveLength(0);
          },
          { timeout: 150_000 },
        );
      } finally {
        upstream.speech.faults.delayMs = 0;
      }
    });
  });

  it("can request another code at once if the first could not be sent", async () => {
    const silent = await openTestUpstream("embedded", {
      sender: {
        name: "aliyun",
        showsCodes: false,
        send: vi.fn().mockRejectedValueOnce(new Error("a provider's fault")),
        sendTemplate: async () => {},
      },
    });
    const person = createVisitor(silent.services);
    const failed = await requestCode(person, "13912345678");
    expect(failed).toMatchObject({ status: 500, code: 7 });
    // Nothing was sent, so no waiting time applies; a sent code is not returned.
    expect((await requestCode(person, "13912345678")).data).toEqual({ ttl: 300, resend: 60 });
    expect((await tryLogin(person, "13912345678", "000000")).msg).toBe("code-wrong");
    await silent.close();
  });
});
