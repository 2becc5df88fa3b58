import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { trialMax } from "~server/contract/limits";
import { ruleEngines } from "../support/database";
import { waitForRateWindow } from "../support/rate-window";
import { createTrial, firstRoleId, sentence, uploadVoice } from "../support/trial";
import { createVisitor, openTestUpstream, type TestUpstream } from "../support/upstream";

describe.each(ruleEngines)("the trial call on %s", (engine) => {
  let upstream: TestUpstream;
  let roleId: string;
  beforeAll(async () => {
    upstream = await openTestUpstream(engine);
    roleId = await firstRoleId(visitor());
  });
  afterAll(() => upstream.close());

  const visitor = (options = {}) => createVisitor(upstream.services, options);
  const noneLeft = { status: 200, code: 1001, data: { reason: "trial", left: 0, limit: trialMax } };

  it.each([
    ["", "text-empty"],
    [" \n#0.5#  ", "text-empty"],
    ["……！", "text-empty"],
    ["字".repeat(101), "text-too-long"],
    ["字".repeat(30_000), "text-too-long"],
    [`你好${"#10#".repeat(60)}再见`, "pauses-too-long"],
  ])("refuses the text %.8s…", async (content, reason) => {
    const answer = await createTrial(visitor(), { content, roleId });
    expect(answer).toMatchObject({ status: 200, code: 7, msg: reason, data: { reason } });
  });

  it("counts characters without white space and marks", async () => {
    const owner = visitor();
    const content = `${"字 ".repeat(99)}行(hang2)#0.5#`;
    expect((await createTrial(owner, { content, roleId })).code).toBe(0);
  });

  it("refuses voices that are not the visitor's own or public", async () => {
    const theirs = await uploadVoice(visitor());
    const voices = [{}, { voicePath: theirs }, { voicePath: "/etc/passwd" }, { roleId: "unknown" }];
    for (const voice of voices) {
      const answer = await createTrial(visitor(), { content: sentence, ...voice });
      expect(answer).toMatchObject({ status: 200, code: 7, msg: "voice-missing" });
    }
  });

  it("gives a visitor three trials", async () => {
    const owner = visitor();
    for (const tryNum of Array.from({ length: trialMax }, (_, index) => index + 1)) {
      expect((await createTrial(owner, { content: sentence, roleId })).data).toMatchObject({
        tryNum,
        tryMax: trialMax,
      });
    }
    expect(await createTrial(owner, { content: sentence, roleId })).toMatchObject(noneLeft);
  });

  it("gives an address twelve trials a day for all its visitors", async () => {
    const address = "2001:db8:0:1::";
    // Days end at the end of an hour.
    await waitForRateWindow(3600);
    for (let i = 0; i < 12; i++) {
      expect((await createTrial(visitor({ address }), { content: sentence, roleId })).code).toBe(0);
    }
    const neighbour = visitor({ address });
    expect(await createTrial(neighbour, { content: sentence, roleId })).toMatchObject(noneLeft);
    expect((await createTrial(visitor(), { content: sentence, roleId })).code).toBe(0);
    // A refusal uses no trial: the same visitor can try from another address.
    const elsewhere = visitor({ id: neighbour.id });
    expect((await createTrial(elsewhere, { content: sentence, roleId })).data.tryNum).toBe(1);
  });

  it("creates one trial for twenty concurrent identical requests", async () => {
    const owner = visitor();
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => createTrial(owner, { content: sentence, roleId }, "same-key-1")),
    );
    expect(new Set(answers.map(({ data }) => data.taskId)).size).toBe(1);
    expect(answers.every(({ code, data }) => code === 0 && data.tryNum === 1)).toBe(true);
    expect((await createTrial(owner, { content: sentence, roleId })).data.tryNum).toBe(2);
  });

  it("creates no more trials than available for twenty concurrent requests with different keys", async () => {
    const owner = visitor();
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, i) => createTrial(owner, { content: sentence, roleId }, `own-key-${i}`)),
    );
    expect(answers.filter(({ code }) => code === 0)).toHaveLength(trialMax);
    expect(answers.filter(({ code }) => code === 1001)).toHaveLength(17);
  });

  it("refuses one idempotency key for two requests", async () => {
    const owner = visitor();
    await createTrial(owner, { content: sentence, roleId }, "one-key-1");
    const other = await createTrial(owner, { content: "另一句话。", roleId }, "one-key-1");
    expect(other).toMatchObject({ status: 409, code: 7, msg: "bad-request" });
  });
});
