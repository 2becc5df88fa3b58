import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import type { CallData } from "~server/contract/calls/table";
import { takeDays } from "~server/contract/limits";
import { deleteAccount, withToken } from "../support/account";
import { charactersLeft } from "../support/clone";
import { ruleEngines } from "../support/database";
import { findDownload } from "../support/downloads";
import { createDub, exportDub, findDub, listDubs, waitForDub, waitForPartialDub } from "../support/dub";
import { findMp3Labels } from "../support/independent-label";
import { findViolations } from "../support/ledger-invariants";
import { createMember } from "../support/member";
import { readZip } from "../support/read-zip";
import { uploadVoice } from "../support/trial";
import { createVisitor, openTestUpstream, type TestUpstream, type Visitor } from "../support/upstream";

const numerals = [..."一二三四五六七八九十"];
const lineText = (i: number) => `这是第${numerals[Math.floor(i / 10)]}组第${numerals[i % 10]}句话。`;

describe.each(ruleEngines)("dubs on %s", (engine) => {
  let upstream: TestUpstream;
  let first: string;
  let second: string;
  beforeAll(async () => {
    upstream = await openTestUpstream(engine);
    upstream.services.startWorker();
    const { data } = await visitor().get<Array<{ roleId: string }>>("/role/common/home?size=2");
    [first, second] = data.map(({ roleId }) => roleId) as [string, string];
  });
  // A failure must not affect the engine for the next test.
  afterEach(() => void Object.assign(upstream.speech.faults, { spared: 0, segments: 0, delayMs: 0 }));
  afterAll(() => upstream.close());

  const visitor = () => createVisitor(upstream.services);
  const line = (content: string, more: object = {}) => ({ roleId: first, content, ...more });
  const script = (count: number) => Array.from({ length: count }, (_, i) => line(lineText(i)));
  const held = async <T>(after: number, act: () => Promise<T>): Promise<T> => {
    const release = upstream.speech.hold({ after });
    return act().finally(release);
  };
  /** Runs while the next segment is synthesised. */
  const watched = async (
    member: Visitor,
    lines: object[],
    look: (dub: Awaited<ReturnType<typeof findDub>>) => void,
  ) => {
    const { meanwhile } = upstream.speech;
    const release = upstream.speech.hold();
    const { dubbId } = (await createDub(member, { lines })).data;
    const faulty: unknown[] = [];
    meanwhile.spoken = async () => {
      const dub = await findDub(member, dubbId);
      try {
        look(dub);
      } catch (error) {
        faulty.push(error);
      }
    };
    release();
    const dub = await waitForDub(member, dubbId);
    meanwhile.spoken = undefined;
    expect([faulty, dub.status]).toEqual([[], 2]);
    look(dub);
  };
  const cancel = (member: Visitor, taskId: string) => member.post("/tasks/cancel", { taskId });
  const retry = (member: Visitor, taskId: string) => member.post("/tasks/retry", { taskId });
  const quote = (member: Visitor, lines: object[]) => member.post<CallData<"dubQuote">>("/dubbing/quote", { lines });

  it("speak line by line and return audio, timeline and line files", async () => {
    const member = await createMember(upstream, "vip");
    const lines = [line("你好，世界。"), { roleId: second, content: "你也好。", pauseAfter: 2 }, line("再见。")];
    const created = await createDub(member, { title: "问候", lines });
    expect(created).toMatchObject({ status: 200, code: 0, data: { title: "问候", status: 1, costChar: 13 } });
    const dub = await waitForDub(member, created.data.dubbId);
    expect(dub).toMatchObject({ status: 2, progress: 1, queuePos: 0, msg: "", costChar: 13 });
    expect(dub.segDone).toBe(dub.segTotal);
    const [one, two, three] = dub.lines;
    for (const each of dub.lines) {
      expect(each).toMatchObject({ status: 2, overrunMs: 0 });
      expect(each.name).not.toBe("");
      expect(await member.statusOf(each.voiceUrl)).toBe(200);
      expect(await visitor().statusOf(each.voiceUrl)).toBe(404);
    }
    expect(one?.start).toBe(0);
    const gap = (from: typeof one, to: typeof one) => (to?.start ?? 0) - (from?.start ?? 0) - (from?.duration ?? 0);
    expect(gap(one, two)).toBeCloseTo(0.6, 1);
    expect(gap(two, three)).toBeCloseTo(2, 1);
    expect(dub.duration).toBeCloseTo((three?.start ?? 0) + (three?.duration ?? 0), 1);
    for (const url of [dub.voiceUrl, findDownload(dub, "mp3"), findDownload(dub, "wav"), dub.timelineUrl]) {
      expect(await member.statusOf(String(url))).toBe(200);
      expect(await visitor().statusOf(String(url))).toBe(404);
    }
    const timeline = (await (await member.file(dub.timelineUrl)).json()) as {
      units: Array<{ line: number; offset: number; text: string; start: number; end: number }>;
    };
    for (const unit of timeline.units) {
      expect(lines[unit.line]?.content.startsWith(unit.text, unit.offset)).toBe(true);
      expect(unit.start).toBeGreaterThanOrEqual(Math.floor((dub.lines[unit.line]?.start ?? 0) * 1000));
    }
    expect(new Set(timeline.units.map((unit) => unit.line))).toEqual(new Set([0, 1, 2]));
    expect(await charactersLeft(member)).toBe(50_000 - 13);
  });

  it("charge and synthesise one line when one of twenty changed, and report the cost before", async () => {
    const member = await createMember(upstream, "vip");
    const lines = script(20);
    const cost = 20 * 10;
    expect((await quote(member, lines)).data).toMatchObject({
      ...{ costChar: cost, tier: "vip", limit: 500, left: 50_000 },
      changed: lines.map((_, i) => i),
    });
    const before = await createDub(member, { lines });
    expect(before.data.costChar).toBe(cost);
    await waitForDub(member, before.data.dubbId);
    const edited = lines.map((each, i) => (i === 17 ? line("这一句改过了。") : each));
    expect((await quote(member, edited)).data).toMatchObject({ costChar: 7, changed: [17] });
    const spoken = upstream.speech.calls.synthesize;
    const after = await createDub(member, { lines: edited });
    expect(after.data.costChar).toBe(7);
    const dub = await waitForDub(member, after.data.dubbId);
    expect(dub.status).toBe(2);
    expect(upstream.speech.calls.synthesize - spoken).toBe(1);
    expect(await charactersLeft(member)).toBe(50_000 - cost - 7);
    // Shared lines stay with the remaining dub and are not charged again.
    await member.post("/dubbing/del", { dubbId: before.data.dubbId });
    expect(await member.statusOf(dub.lines[0]?.voiceUrl ?? "")).toBe(200);
    expect((await quote(member, edited)).data).toMatchObject({ costChar: 0, changed: [] });
    await member.post("/dubbing/del", { ids: [dub.dubbId] });
    expect(await member.statusOf(dub.lines[0]?.voiceUrl ?? "")).toBe(404);
    expect(await member.statusOf(dub.voiceUrl)).toBe(404);
    expect((await quote(member, edited)).data.changed).toHaveLength(20);
  });

  it("charge lines with equal audio once and lines with different audio separately", async () => {
    const member = await createMember(upstream, "vip");
    const lines = [line("一样的话。"), line("一样的话。", { pauseAfter: 1 }), line("一样的话。", { speed: 1.5 })];
    expect((await quote(member, lines)).data).toMatchObject({ costChar: 10, changed: [0, 2] });
    const { data } = await createDub(member, { lines });
    const dub = await waitForDub(member, data.dubbId);
    expect(dub.costChar).toBe(10);
    expect(dub.lines[2]?.duration).toBeLessThan(dub.lines[0]?.duration ?? 0);
  });

  it("apply the account's dictionary", async () => {
    const member = await createMember(upstream, "vip");
    const pinyinOf = async () => {
      const { data } = await createDub(member, line("他去银行。"));
      const dub = await waitForDub(member, data.dubbId);
      const timeline = (await (await member.file(dub.timelineUrl)).json()) as {
        units: Array<{ text: string; pinyin: string }>;
      };
      return timeline.units.find(({ text }) => text === "行")?.pinyin;
    };
    expect(await pinyinOf()).toBe("hang2");
    await member.post("/script/dictionary/put", { word: "银行", pinyin: "yin2 xing2" });
    expect(await pinyinOf()).toBe("xing2");
    // A changed reading is synthesised again without a new charge.
    expect(await charactersLeft(member)).toBe(50_000 - 5);
  });

  it("accept tones and emotions of professional members only", async () => {
    const member = await createMember(upstream, "vip");
    const professional = await createMember(upstream, "svip");
    const emotionPath = await uploadVoice(professional);
    const manners = [{ genre: 2, ext: { happy: 0.8 } }, { pitch: 2 }, { volume: -3 }, { genre: 1, emotionPath }];
    for (const manner of manners) {
      const refused = await createDub(member, { lines: [line("你好。"), line("你好吗。", manner)] });
      expect(refused).toMatchObject({ status: 200, code: 1001, data: { reason: "tier", line: 1 } });
    }
    expect((await createDub(member, line("你好。", { pitch: 0, volume: 0, ext: {} }))).code).toBe(0);
    const { data } = await createDub(professional, { lines: manners.map((manner) => line("你好。", manner)) });
    expect(await waitForDub(professional, data.dubbId)).toMatchObject({ status: 2, costChar: 12 });
    expect(await createDub(professional, line("字".repeat(1501)))).toMatchObject({
      ...{ code: 7, msg: "text-too-long", data: { need: 1501, limit: 1500, line: 0 } },
    });
    const other = await createMember(upstream, "svip");
    const stolen = await createDub(other, line("你好。", { genre: 1, emotionPath }));
    expect(stolen).toMatchObject({ code: 7, msg: "voice-missing", data: { line: 0 } });
    expect(await createDub(other, line("你好。", { genre: 1 }))).toMatchObject({ status: 400, msg: "bad-request" });
  });

  it("refuse scripts that cannot be spoken or paid, without a charge", async () => {
    const member = await createMember(upstream, "vip");
    expect(await createDub(visitor(), line("你好。"))).toMatchObject({ code: 5, msg: "login-expired" });
    const refused: Array<[object, object]> = [
      [{ lines: [line("你好。"), line("")] }, { code: 7, msg: "text-empty", data: { line: 1 } }],
      [{ lines: [line("你好。"), line("#1#")] }, { code: 7, msg: "text-empty", data: { line: 1 } }],
      [{ lines: [line("字".repeat(20_001))] }, { code: 7, msg: "text-too-long", data: { line: 0 } }],
      [
        { lines: [line("你好。"), { roleId: "nobody", content: "你好。" }] },
        { code: 7, msg: "voice-missing", data: { line: 1 } },
      ],
      [
        { lines: [line("字".repeat(500)), line("字".repeat(501))] },
        { code: 1001, data: { reason: "tier", need: 501, limit: 500, line: 1 } },
      ],
      [
        { lines: Array.from({ length: 101 }, () => line("字".repeat(496))) },
        { code: 7, msg: "text-too-long", data: { need: 50_096, limit: 50_000 } },
      ],
      [{ lines: [line("你好。", { startMs: 2_000_000 })] }, { code: 7, msg: "pauses-too-long" }],
      [
        { lines: [line("你好。"), line(`你好${"#10#".repeat(7)}。`)] },
        { code: 7, msg: "pauses-too-long", data: { line: 1, need: 70, limit: 60 } },
      ],
      [
        { lines: [line(`你好${"#10#".repeat(6)}。`, { pauseAfter: 1 })] },
        { code: 7, msg: "pauses-too-long", data: { line: 0, need: 61 } },
      ],
      [{ lines: [] }, { status: 400, code: 7, msg: "bad-request" }],
      [{ lines: Array.from({ length: 501 }, () => line("好")) }, { status: 400, code: 7, msg: "bad-request" }],
      [{ lines: [line("你好。", { speed: 3 })] }, { status: 400, code: 7, msg: "bad-request" }],
    ];
    for (const [body, answer] of refused) expect(await createDub(member, body)).toMatchObject(answer);
    expect((await listDubs(member)).total).toBe(0);
    expect(await charactersLeft(member)).toBe(50_000);
  });

  it("use one of three trials each without a tier, and return it on failure", async () => {
    const member = await createMember(upstream);
    expect((await quote(member, [line("你好。")])).data).toMatchObject({
      costChar: 3,
      tier: null,
      limit: 100,
      left: 3,
    });
    expect(await createDub(member, line("字".repeat(101)))).toMatchObject({ code: 1001, data: { reason: "tier" } });
    upstream.speech.faults.segments = 1000;
    const failed = await createDub(member, { lines: [line("说不出来的话。"), line("另一句。")] });
    expect(await waitForDub(member, failed.data.dubbId)).toMatchObject({
      ...{ status: 3, msg: "synthesis-failed", reason: "synthesis-failed", failedAt: 0, voiceUrl: "" },
      lines: [{ status: 3 }, { status: 1 }],
    });
    upstream.speech.faults.segments = 0;
    expect(await charactersLeft(member)).toBe(3);
    for (const left of [2, 1, 0]) {
      const { data } = await createDub(member, line(`你好，第${left}次。`));
      await waitForDub(member, data.dubbId);
      expect(await charactersLeft(member)).toBe(left);
    }
    expect(await createDub(member, line("还有一次。"))).toMatchObject({ code: 1001, data: { reason: "trial" } });
  });

  it("cost nothing without a tier where nothing changed", async () => {
    const member = await createMember(upstream);
    const lines = [line("你好。"), line("再见。")];
    const first = await createDub(member, { lines });
    expect(await waitForDub(member, first.data.dubbId)).toMatchObject({ status: 2 });
    expect((await quote(member, lines)).data).toMatchObject({ costChar: 0, changed: [], left: 2 });
    for (const again of [lines, lines.slice().reverse()]) {
      const { data } = await createDub(member, { lines: again });
      expect(await waitForDub(member, data.dubbId)).toMatchObject({ status: 2, costChar: 0 });
    }
    expect(await charactersLeft(member)).toBe(2);
  });

  it("accept a script longer than one generation and charge its sum", async () => {
    const member = await createMember(upstream, "vip");
    const lines = Array.from({ length: 3 }, (_, i) => line(`${lineText(i)}${"字".repeat(300 + i)}。`));
    const { costChar, limit } = (await quote(member, lines)).data;
    expect(costChar).toBeGreaterThan(limit);
    const { code, data } = await createDub(member, { lines });
    expect(code).toBe(0);
    expect(await waitForDub(member, data.dubbId)).toMatchObject({ status: 2, costChar });
    expect(await charactersLeft(member)).toBe(50_000 - costChar);
  });

  it("are created once for a repeated request", async () => {
    const member = await createMember(upstream, "vip");
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => createDub(member, line("只要一次。"), "one-key")),
    );
    expect(new Set(answers.map(({ data }) => data.dubbId)).size).toBe(1);
    expect(await createDub(member, line("另一句。"), "one-key")).toMatchObject({ status: 409, msg: "bad-request" });
    await waitForDub(member, answers[0]?.data.dubbId ?? "");
    expect(await charactersLeft(member)).toBe(50_000 - 5);
  });

  it("return exactly the reserved characters when cancelled, and keep finished lines for the retry", async () => {
    const member = await createMember(upstream, "vip");
    // Text that no other test uses, so that the segment cache has no match.
    const lines = script(6).map((one) => ({ ...one, speed: 1.1 }));
    const { dubbId, spoken } = await held(2, async () => {
      const { data } = await createDub(member, { lines });
      expect(await charactersLeft(member)).toBe(50_000 - 60);
      const before = upstream.speech.calls.synthesize;
      const dub = await waitForPartialDub(member, data.dubbId);
      expect(dub.lines[0]).toMatchObject({ status: 2, start: 0 });
      expect(await member.statusOf(dub.lines[0]?.voiceUrl ?? "")).toBe(200);
      expect(await cancel(member, data.dubbId)).toMatchObject({ code: 0 });
      return { dubbId: data.dubbId, spoken: before };
    });
    expect(await findDub(member, dubbId)).toMatchObject({ status: 3, msg: "cancelled", costChar: 60 });
    expect(await charactersLeft(member)).toBe(50_000);
    // An uncharged line does not count as paid.
    expect((await quote(member, lines)).data.costChar).toBe(60);
    await expect.poll(async () => (await retry(member, dubbId)).code).toBe(0);
    expect((await waitForDub(member, dubbId)).status).toBe(2);
    // Six lines and at most the interrupted one.
    expect(upstream.speech.calls.synthesize - spoken).toBeLessThanOrEqual(7);
    expect(await charactersLeft(member)).toBe(50_000 - 60);
    expect(await retry(member, dubbId)).toMatchObject({ code: 0 });
    expect(await cancel(member, dubbId)).toMatchObject({ code: 0 });
    expect((await findDub(member, dubbId)).status).toBe(2);
  });

  it("can be retried after a failed line: reserved again, continued from there and charged once", async () => {
    const member = await createMember(upstream, "vip");
    // Text that no other test uses, so that the segment cache has no match.
    const lines = script(4).map((one) => ({ ...one, content: one.content.replace("这", "那") }));
    Object.assign(upstream.speech.faults, { spared: 2, segments: 1000 });
    const { dubbId } = (await createDub(member, { lines })).data;
    expect(await waitForDub(member, dubbId)).toMatchObject({ status: 3, reason: "synthesis-failed" });
    upstream.speech.faults.segments = 0;
    const failed = await findDub(member, dubbId);
    const done = failed.lines.filter(({ status }) => status === 2).length;
    expect(done).toBe(2);
    expect(failed.lines[done]?.status).toBe(3);
    expect(failed.failedAt).toBe(done);
    expect(await charactersLeft(member)).toBe(50_000);
    const spoken = upstream.speech.calls.synthesize;
    await held(0, async () => {
      expect((await retry(member, dubbId)).code).toBe(0);
      expect(await charactersLeft(member)).toBe(50_000 - 40);
      expect((await findDub(member, dubbId)).lines.slice(0, done).every(({ voiceUrl }) => voiceUrl)).toBe(true);
    });
    const dub = await waitForDub(member, dubbId);
    expect(dub).toMatchObject({ status: 2, costChar: 40 });
    expect(dub.failedAt).toBeUndefined();
    expect(upstream.speech.calls.synthesize - spoken).toBe(lines.length - done);
    expect(await charactersLeft(member)).toBe(50_000 - 40);
  });

  it("stop and return characters when deleted while running", async () => {
    const member = await createMember(upstream, "vip");
    await held(2, async () => {
      const { data } = await createDub(member, { lines: script(5).map((one) => ({ ...one, speed: 1.3 })) });
      await waitForPartialDub(member, data.dubbId);
      await member.post("/dubbing/del", { dubbId: data.dubbId });
      expect((await listDubs(member, { taskId: data.dubbId })).total).toBe(0);
    });
    expect(await charactersLeft(member)).toBe(50_000);
    await member.post("/dubbing/del", { ids: ["nonsense", "00000000-0000-4000-8000-000000000000"] });
  });

  it("are visible to their account only", async () => {
    const member = await createMember(upstream, "vip");
    const stranger = await createMember(upstream, "vip");
    const { data } = await createDub(member, line("我的话。"));
    await waitForDub(member, data.dubbId);
    expect((await listDubs(stranger, { taskId: data.dubbId })).total).toBe(0);
    expect(await cancel(stranger, data.dubbId)).toMatchObject({ code: 7, msg: "not-found" });
    expect(await retry(stranger, data.dubbId)).toMatchObject({ code: 7, msg: "not-found" });
    expect((await exportDub(stranger, data.dubbId, "mp3")).status).toBe(404);
    await stranger.post("/dubbing/del", { dubbId: data.dubbId });
    expect((await findDub(member, data.dubbId)).status).toBe(2);
    expect((await quote(stranger, [line("我的话。")])).data.costChar).toBe(4);
    for (const path of ["/dubbing/list", "/dubbing/export?dubbId=x&format=mp3"])
      expect(await visitor().get(path)).toMatchObject({ code: 5 });
    for (const path of ["/dubbing/create", "/dubbing/quote", "/dubbing/del"])
      expect(await visitor().post(path, {})).toMatchObject({ code: 5 });
  });

  it("that correct a dub are versions of its record, and of no other account's", async () => {
    const member = await createMember(upstream, "vip");
    const make = async (owner: Visitor, content: string, revises?: string) => {
      const { dubbId } = (await createDub(owner, { lines: [line(content)], ...(revises && { revises }) })).data;
      return waitForDub(owner, dubbId);
    };
    const first = await make(member, "天刚亮。");
    expect(first.versionOf).toBe(first.dubbId);
    const second = await make(member, "天已经亮了。", first.dubbId);
    expect(second.versionOf).toBe(first.dubbId);
    expect((await make(member, "天大亮了。", second.dubbId)).versionOf).toBe(first.dubbId);
    const other = await make(await createMember(upstream, "vip"), "天刚亮。", first.dubbId);
    expect(other.versionOf).toBe(other.dubbId);
  });

  it("are found by keyword, status and id, and takes by id only", async () => {
    const member = await createMember(upstream, "vip");
    const made = [];
    for (const body of [
      { title: "春天", lines: [line("花开了。")] },
      { title: "秋天", lines: [line("叶落了。")] },
      { lines: [line("试听一下。")], isTake: true },
    ]) {
      made.push((await createDub(member, body)).data.dubbId);
    }
    for (const id of made) await waitForDub(member, id);
    const titles = async (query: Record<string, string>) =>
      (await listDubs(member, query)).list.map(({ title }) => title);
    expect(await titles({})).toEqual(["秋天", "春天"]);
    expect(await titles({ keyword: "花开" })).toEqual(["春天"]);
    expect(await titles({ keyword: "秋 叶" })).toEqual(["秋天"]);
    expect(await titles({ keyword: "%" })).toEqual([]);
    expect(await titles({ status: "3" })).toEqual([]);
    expect(await titles({ page: "2", pageSize: "1" })).toEqual(["春天"]);
    expect((await listDubs(member, { taskId: made[2] ?? "" })).list[0]?.status).toBe(2);
    // A take is charged like any other line.
    expect((await quote(member, [line("试听一下。")])).data.costChar).toBe(0);
    expect(await member.get("/dubbing/list?page=x")).toMatchObject({ status: 400, msg: "bad-request" });
  });

  it("are exported as labelled audio, as a folder for video editors, and as subtitles", async () => {
    const member = await createMember(upstream, "vip");
    const lines = [line("你好，世界。"), { roleId: second, content: "去[重读]银行(hang2)[/重读]，#0.5#好吗？" }];
    const { data } = await createDub(member, { title: "两个人/第一集", lines });
    expect((await exportDub(member, data.dubbId, "srt")).status).toBe(404);
    const dub = await waitForDub(member, data.dubbId);
    for (const format of ["mp3", "wav"]) {
      const whole = await exportDub(member, data.dubbId, format);
      expect(whole.status).toBe(200);
      expect(decodeURIComponent(whole.headers.get("content-disposition") ?? "")).toContain(`两个人第一集.${format}`);
      const bytes = Buffer.from(await whole.arrayBuffer());
      expect(bytes.includes(Buffer.from("AIGC"))).toBe(true);
      const heard = Buffer.from(await (await member.file(dub.voiceUrl)).arrayBuffer());
      if (format === "mp3") expect(bytes.length).toBeGreaterThan(heard.length + 1000);
    }
    const archive = readZip(Buffer.from(await (await exportDub(member, data.dubbId, "zip")).arrayBuffer()));
    const [one, two] = dub.lines;
    const sounds = ["两个人第一集.mp3", `01-${one?.name}-你好世界.mp3`, `02-${two?.name}-去银行好吗.mp3`];
    expect([...archive.keys()].sort()).toEqual([...sounds, "两个人第一集.srt"].sort());
    for (const name of sounds) expect(findMp3Labels(archive.get(name) ?? Buffer.of())).toHaveLength(1);
    const srt = await (await member.file(dub.srtUrl)).text();
    expect(srt).toMatch(/^1\n00:00:00,000 --> 00:00:0\d,\d{3}\n你好，世界。\n\n2\n/);
    expect(srt).toContain("\n去银行，好吗？\n");
    expect(archive.get("两个人第一集.srt")?.toString()).toBe(srt);
    expect(await (await exportDub(member, data.dubbId, "vtt")).text()).toContain(`<v ${two?.name}>去银行，好吗？`);
    expect(await (await exportDub(member, data.dubbId, "lrc")).text()).toContain("[00:00.00]你好，世界。");
    expect((await exportDub(member, data.dubbId, "exe")).status).toBe(400);
  });

  it("keep subtitle times with silence and faster speech, and report lines that do not fit", async () => {
    const member = await createMember(upstream, "vip");
    // Sixty milliseconds per syllable and pause: about 0.4 s, 1.3 s and 0.4 s.
    const long = "这一句话有二十个字要在很短的时间里说完。";
    const lines = [
      line("先安静一会儿。", { startMs: 1000, endMs: 4000 }),
      line(long, { startMs: 4000, endMs: 5150 }),
      line(long, { startMs: 5300, endMs: 6200, speedUpMax: 1.5 }),
      line(long, { speed: 1.1, startMs: 6300, endMs: 6700 }),
      line("最后一句话。", { startMs: 6700, endMs: 9000 }),
    ];
    const { data } = await createDub(member, { lines });
    const dub = await waitForDub(member, data.dubbId);
    expect(dub.status).toBe(2);
    const [, , , crammed, pushed] = dub.lines;
    expect(dub.lines.map(({ start }) => start)).toEqual([1, 4, 5.3, 6.3, pushed?.start]);
    expect(dub.lines.map(({ overrunMs }) => overrunMs > 0)).toEqual([false, false, false, true, false]);
    expect(dub.lines.map(({ speedUpMax }) => speedUpMax)).toEqual([undefined, undefined, 1.5, undefined, undefined]);
    expect(dub.lines[1]?.duration).toBeGreaterThan(1.26 / 1.2);
    expect(crammed?.duration).toBeCloseTo(1.26 / 1.1 / 1.2, 1);
    expect(pushed?.start).toBeCloseTo(6.7 + (crammed?.overrunMs ?? 0) / 1000, 1);
    // Each line is heard from its time on, and the subtitles end with the sound.
    const wav = Buffer.from(await (await member.file(findDownload(dub, "wav"))).arrayBuffer());
    const loudestOf = (fromMs: number, toMs: number) => {
      const samples = wav.subarray(44 + fromMs * 32, 44 + toMs * 32);
      return new Int16Array(Uint8Array.from(samples).buffer).reduce((most, one) => Math.max(most, Math.abs(one)), 0);
    };
    for (const startMs of [1000, 4000, 5300, 6300]) {
      expect(loudestOf(startMs - 50, startMs)).toBeLessThan(104);
      expect(loudestOf(startMs, startMs + 50)).toBeGreaterThan(1000);
    }
    const srt = await (await member.file(dub.srtUrl)).text();
    expect(srt).toContain("00:00:01,000 --> 00:00:04,000\n先安静一会儿。");
    expect(srt).toContain("00:00:04,000 --> 00:00:05,150");
    expect(srt).toContain("--> 00:00:09,000\n最后一句话。");
    expect(dub.duration).toBe(9);
    // A repetition costs nothing and needs no synthesis.
    const spoken = upstream.speech.calls.synthesize;
    const again = await waitForDub(member, (await createDub(member, { lines })).data.dubbId);
    expect(again).toMatchObject({ status: 2, costChar: 0 });
    expect(again.lines.map(({ start }) => start)).toEqual(dub.lines.map(({ start }) => start));
    expect(upstream.speech.calls.synthesize).toBe(spoken);
    // Copied to the sample, without the audible mark at the end.
    const wavOf = async (url = "") => Buffer.from(await (await member.file(url)).arrayBuffer()).subarray(44, -600);
    expect(await wavOf(findDownload(again, "wav"))).toEqual(await wavOf(findDownload(dub, "wav")));
  });

  it("send an event for each finished line", async () => {
    const member = await createMember(upstream, "vip");
    const seen: number[] = [];
    // Text that no other test uses, so that the segment cache has no match.
    const lines = script(5).map((one) => ({ ...one, speed: 1.2 }));
    await watched(member, lines, (dub) => {
      seen.push(dub.progress);
      const done = dub.lines.map(({ status }) => status === 2);
      expect(done).toEqual([...done].sort((a, b) => Number(b) - Number(a)));
      for (const each of dub.lines) if (each.status === 2) expect(each.start).toBeGreaterThanOrEqual(0);
    });
    expect(new Set(seen).size).toBeGreaterThan(4);
    expect(seen).toEqual([...seen].sort((a, b) => a - b));
  });

  it("report the progress of a long line", async () => {
    const member = await createMember(upstream, "vip");
    const long = "这是一个很长的句子，要分成好几段才能说完。".repeat(12);
    const seen = new Set<number>();
    await watched(member, [line("短的一句。"), line(long)], (dub) => {
      const [first, second] = dub.lines;
      if (dub.status !== 1 || first?.status !== 2 || !second) return;
      expect(second.segTotal).toBeGreaterThan(1);
      expect(first.segDone).toBe(first.segTotal);
      expect(first.segDone + second.segDone).toBe(dub.segDone);
      seen.add(second.segDone);
    });
    expect(seen.size).toBeGreaterThan(1);
  });

  it("that are takes expire after their time and not before, others do not", async () => {
    const member = await createMember(upstream, "vip");
    const younger = await waitForDub(
      member,
      (await createDub(member, { lines: [line("再听一听。")], isTake: true })).data.dubbId,
    );
    const take = await waitForDub(
      member,
      (await createDub(member, { lines: [line("听一听。")], isTake: true })).data.dubbId,
    );
    const kept = await waitForDub(member, (await createDub(member, line("留下来。"))).data.dubbId);
    const age = (days: number, ids: string[]) =>
      upstream
        .database()
        .updateTable("dub")
        .set({ created_at: new Date(Date.now() - days * 86_400_000) })
        .where("id", "in", ids)
        .execute();
    await age(takeDays + 1, [take.dubbId, kept.dubbId]);
    await age(takeDays - 1, [younger.dubbId]);
    await upstream.restart();
    upstream.services.startWorker();
    const again = { ...member, ...withToken(createVisitor(upstream.services), member) };
    await vi.waitFor(async () => expect((await listDubs(again, { taskId: take.dubbId })).total).toBe(0), {
      timeout: 150_000,
    });
    expect(await again.statusOf(take.voiceUrl)).toBe(404);
    expect((await findDub(again, kept.dubbId)).status).toBe(2);
    expect(await again.statusOf(younger.voiceUrl)).toBe(200);
  });

  it("are deleted with their account, including their texts", async () => {
    const member = await createMember(upstream, "vip");
    const { data } = await createDub(member, line("都要走。"));
    const dub = await waitForDub(member, data.dubbId);
    const archive = readZip(Buffer.from(await (await member.file("/api/v1/users/export")).arrayBuffer()));
    expect(JSON.parse(archive.get("dubs.json")?.toString() ?? "[]")).toMatchObject([{ dubbId: data.dubbId }]);
    const removed = await deleteAccount(upstream, member);
    expect(removed.data.removed.dubs).toBe(1);
    expect(await visitor().statusOf(dub.voiceUrl)).toBe(404);
    const left = await upstream
      .database()
      .selectFrom("dub_line")
      .select("dub_id")
      .where("dub_id", "=", data.dubbId)
      .execute();
    expect(left).toEqual([]);
  });

  it("leave the ledger balanced", async () => {
    const broken = await findViolations(upstream.database());
    // A dub with an injected failure leaves a failed job.
    const { "no job has failed or lost its worker": _, ...others } = broken;
    expect(others).toEqual({});
  });
});
