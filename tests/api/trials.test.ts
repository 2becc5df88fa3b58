import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { trialMax } from "~server/contract/limits";
import { ruleEngines } from "../support/database";
import { findDownload } from "../support/downloads";
import { createTrial, firstRoleId, sentence, trialResult, uploadVoice, waitForTrial } from "../support/trial";
import { createVisitor, openTestUpstream, type TestUpstream } from "../support/upstream";

describe.each(ruleEngines)("the trial calls on %s", (engine) => {
  let upstream: TestUpstream;
  let roleId: string;
  beforeAll(async () => {
    upstream = await openTestUpstream(engine);
    upstream.services.startWorker();
    roleId = await firstRoleId(visitor());
  });
  afterAll(() => upstream.close());

  const visitor = (options = {}) => createVisitor(upstream.services, options);

  it("clone a visitor's recording and return it to that visitor only", async () => {
    const owner = visitor();
    const voicePath = await uploadVoice(owner);
    const created = await createTrial(owner, { content: sentence, voicePath, transcript: "今天天气很好" });
    expect(created).toMatchObject({ status: 200, code: 0, data: { status: 1, tryNum: 1, tryMax: trialMax } });
    const { taskId } = created.data;
    const result = await waitForTrial(owner, taskId);
    expect(result).toMatchObject({ taskId, status: 2, progress: 1, queuePos: 0, msg: "" });
    expect(result.segDone).toBe(result.segTotal);
    expect(result.duration).toBeGreaterThan(0.5);
    const urls = [result.voiceUrl, findDownload(result, "mp3"), findDownload(result, "wav"), result.timelineUrl];
    for (const url of urls) {
      const mine = await owner.file(String(url));
      expect(mine.status).toBe(200);
      expect((await mine.arrayBuffer()).byteLength).toBeGreaterThan(100);
      expect(await visitor().statusOf(String(url))).toBe(404);
    }
    expect(await trialResult(visitor(), taskId)).toMatchObject({ code: 7, msg: "not-found" });
  });

  it("return the text position of each sound over all segments", async () => {
    const owner = visitor();
    const { data } = await createTrial(owner, { content: sentence, roleId });
    const { timelineUrl, segTotal } = await waitForTrial(owner, data.taskId);
    expect(segTotal).toBeGreaterThan(1);
    const timeline = (await (await owner.file(timelineUrl)).json()) as {
      units: Array<{ text: string; offset: number }>;
    };
    for (const { text, offset } of timeline.units) expect(sentence.startsWith(text, offset)).toBe(true);
    expect(timeline.units.at(-1)?.offset).toBeGreaterThan(sentence.length - 3);
  });

  it("count uses of a role and accept the aliases of the contract", async () => {
    const owner = visitor();
    const before = await owner.get<{ list: Array<{ useNum: number }> }>("/role/common/list?pageSize=1");
    const { data } = await createTrial(owner, { text: sentence, audioId: roleId });
    await waitForTrial(owner, data.taskId);
    const fresh = { "cache-control": "no-cache" };
    const after = await owner.get<{ list: Array<{ useNum: number }> }>("/role/common/list?pageSize=1", fresh);
    expect(after.data.list[0]?.useNum).toBeGreaterThanOrEqual((before.data.list[0]?.useNum ?? 0) + 1);
    expect((await owner.get(`/voice/try/result?voiceId=${data.taskId}`)).code).toBe(0);
  });

  it("enrol a recording once and read repeated segments from the cache", async () => {
    const owner = visitor();
    const voicePath = await uploadVoice(owner);
    const again = { content: "一样的话，说两遍。", voicePath };
    const first = await createTrial(owner, again);
    await waitForTrial(owner, first.data.taskId);
    const { calls } = upstream.speech;
    const before = { ...calls };
    const second = await createTrial(owner, again);
    await waitForTrial(owner, second.data.taskId);
    expect(calls).toEqual(before);
  });

  it("return a failed trial to the visitor", async () => {
    const owner = visitor();
    upstream.speech.faults.segments = 1000;
    try {
      const { data } = await createTrial(owner, { content: "这一句说不出来。", roleId });
      expect(await waitForTrial(owner, data.taskId)).toMatchObject({
        status: 3,
        msg: "synthesis-failed",
        voiceUrl: "",
      });
    } finally {
      upstream.speech.faults.segments = 0;
    }
    expect((await createTrial(owner, { content: sentence, roleId })).data.tryNum).toBe(1);
  });

  it("return the failed trial for a repetition of its request", async () => {
    const owner = visitor();
    const first = await createTrial(owner, { content: sentence, roleId }, "repeat-1");
    await waitForTrial(owner, first.data.taskId);
    expect((await createTrial(owner, { content: sentence, roleId }, "repeat-1")).data).toEqual(first.data);
  });

  it("return progress and the position in the queue", async () => {
    const owner = visitor();
    const release = upstream.speech.hold();
    const seen = new Set<number>();
    const places = new Set<number>();
    const content = "一句话还在路上。两句话还在路上。三句话还在路上。四句话还在路上。";
    const { data } = await createTrial(owner, { content, roleId });
    const look = async () => {
      const result = await trialResult(owner, data.taskId);
      seen.add(result.data.progress);
      places.add(result.data.queuePos);
    };
    upstream.speech.meanwhile.spoken = look;
    release();
    expect(await waitForTrial(owner, data.taskId)).toMatchObject({ status: 2 });
    upstream.speech.meanwhile.spoken = undefined;
    await look();
    expect(seen.size).toBeGreaterThan(2);
    expect([...places]).toEqual([0]);
    expect([...seen]).toEqual([...seen].sort((a, b) => a - b));
  });

  it.each(["nonsense", "00000000-0000-4000-8000-000000000000"])("do not find the task %s", async (taskId) => {
    expect(await trialResult(visitor(), taskId)).toMatchObject({ status: 200, code: 7, msg: "not-found" });
  });

  it('return "login expired" for an unknown token', async () => {
    const token = { token: "stale" };
    const created = await visitor().post("/voice/try/create", { content: sentence, roleId }, token);
    const result = await visitor().get("/voice/try/result?taskId=1", token);
    for (const answer of [created, result])
      expect(answer).toMatchObject({ status: 200, code: 5, msg: "login-expired" });
  });
});
