import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { CallData } from "~server/contract/calls/table";
import { countCharacters } from "~server/contract/marks";
import { charactersLeft, createClone, listClones, waitForClone } from "../support/clone";
import { testEngines } from "../support/database";
import { createDub, listDubs, waitForDub } from "../support/dub";
import { createMember } from "../support/member";
import { createTrial, firstRoleId, waitForTrial } from "../support/trial";
import { createVisitor, openTestUpstream, type TestUpstream } from "../support/upstream";

const content = "三次点击，一次付费。";
const cost = countCharacters(content);
const three = <T>(act: () => Promise<T>) => Promise.all([act(), act(), act()]);
const idsOf = (answers: Array<{ data: { taskId: string } }>) => new Set(answers.map(({ data }) => data.taskId));

describe.each(testEngines)("equal requests with reuse on %s", (engine) => {
  let upstream: TestUpstream;
  let roleId: string;
  beforeAll(async () => {
    upstream = await openTestUpstream(engine);
    upstream.services.startWorker();
    roleId = await firstRoleId(createVisitor(upstream.services));
  });
  afterAll(() => upstream.close());

  it("are one clone and one charge, while it runs and when it is done", async () => {
    const member = await createMember(upstream, "vip");
    const wish = { content, roleId, speed: 1.25, reuse: true };
    const answers = await three(() => createClone(member, wish));
    expect(idsOf(answers).size).toBe(1);
    const [taskId = ""] = idsOf(answers);
    await waitForClone(member, taskId);
    expect((await createClone(member, wish)).data).toMatchObject({ taskId, status: 2 });
    expect((await listClones(member)).total).toBe(1);
    expect(await charactersLeft(member)).toBe(50_000 - cost);
    const others = [{ speed: 1 }, { content: `${content}。` }];
    for (const other of others) expect((await createClone(member, { ...wish, ...other })).data.taskId).not.toBe(taskId);
    const stranger = await createMember(upstream, "vip");
    expect((await createClone(stranger, wish)).data.taskId).not.toBe(taskId);
  });

  it("are charged again without reuse, and spoken with another delivery", async () => {
    const member = await createMember(upstream, "vip");
    const wish = { content, roleId };
    for (let made = 1; made <= 3; made++) {
      const { calls } = upstream.speech;
      const before = calls.synthesize;
      const { data } = await createClone(member, { ...wish, reuse: made === 1 });
      await waitForClone(member, data.taskId);
      expect(await charactersLeft(member)).toBe(50_000 - made * cost);
      // Not read from the cache.
      if (made > 1) expect(calls.synthesize).toBeGreaterThan(before);
    }
    expect((await listClones(member)).total).toBe(3);
  });

  it("make a failed or deleted clone again", async () => {
    const member = await createMember(upstream, "vip");
    const wish = { content: "说不出来的一句。", roleId, reuse: true };
    upstream.speech.faults.segments = 1000;
    const failed = (await createClone(member, wish)).data.taskId;
    await waitForClone(member, failed);
    upstream.speech.faults.segments = 0;
    const second = (await createClone(member, wish)).data.taskId;
    expect(second).not.toBe(failed);
    await waitForClone(member, second);
    await member.post("/voice/del", { voiceId: second });
    expect((await createClone(member, wish)).data.taskId).not.toBe(second);
  });

  it("are one trial of a visitor, which is answered when it is done", async () => {
    const visitor = createVisitor(upstream.services);
    const wish = { content, roleId, reuse: true };
    const answers = await three(() => createTrial(visitor, wish));
    expect(idsOf(answers).size).toBe(1);
    const [taskId = ""] = idsOf(answers);
    await waitForTrial(visitor, taskId);
    expect((await createTrial(visitor, wish)).data).toMatchObject({ taskId, status: 2, tryNum: 1 });
    expect((await createTrial(visitor, { ...wish, reuse: false })).data.tryNum).toBe(2);
  });

  it("are one dub while it runs, and free when it is done", async () => {
    const member = await createMember(upstream, "vip");
    const wish = { lines: [{ roleId, content }], reuse: true };
    const answers = await three(() => createDub(member, wish));
    expect(idsOf(answers).size).toBe(1);
    const [taskId = ""] = idsOf(answers);
    await waitForDub(member, taskId);
    const again = await createDub(member, wish);
    expect(again.data).toMatchObject({ costChar: 0 });
    await waitForDub(member, again.data.taskId);
    expect((await listDubs(member)).total).toBe(2);
    expect(await charactersLeft(member)).toBe(50_000 - cost);
  });

  it("are one film of the month", async () => {
    const member = await createMember(upstream, "vip");
    const clone = (await createClone(member, { content, roleId })).data.taskId;
    await waitForClone(member, clone);
    const wish = { source: { kind: "clone", id: clone }, captions: "none", reuse: true };
    const create = (body: object) => member.post<{ taskId: string }>("/video/create", body);
    const answers = await three(() => create(wish));
    expect(idsOf(answers).size).toBe(1);
    const used = async () => (await member.get<CallData<"videoList">>("/video/list")).data.used;
    expect(await used()).toBe(1);
    await create({ ...wish, reuse: false });
    expect(await used()).toBe(2);
  });
});
