import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { CallData } from "~server/contract/calls/table";
import { deleteAccount, logIn, type Member } from "../support/account";
import { createClone, waitForClone } from "../support/clone";
import { ruleEngines } from "../support/database";
import { findMp3Labels } from "../support/independent-label";
import { createMember } from "../support/member";
import { createTrial, firstRoleId, sentence, waitForTrial } from "../support/trial";
import { createVisitor, openTestUpstream, type TestUpstream, type Visitor } from "../support/upstream";

type Share = CallData<"shareCreate">;
type Shared = CallData<"shareInfo">;

describe.each(ruleEngines)("shared pages on %s", (engine) => {
  let upstream: TestUpstream;
  let member: Member;
  beforeAll(async () => {
    upstream = await openTestUpstream(engine);
    upstream.services.startWorker();
    member = await createMember(upstream, "vip");
  });
  afterAll(() => upstream.close());

  const visitor = () => createVisitor(upstream.services);
  const share = (owner: Visitor, kind: string, id: string, more: object = {}) =>
    owner.post<Share>("/share/create", { kind, id, ...more });
  const read = (shareId: string, reader = visitor()) => reader.get<Shared>(`/share/info?shareId=${shareId}`);
  const fileOf = (shareId: string, part: string, reader = visitor()) =>
    reader.file(`/api/v1/share/file?shareId=${shareId}&part=${part}`);
  const missing = { code: 7, msg: "not-found" };

  async function speak(owner: Member = member) {
    const { data } = await createClone(owner, { content: sentence, roleId: await firstRoleId(owner) });
    return waitForClone(owner, data.taskId);
  }

  it("are readable by everyone with their marked and labelled sound, and hold nothing of the owner", async () => {
    const { taskId } = await speak();
    const { code, data } = await share(member, "clone", taskId);
    expect(code).toBe(0);
    expect(data.shareId).toMatch(/^[\w-]{24}$/);
    const shown = await read(data.shareId);
    expect(shown.data).toMatchObject({ kind: "clone", lines: [{ content: sentence }], isListed: false });
    expect(shown.data.roleId).toBe(await firstRoleId(member));
    const written = JSON.stringify(shown.data);
    for (const secret of [member.phone, member.token, taskId, "account:", "files/"])
      expect(written).not.toContain(secret);
    const sound = await fileOf(data.shareId, "sound");
    expect(sound.headers.get("content-type")).toBe("audio/mpeg");
    expect(findMp3Labels(new Uint8Array(await sound.arrayBuffer()))).toHaveLength(1);
    const part = await visitor().file(`/api/v1/share/file?shareId=${data.shareId}&part=sound`, { range: "bytes=0-9" });
    expect([part.status, (await part.arrayBuffer()).byteLength]).toEqual([206, 10]);
  });

  it("show the words without the marks of pauses, readings and stress", async () => {
    const content = "这一行(hang2)都是新到的吗？#0.5#[重读]两斤[/重读]就够。";
    const { data: clone } = await createClone(member, { content, roleId: await firstRoleId(member) });
    await waitForClone(member, clone.taskId);
    const { data } = await share(member, "clone", clone.taskId);
    expect((await read(data.shareId)).data.lines[0]?.content).toBe("这一行都是新到的吗？两斤就够。");
  });

  it("have a preview picture of 1200 by 630", async () => {
    const { taskId } = await speak();
    const { data } = await share(member, "clone", taskId);
    const card = await fileOf(data.shareId, "card");
    expect(card.headers.get("content-type")).toBe("image/png");
    const bytes = Buffer.from(await card.arrayBuffer());
    expect([bytes.readUInt32BE(16), bytes.readUInt32BE(20)]).toEqual([1200, 630]);
  });

  it("exist once per result, list only their owner's, and change whether search engines may list them", async () => {
    const { taskId } = await speak();
    const first = await share(member, "clone", taskId);
    const again = await share(member, "clone", taskId, { isListed: true });
    expect(again.data).toMatchObject({ shareId: first.data.shareId, isListed: true });
    expect((await read(first.data.shareId)).data.isListed).toBe(true);
    const query = `/share/list?kind=clone&id=${taskId}`;
    expect((await member.get<{ list: Share[] }>(query)).data.list).toHaveLength(1);
    expect((await visitor().get<{ list: Share[] }>(query)).data.list).toEqual([]);
  });

  it("end when they are revoked, and get another id when shared again", async () => {
    const { taskId } = await speak();
    const { data } = await share(member, "clone", taskId);
    expect(await visitor().post("/share/revoke", { shareId: data.shareId })).toMatchObject(missing);
    expect((await read(data.shareId)).code).toBe(0);
    expect((await member.post("/share/revoke", { shareId: data.shareId })).code).toBe(0);
    expect((await member.post("/share/revoke", { shareId: data.shareId })).code).toBe(0);
    expect(await read(data.shareId)).toMatchObject({ ...missing, data: { isGone: true } });
    for (const part of ["sound", "card"]) {
      const gone = await fileOf(data.shareId, part);
      expect(gone.headers.get("content-type")).toContain("json");
      await gone.body?.cancel();
    }
    const renewed = await share(member, "clone", taskId);
    expect(renewed.data.shareId).not.toBe(data.shareId);
    expect((await read(renewed.data.shareId)).code).toBe(0);
  });

  it("refuse another owner's result and an unknown one alike", async () => {
    const { taskId } = await speak();
    const other = await logIn(upstream.services);
    for (const id of [taskId, "6f9619ff-8b86-4d01-b42d-00cf4fc964ff", "no-such-id"])
      expect(await share(other, "clone", id)).toMatchObject(missing);
    expect(await share(member, "trial", taskId)).toMatchObject(missing);
    expect(await read("unknown")).toMatchObject(missing);
  });

  it("end with their result", async () => {
    const { taskId } = await speak();
    const { data } = await share(member, "clone", taskId);
    await member.post("/voice/del", { voiceId: taskId });
    expect(await read(data.shareId)).toMatchObject(missing);
    expect((await fileOf(data.shareId, "sound")).headers.get("content-type")).toContain("json");
  });

  it("end with their owner's account", async () => {
    const leaving = await createMember(upstream, "vip");
    const { taskId } = await speak(leaving);
    const { data } = await share(leaving, "clone", taskId);
    expect((await deleteAccount(upstream, leaving)).code).toBe(0);
    expect(await read(data.shareId)).toMatchObject(missing);
  });

  it("of a visitor's trial follow the visitor into an account", async () => {
    const owner = visitor();
    const { data: trial } = await createTrial(owner, { content: sentence, roleId: await firstRoleId(owner) });
    await waitForTrial(owner, trial.taskId);
    const { data } = await share(owner, "trial", trial.taskId);
    expect((await read(data.shareId)).data.lines[0]?.content).toBe(sentence);
    const account = await logIn(upstream.services, { visitor: owner });
    expect((await read(data.shareId)).code).toBe(0);
    expect((await account.post("/share/revoke", { shareId: data.shareId })).code).toBe(0);
    expect(await read(data.shareId)).toMatchObject(missing);
  });

  it("are hidden by reports of three people, of which one address counts once", async () => {
    const { taskId } = await speak();
    const { data } = await share(member, "clone", taskId);
    const report = (reader: Visitor) => reader.post("/share/report", { shareId: data.shareId, reason: "noise" });
    const first = visitor();
    await report(first);
    for (const _ of [1, 2]) await report(createVisitor(upstream.services, { address: first.address }));
    await report(visitor());
    expect((await read(data.shareId)).code).toBe(0);
    await report(visitor());
    expect(await read(data.shareId)).toMatchObject(missing);
  });

  it("are limited in number per visitor and time", async () => {
    const owner = visitor();
    const answers = [];
    for (let i = 0; i < 21; i++) answers.push((await share(owner, "trial", "none")).status);
    expect(answers.slice(0, 20)).not.toContain(429);
    expect(answers.at(-1)).toBe(429);
  });
});
