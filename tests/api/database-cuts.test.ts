import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { CallData } from "~server/contract/calls/table";
import { type Member, withToken } from "../support/account";
import { type Clone, charactersLeft, createClone, listClones, waitForClone } from "../support/clone";
import { createTestPlace, testEngines } from "../support/database";
import { type DatabaseRelay, openDatabaseRelay } from "../support/database-relay";
import { findDownload } from "../support/downloads";
import { createMember } from "../support/member";
import { firstRoleId } from "../support/trial";
import { createVisitor, openTestUpstream, recordingForm, type TestUpstream } from "../support/upstream";

const unavailable = {
  status: 503,
  code: 7,
  msg: "network",
  data: { reason: "network", requestId: expect.any(String) },
};

describe.runIf(testEngines.includes("postgres"))("a commit whose answer is lost", () => {
  let relay: DatabaseRelay;
  let upstream: TestUpstream;
  let member: Member;
  let roleId: string;
  beforeAll(async () => {
    const { place, remove } = await createTestPlace("postgres");
    if (!("url" in place)) throw new Error("no server");
    relay = await openDatabaseRelay(place.url);
    upstream = await openTestUpstream("postgres", {}, { opened: { place: { url: relay.url }, remove } });
    member = await createMember(upstream, "vip");
    roleId = await firstRoleId(member);
  });
  afterAll(async () => {
    await upstream.close();
    await relay.close();
  });

  it("answers 503, and the repeated call finds what it created", async () => {
    const create = () => createClone(member, { content: "说一次。", roleId }, "the-key-of-this-clone");
    relay.loseCommitAfter('insert into "clone"');
    expect(await create()).toEqual(unavailable);
    const { code, data } = await create();
    expect(code).toBe(0);
    const { list } = await listClones(member);
    expect(list.map(({ voiceId }) => voiceId)).toEqual([data.voiceId]);
  });

  it("leaves the file of an upload in place, which the repeated call names", async () => {
    const upload = () =>
      member.upload<CallData<"recordingUpload">>("/file/uploadCustom", recordingForm(), {
        "idempotency-key": "the-key-of-this-file",
      });
    relay.loseCommitAfter('insert into "recording"');
    expect(await upload()).toEqual(unavailable);
    const { code, data } = await upload();
    expect(code).toBe(0);
    expect(await member.statusOf(data.emotionPath)).toBe(200);
  });

  it("leaves the sound of a finished task in place, charged once", async () => {
    upstream.services.startWorker();
    for (const { voiceId } of (await listClones(member)).list) await waitForClone(member, voiceId);
    const before = await charactersLeft(member);
    relay.loseCommitAfter('insert into "rendition"');
    const { data } = await createClone(member, { content: "这句话要留下来。", roleId });
    const clone = await waitForClone(member, data.voiceId);
    expect(clone.status).toBe(2);
    expect(before - (await charactersLeft(member))).toBe(clone.costChar);
    // Ends the worker with all that it does after the error.
    await upstream.restart();
    member = withToken(createVisitor(upstream.services, member), member);
    expect(await member.statusOf(clone.voiceUrl)).toBe(200);
  });

  it("leaves a download in place that was encoded on demand", async () => {
    const { list } = await listClones(member);
    const clone = list.find(({ status }) => status === 2);
    const url = findDownload(clone as Clone, "m4a");
    relay.loseCommitAfter("downloads || ");
    expect(await member.statusOf(url)).toBe(503);
    expect(await member.statusOf(url)).toBe(200);
  });
});
