import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { grantPack } from "~server/upstream/billing/buckets";
import { lockWallet } from "~server/upstream/billing/ledger";
import { deleteAccount } from "../support/account";
import { charactersLeft, createClone, findClone, listClones, waitForClone } from "../support/clone";
import { ruleEngines } from "../support/database";
import { findDownload } from "../support/downloads";
import { createMember } from "../support/member";
import { readEvents } from "../support/task-events";
import { firstRoleId, sentence, uploadVoice } from "../support/trial";
import { createVisitor, openTestUpstream, type TestUpstream } from "../support/upstream";

const sentenceCost = 21;
const longText = "第一句话在这里。第二句话在这里。第三句话在这里。第四句话在这里。";

describe.each(ruleEngines)("clones on %s", (engine) => {
  let upstream: TestUpstream;
  let roleId: string;
  beforeAll(async () => {
    upstream = await openTestUpstream(engine);
    upstream.services.startWorker();
    roleId = await firstRoleId(createVisitor(upstream.services));
  });
  afterAll(() => upstream.close());

  const held = async <T>(act: () => Promise<T>): Promise<T> => {
    const release = upstream.speech.hold();
    return act().finally(release);
  };
  const untilRuns = (member: Parameters<typeof findClone>[0], taskId: string) =>
    vi.waitFor(async () => expect((await findClone(member, taskId)).segTotal).toBeGreaterThan(0), {
      interval: 30,
      timeout: 150_000,
    });

  it("speak with a role's voice and return audio, timeline and downloads", async () => {
    const member = await createMember(upstream, "vip");
    const created = await createClone(member, { content: sentence, roleId, speed: 1.25, style: "plain" });
    expect(created).toMatchObject({ status: 200, code: 0, data: { status: 1, roleId, audioId: roleId, speed: 1.25 } });
    const { voiceId } = created.data;
    expect(created.data.taskId).toBe(voiceId);
    const clone = await waitForClone(member, voiceId);
    expect(clone).toMatchObject({
      ...{ voiceId, content: sentence, status: 2, progress: 1, queuePos: 0, msg: "", style: "plain", genre: 0 },
      ...{ costChar: sentenceCost, speed: 1.25, voicePath: "", emotionPath: "" },
    });
    expect(clone.name).not.toBe("");
    expect(clone.createdAt).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+08:00$/);
    expect(clone.duration).toBeGreaterThan(0.5);
    for (const url of [clone.voiceUrl, findDownload(clone, "mp3"), findDownload(clone, "wav"), clone.timelineUrl]) {
      expect(await member.statusOf(String(url))).toBe(200);
      expect(await createVisitor(upstream.services).statusOf(String(url))).toBe(404);
    }
    expect(await charactersLeft(member)).toBe(50_000 - sentenceCost);
  });

  it("are paid from a pack that outlives its tier, as a normal member's", async () => {
    const member = await createMember(upstream);
    await upstream
      .database()
      .transaction()
      .execute(async (trx) => {
        await lockWallet(trx, member.accountId);
        const pack = { accountId: member.accountId, orderId: null, characters: 200, ref: "a test", at: new Date() };
        await grantPack(trx, pack);
      });
    expect((await member.get("/tasks/allowance")).data).toEqual({ tier: "vip", limit: 500, left: 200 });
    const { data } = await createClone(member, { content: "字".repeat(200), roleId });
    expect(await waitForClone(member, data.voiceId)).toMatchObject({ status: 2, costChar: 200 });
    expect((await member.get("/tasks/allowance")).data).toEqual({ tier: null, limit: 100, left: 3 });
  });

  it("speak with an own recording, and not with another account's", async () => {
    const member = await createMember(upstream, "svip");
    const voicePath = await uploadVoice(member);
    const { data } = await createClone(member, { text: sentence, voicePath, transcript: "今天天气很好" });
    expect(await waitForClone(member, data.voiceId)).toMatchObject({ status: 2, voicePath, roleId: "" });
    const stranger = await createMember(upstream, "svip");
    expect(await createClone(stranger, { content: sentence, voicePath })).toMatchObject({
      code: 7,
      msg: "voice-missing",
    });
    expect(await charactersLeft(stranger)).toBe(100_000);
    expect((await listClones(stranger)).total).toBe(0);
  });

  it("count as uses of the role", async () => {
    const member = await createMember(upstream, "vip");
    const useNum = async () => {
      const { data } = await member.get<{ list: Array<{ roleId: string; useNum: number }> }>(
        "/role/common/list?pageSize=100",
        { "cache-control": "no-cache" },
      );
      return data.list.find((role) => role.roleId === roleId)?.useNum ?? Number.NaN;
    };
    const before = await useNum();
    const { data } = await createClone(member, { content: sentence, roleId });
    await waitForClone(member, data.voiceId);
    expect(await useNum()).toBe(before + 1);
  });

  it.each([
    ["vip", 500],
    [null, 100],
    ["svip", 1500],
  ] as const)("of tier %s accept %i characters and no more, and a refusal costs nothing", async (tier, limit) => {
    const member = await createMember(upstream, tier);
    const left = await charactersLeft(member);
    const tooLong = await createClone(member, { content: "长".repeat(limit + 1), roleId });
    const refusal = tier === "svip" ? { code: 7, msg: "text-too-long" } : { code: 1001, data: { reason: "tier" } };
    expect(tooLong).toMatchObject({ status: 200, ...refusal });
    expect(tooLong.data).toMatchObject({ need: limit + 1, limit });
    expect(await charactersLeft(member)).toBe(left);
    expect((await listClones(member)).total).toBe(0);
    const fits = await createClone(member, { content: `${"短".repeat(limit)}#0.5# \n`, roleId });
    expect(fits).toMatchObject({ code: 0, data: { costChar: limit } });
  });

  const professional = [
    { genre: 1, emotionPath: "own" },
    { genre: 2, ext: { happy: 0.5 } },
    { ext: { sad: 1 } },
    { emotionPath: "own" },
    { pitch: 2 },
    { volume: -3 },
  ];
  it.each(professional)("require the professional tier for %j", async (body) => {
    for (const tier of ["vip", null] as const) {
      const member = await createMember(upstream, tier);
      const left = await charactersLeft(member);
      const refused = await createClone(member, { content: sentence, roleId, ...body });
      expect(refused).toMatchObject({ status: 200, code: 1001, data: { reason: "tier" } });
      expect(await charactersLeft(member)).toBe(left);
      expect((await listClones(member)).total).toBe(0);
    }
    const member = await createMember(upstream, "svip");
    const own = "emotionPath" in body ? { emotionPath: await uploadVoice(member) } : {};
    const { code, data } = await createClone(member, { content: sentence, roleId, ...body, ...own });
    expect(code).toBe(0);
    const clone = await waitForClone(member, data.voiceId);
    expect(clone).toMatchObject({ status: 2, ...body, ...own });
  });

  it("are allowed in every tier with professional parameters at their defaults", async () => {
    const member = await createMember(upstream, "vip");
    const neutral = { pitch: 0, volume: 0, genre: 0, ext: { happy: 0 }, emotionPath: "" };
    expect((await createClone(member, { content: sentence, roleId, ...neutral })).code).toBe(0);
  });

  it("accept only an own recording as tone", async () => {
    const member = await createMember(upstream, "svip");
    const theirs = await uploadVoice(await createMember(upstream, "svip"));
    const body = { content: sentence, roleId, genre: 1 };
    expect(await createClone(member, body)).toMatchObject({ status: 400, msg: "bad-request" });
    expect(await createClone(member, { ...body, emotionPath: theirs })).toMatchObject({
      code: 7,
      msg: "voice-missing",
    });
    expect((await listClones(member)).total).toBe(0);
  });

  it.each([
    [{ content: "" }, { code: 7, msg: "text-empty" }],
    [{ content: " #0.5# \n" }, { code: 7, msg: "text-empty" }],
    [{ content: "字".repeat(20_001) }, { code: 7, msg: "text-too-long" }],
    [{ content: `你好${"#10#".repeat(7)}再见` }, { code: 7, msg: "pauses-too-long", data: { need: 70, limit: 60 } }],
    [
      { content: "你好", roleId: "unknown" },
      { code: 7, msg: "voice-missing" },
    ],
    [
      { content: "你好", roleId: "" },
      { status: 400, msg: "bad-request" },
    ],
    [
      { content: "你好", speed: 3 },
      { status: 400, msg: "bad-request" },
    ],
    [
      { content: "你好", pitch: 13 },
      { status: 400, msg: "bad-request" },
    ],
    [
      { content: "你好", genre: 3 },
      { status: 400, msg: "bad-request" },
    ],
    [
      { content: "你好", ext: { happy: 2 } },
      { status: 400, msg: "bad-request" },
    ],
  ])("are refused with invalid input %#", async (body, expected) => {
    const member = await createMember(upstream, "svip");
    expect(await createClone(member, { roleId, ...body })).toMatchObject(expected);
    expect(await charactersLeft(member)).toBe(100_000);
  });

  it("without a tier use the three trials of the account, and a failed one is returned", async () => {
    const member = await createMember(upstream);
    expect(await charactersLeft(member)).toBe(3);
    upstream.speech.faults.segments = 1000;
    const failing = await createClone(member, { content: "没有套餐也说不出来。", roleId });
    expect(await charactersLeft(member)).toBe(2);
    await waitForClone(member, failing.data.voiceId);
    upstream.speech.faults.segments = 0;
    expect(await charactersLeft(member)).toBe(3);
    const made = [];
    for (let i = 0; i < 3; i++) made.push((await createClone(member, { content: sentence, roleId })).data.taskId);
    expect(await createClone(member, { content: sentence, roleId })).toMatchObject({
      code: 1001,
      data: { reason: "trial", left: 0, limit: 3 },
    });
    expect((await listClones(member)).total).toBe(4);
    for (const taskId of made) await waitForClone(member, taskId);
  });

  it("report the failed segment and its reason, return all characters, and reuse finished segments on retry", async () => {
    const member = await createMember(upstream, "vip");
    const { calls, faults } = upstream.speech;
    const content = "缓存的第一句。缓存的第二句。缓存的第三句。";
    Object.assign(faults, { spared: 1, segments: 1000 });
    const { data } = await createClone(member, { content, roleId });
    const failed = await waitForClone(member, data.voiceId);
    faults.segments = 0;
    expect(failed).toMatchObject({ status: 3, msg: "synthesis-failed", reason: "synthesis-failed", voiceUrl: "" });
    expect(failed.failedAt).toBe(1);
    expect(await charactersLeft(member)).toBe(50_000);
    const before = calls.synthesize;
    const again = { taskId: data.voiceId };
    const twice = await Promise.all([member.post("/tasks/retry", again), member.post("/tasks/retry", again)]);
    expect(twice.map(({ code }) => code)).toEqual([0, 0]);
    const done = await waitForClone(member, data.voiceId);
    expect(done).toMatchObject({ status: 2, msg: "" });
    expect(done.failedAt).toBeUndefined();
    expect(calls.synthesize - before).toBe(done.segTotal - 1);
    expect(await charactersLeft(member)).toBe(50_000 - done.costChar);
    expect((await listClones(member)).total).toBe(1);
    expect((await member.post("/tasks/retry", again)).code).toBe(0);
    expect((await findClone(member, data.voiceId)).status).toBe(2);
  });

  it("can be cancelled while running and return exactly the reserved characters", async () => {
    const member = await createMember(upstream, "vip");
    const first = await createClone(member, { content: sentence, roleId });
    await waitForClone(member, first.data.voiceId);
    const left = await charactersLeft(member);
    await held(async () => {
      const { data } = await createClone(member, { content: `取消。${longText.repeat(4)}`, roleId });
      await untilRuns(member, data.voiceId);
      expect(await charactersLeft(member)).toBe(left - data.costChar);
      const { taskId } = data;
      const cancelled = await Promise.all([1, 2].map(() => member.post("/tasks/cancel", { taskId })));
      expect(cancelled.map(({ code }) => code)).toEqual([0, 0]);
      expect(await charactersLeft(member)).toBe(left);
      const calls = upstream.speech.calls.synthesize;
      const jobs = upstream.database().selectFrom("job").select("state").where("kind", "=", "clone");
      await vi.waitFor(async () => expect(await jobs.where("state", "=", "active").execute()).toEqual([]), {
        timeout: 150_000,
        interval: 20,
      });
      expect(upstream.speech.calls.synthesize).toBe(calls);
      expect(await findClone(member, taskId)).toMatchObject({ status: 3, msg: "cancelled", voiceUrl: "" });
    });
    expect(await charactersLeft(member)).toBe(left);
  });

  it("can be retried directly after a cancellation and are charged once", async () => {
    const member = await createMember(upstream, "vip");
    const { data } = await held(async () => {
      const created = await createClone(member, { content: `再来。${longText}`, roleId });
      const { taskId } = created.data;
      for (let i = 0; i < 3; i++) {
        await untilRuns(member, taskId);
        await member.post("/tasks/cancel", { taskId });
        await member.post("/tasks/retry", { taskId });
      }
      return created;
    });
    expect(await waitForClone(member, data.taskId)).toMatchObject({ status: 2 });
    expect(await charactersLeft(member)).toBe(50_000 - data.costChar);
    const renditions = upstream.database().selectFrom("rendition").select("id");
    expect(await renditions.where("owner", "=", `account:${member.accountId}`).execute()).toHaveLength(1);
  });

  it("send events to their owner", async () => {
    const member = await createMember(upstream, "vip");
    const received = readEvents(member, ({ event }) => event.status !== 1);
    const { data } = await createClone(member, { content: longText, roleId });
    const events = await received;
    expect(events.map(({ event }) => event.taskId)).toEqual(events.map(() => data.taskId));
    expect(events[0]?.event).toMatchObject({ kind: "clone", status: 1 });
    expect(events.at(-1)?.event).toMatchObject({ status: 2, progress: 1, segDone: events.at(-1)?.event.segTotal });
    const progress = events.map(({ event }) => event.progress);
    expect(progress).toEqual([...progress].sort((a, b) => a - b));
  });

  it("are created and charged once for a repeated idempotency key", async () => {
    const member = await createMember(upstream, "vip");
    const body = { content: sentence, roleId };
    const same = await Promise.all(Array.from({ length: 20 }, () => createClone(member, body, "one request")));
    expect(new Set(same.map(({ data }) => data.voiceId)).size).toBe(1);
    expect(same.every(({ code }) => code === 0)).toBe(true);
    expect((await listClones(member)).total).toBe(1);
    expect(await charactersLeft(member)).toBe(50_000 - sentenceCost);
    const other = await createClone(member, { content: "别的话。", roleId }, "one request");
    expect(other).toMatchObject({ status: 409, msg: "bad-request" });
    const without = await Promise.all([createClone(member, body), createClone(member, body)]);
    expect(without[0]?.data.voiceId).not.toBe(without[1]?.data.voiceId);
    expect(await charactersLeft(member)).toBe(50_000 - 3 * sentenceCost);
  });

  it("are listed newest first, filtered by page, state, keyword and id", async () => {
    const member = await createMember(upstream, "vip");
    const texts = ["打九折100%有效。", "打九折100元有效。", "下划线a_b在这里。", "下划线axb在这里。"];
    for (const content of texts)
      await waitForClone(member, (await createClone(member, { content, roleId })).data.voiceId);
    const contents = async (query: Record<string, string>) =>
      (await listClones(member, query)).list.map((c) => c.content);
    expect(await contents({})).toEqual([...texts].reverse());
    expect(await contents({ page: "2", pageSize: "3" })).toEqual([texts[0]]);
    expect(await contents({ keyword: "100%" })).toEqual([texts[0]]);
    expect(await contents({ keyword: "a_b" })).toEqual([texts[2]]);
    expect(await contents({ keyword: "A_B 下划线" })).toEqual([texts[2]]);
    expect(await contents({ status: "2", keyword: "九折" })).toEqual([texts[1], texts[0]]);
    expect(await contents({ status: "3" })).toEqual([]);
    expect(await contents({ taskId: "nonsense" })).toEqual([]);
    const { list } = await listClones(member, { keyword: "有效", pageSize: "1" });
    const taskId = list[0]?.taskId ?? "";
    expect(await listClones(member, { taskId })).toMatchObject({ total: 1, list: [{ taskId }] });
    expect((await listClones(await createMember(upstream), { taskId })).total).toBe(0);
  });

  it("are deleted with their files, one or many, repeatedly, while running, and only by their owner", async () => {
    const member = await createMember(upstream, "vip");
    const done = await createClone(member, { content: sentence, roleId });
    const clone = await waitForClone(member, done.data.voiceId);
    const urls = [clone.voiceUrl, findDownload(clone, "mp3"), findDownload(clone, "wav"), clone.timelineUrl].map(
      String,
    );
    const stranger = await createMember(upstream, "vip");
    await stranger.post("/voice/del", { voiceId: clone.voiceId });
    expect((await listClones(member)).total).toBe(1);
    await held(async () => {
      const running = await createClone(member, { content: `删除。${longText}`, roleId });
      await untilRuns(member, running.data.voiceId);
      const ids = [clone.voiceId, running.data.voiceId, "nonsense", "00000000-0000-4000-8000-000000000000"];
      expect(await member.post("/voice/del", { ids })).toMatchObject({ code: 0, data: {} });
    });
    expect((await listClones(member)).total).toBe(0);
    expect(await charactersLeft(member)).toBe(50_000 - sentenceCost);
    for (const url of urls) expect(await member.statusOf(url)).toBe(404);
    const files = upstream.database().selectFrom("media_file").select("id");
    await expect.poll(() => files.where("owner", "=", `account:${member.accountId}`).execute()).toEqual([]);
    expect(await member.post("/voice/del", { voiceId: clone.voiceId })).toMatchObject({ code: 0 });
    expect(await member.post("/voice/del", {})).toMatchObject({ status: 400 });
  });

  it.each(["cancel", "retry"])("of another account are not found by %s", async (act) => {
    const member = await createMember(upstream, "vip");
    const { data } = await createClone(member, { content: sentence, roleId });
    const stranger = await createMember(upstream, "vip");
    expect(await stranger.post(`/tasks/${act}`, { taskId: data.taskId })).toMatchObject({ code: 7, msg: "not-found" });
    expect(await waitForClone(member, data.taskId)).toMatchObject({ status: 2 });
  });

  it("require a login", async () => {
    const visitor = createVisitor(upstream.services);
    const answers = [
      await createClone(visitor, { content: sentence, roleId }),
      await visitor.get("/voice/list"),
      await visitor.post("/voice/del", { voiceId: "x" }),
      await visitor.post("/tasks/retry", { taskId: "x" }),
    ];
    for (const answer of answers) expect(answer).toMatchObject({ status: 200, code: 5, msg: "login-expired" });
  });

  it("are deleted with their account, running ones too", async () => {
    const member = await createMember(upstream, "vip");
    const { data } = await createClone(member, { content: sentence, roleId });
    await waitForClone(member, data.voiceId);
    await held(async () => {
      const running = await createClone(member, { content: `销号。${longText}`, roleId });
      await untilRuns(member, running.data.voiceId);
      const receipt = await deleteAccount(upstream, member);
      expect(receipt.data.removed).toMatchObject({ clones: 2 });
    });
    const owner = `account:${member.accountId}`;
    const db = upstream.database();
    for (const table of ["clone", "rendition", "media_file", "task_event"] as const) {
      const left = db.selectFrom(table).select("owner").where("owner", "=", owner);
      await expect.poll(() => left.execute()).toEqual([]);
    }
  });
});
