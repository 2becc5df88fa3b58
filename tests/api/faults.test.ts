import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { claim } from "~server/upstream/jobs/claims";
import { createQueue } from "~server/upstream/jobs/queue";
import { ruleEngines } from "../support/database";
import { createTrial, firstRoleId, sentence, trialResult, uploadVoice, waitForTrial } from "../support/trial";
import { createVisitor, openTestUpstream, type TestUpstream } from "../support/upstream";

const { expireLeases } = createQueue();

describe.each(ruleEngines)("the upstream on %s", (engine) => {
  let upstream: TestUpstream;
  beforeAll(async () => {
    upstream = await openTestUpstream(engine);
  });
  afterAll(() => upstream.close());

  /** Has no worker until the test starts one. */
  const open = async () => {
    await upstream.restart();
    Object.assign(upstream.speech.faults, { segments: 0, enrolments: 0, delayMs: 0, isSilent: false });
    Object.assign(upstream.speech.calls, { synthesize: 0, enroll: 0 });
    const owner = createVisitor(upstream.services);
    return { owner, roleId: await firstRoleId(owner) };
  };
  const db = () => upstream.database();

  it("gives a dead worker's trial to another worker", async () => {
    const { owner, roleId } = await open();
    const { data } = await createTrial(owner, { content: sentence, roleId });
    const abandoned = await claim(db(), ["trial"], 60);
    expect(abandoned).toBeDefined();
    upstream.services.startWorker();
    const { data: bystander } = await createTrial(owner, { content: sentence, roleId });
    await waitForTrial(owner, bystander.taskId);
    expect((await trialResult(owner, data.taskId)).data).toMatchObject({ status: 1, progress: 0 });
    await expireLeases(db());
    expect(await waitForTrial(owner, data.taskId)).toMatchObject({ status: 2 });
  });

  it("resumes running trials directly after its only server died", async () => {
    const { owner, roleId } = await open();
    const { data } = await createTrial(owner, { content: sentence, roleId });
    await claim(db(), ["trial"], 600);
    await upstream.restart();
    if (engine === "postgres") await expireLeases(db());
    upstream.services.startWorker();
    const returned = createVisitor(upstream.services, owner);
    expect(await waitForTrial(returned, data.taskId)).toMatchObject({ status: 2 });
  });

  it("returns a trial to the visitor after all its workers died", async () => {
    const { owner, roleId } = await open();
    const { data } = await createTrial(owner, { content: sentence, roleId });
    for (let i = 0; i < 3; i++) {
      await claim(db(), ["trial"], 60);
      await expireLeases(db());
    }
    upstream.services.startWorker();
    expect(await waitForTrial(owner, data.taskId)).toMatchObject({ status: 3, msg: "synthesis-failed" });
    expect((await createTrial(owner, { content: sentence, roleId })).data.tryNum).toBe(1);
  });

  it("finishes interrupted trials after a restart without repeating finished segments", async () => {
    const { owner, roleId } = await open();
    const release = upstream.speech.hold({ after: 1 });
    upstream.services.startWorker();
    const content = "第一句话在这里。第二句话在这里。第三句话在这里。第四句话在这里。";
    const { data } = await createTrial(owner, { content, roleId });
    await expect.poll(async () => (await trialResult(owner, data.taskId)).data.segDone).toBeGreaterThan(0);
    await upstream.restart();
    const returned = createVisitor(upstream.services, owner);
    expect((await trialResult(returned, data.taskId)).data).toMatchObject({ status: 1 });
    release();
    upstream.services.startWorker();
    const { segTotal } = await waitForTrial(returned, data.taskId);
    expect(upstream.speech.calls.synthesize).toBeLessThanOrEqual(segTotal + 1);
  });

  it("retries a segment after an engine error", async () => {
    const { owner, roleId } = await open();
    upstream.speech.faults.segments = 2;
    upstream.services.startWorker();
    const { data } = await createTrial(owner, { content: "引擎绊了一下，再说一遍。", roleId });
    expect(await waitForTrial(owner, data.taskId)).toMatchObject({ status: 2 });
  });

  it("retries an enrolment after an engine error", async () => {
    const { owner } = await open();
    upstream.speech.faults.enrolments = 1;
    upstream.services.startWorker();
    const { data } = await createTrial(owner, { content: sentence, voicePath: await uploadVoice(owner) });
    expect(await waitForTrial(owner, data.taskId)).toMatchObject({ status: 2 });
    expect(upstream.speech.calls.enroll).toBe(2);
  });

  it("fails a trial with silent audio", async () => {
    const { owner, roleId } = await open();
    upstream.speech.faults.isSilent = true;
    upstream.services.startWorker();
    const { data } = await createTrial(owner, { content: "这一句没有声音。", roleId });
    expect(await waitForTrial(owner, data.taskId)).toMatchObject({ status: 3, msg: "synthesis-failed" });
  });

  it("fails a trial whose recording was deleted", async () => {
    const { owner } = await open();
    const { data } = await createTrial(owner, { content: sentence, voicePath: await uploadVoice(owner) });
    await db().deleteFrom("recording").execute();
    upstream.services.startWorker();
    expect(await waitForTrial(owner, data.taskId)).toMatchObject({ status: 3, msg: "voice-missing" });
  });
});

it("two servers process one queue", async () => {
  if (!ruleEngines.includes("postgres")) return;
  const upstream = await openTestUpstream("postgres");
  try {
    const other = await upstream.another();
    other.startWorker();
    const owner = createVisitor(upstream.services);
    const { data } = await createTrial(owner, { content: sentence, roleId: await firstRoleId(owner) });
    expect(await waitForTrial(owner, data.taskId)).toMatchObject({ status: 2 });
    const there = createVisitor(other, owner);
    expect((await trialResult(there, data.taskId)).data.status).toBe(2);
  } finally {
    await upstream.close();
  }
});
