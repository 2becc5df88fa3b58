import { sql } from "kysely";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { CallData } from "~server/contract/calls/table";
import { consentStatementFor } from "~server/contract/consent";
import { countCharacters } from "~server/contract/marks";
import { type SpeechChunk, type SpeechEngine, SpeechError } from "~server/speech/engine";
import { createFallback } from "~server/speech/engines/fallback";
import { createDashScopeBackend } from "~server/speech/engines/hosted/dashscope";
import { createMiniMaxBackend } from "~server/speech/engines/hosted/minimax";
import { createRemoteEngine } from "~server/speech/engines/remote/remote-engine";
import { withTimeline } from "~server/speech/engines/timeline";
import { master } from "~server/speech/mastering";
import { createVendorVoices } from "~server/upstream/voices/vendor-voices";
import { deleteAccount } from "../support/account";
import { charactersLeft, createClone, waitForClone } from "../support/clone";
import { ruleEngines } from "../support/database";
import { createMember } from "../support/member";
import { createRole, waitForRole } from "../support/role";
import { createDashScope } from "../support/speech-servers/dashscope";
import { createMiniMax } from "../support/speech-servers/minimax";
import { startVendor, type Vendor } from "../support/speech-servers/vendor";
import { createToneSpeech } from "../support/tone-engine";
import { openTestUpstream, type TestUpstream } from "../support/upstream";

const noAlignment = async () => {
  throw new SpeechError("engine", "alignment is not available");
};

describe.each(ruleEngines)("a voice that a vendor keeps, on %s", (database) => {
  // Ready at once: waiting for a new voice is a subject of hosted.test.ts.
  const { protocol, voices } = createDashScope({ deployingQueries: 0 });
  const tone = createToneSpeech();
  let vendor: Vendor;
  let upstream: TestUpstream;
  let speech: typeof tone;
  beforeAll(async () => {
    vendor = await startVendor(protocol);
    const near = await tone.engine();
    const backend = createDashScopeBackend({ url: vendor.url, apiKey: protocol.apiKey, model: "m" });
    const limits = { concurrency: 2, maxQueue: 64, timeoutMs: 5000 };
    const far = withTimeline(createRemoteEngine(backend, { ...limits, align: noAlignment }), noAlignment);
    const engine = createFallback({ engines: [far, near], designer: near, failures: 99 });
    speech = { ...tone, engine: async () => engine, master: async (chunks) => master(chunks) };
    upstream = await openTestUpstream(database, { speech });
    upstream.services.startWorker();
  });
  beforeEach(() => vendor.behave("good"));
  afterAll(async () => {
    await upstream.close();
    await vendor.close();
  });

  const learn = async (hasVendors = true) => {
    const member = await createMember(upstream, "svip");
    const { roleId } = await createRole(member, { consent: { statementId: consentStatementFor(hasVendors) } });
    expect(await waitForRole(member, roleId)).toMatchObject({ status: 2 });
    return { member, roleId };
  };
  const spokenBy = async ({ member, roleId }: Awaited<ReturnType<typeof learn>>, content: string) => {
    const { data } = await createClone(member, { content, roleId });
    expect(await waitForClone(member, data.voiceId)).toMatchObject({ status: 2 });
    const made = upstream.database().selectFrom("clone").innerJoin("rendition", "rendition.id", "clone.rendition_id");
    const row = await made.select("spoken_by").where("clone.id", "=", data.voiceId).executeTakeFirstOrThrow();
    return row.spoken_by;
  };
  const rows = () => upstream.database().selectFrom("vendor_voice").selectAll().execute();
  /** Deletes as after the waiting time. */
  const sweep = async () => {
    await upstream.database().updateTable("vendor_voice").set({ due_at: sql<Date>`now()` }).execute();
    await createVendorVoices({ db: upstream.database(), speech }).sweep();
  };

  it("speaks the role's texts, and stays while the role does", async () => {
    const role = await learn();
    expect(await spokenBy(role, "你好，很高兴见到你。")).toBe("dashscope@1:m");
    await sweep();
    expect([voices.size, (await rows()).length]).toEqual([1, 1]);
    await role.member.post("/voice/role/del", { roleId: role.roleId });
    await sweep();
    expect([voices.size, (await rows()).length]).toEqual([0, 0]);
  });

  it("does not exist without consent to vendors, and is learned when its owner agrees", async () => {
    const role = await learn(false);
    expect(voices.size).toBe(0);
    expect(await spokenBy(role, "没有同意，就不发送录音。")).not.toContain("dashscope");
    const { roleId, member } = role;
    const agree = (isVendor: boolean) =>
      member.post("/voice/role/update", { roleId, consent: { statementId: consentStatementFor(isVendor) } });
    expect(await agree(false)).toMatchObject({ code: 7, data: { reason: "consent-missing" } });
    expect(await agree(true)).toMatchObject({ code: 0 });
    expect(await waitForRole(member, roleId)).toMatchObject({ status: 2, isVendorAgreed: true, isFeeAccepted: false });
    expect(await spokenBy(role, "同意以后，由云端来说。")).toBe("dashscope@1:m");
    await member.post("/voice/role/del", { roleId });
    await sweep();
    expect([voices.size, (await rows()).length]).toEqual([0, 0]);
  });

  it("is learned again from the kept recording where the vendor lost it, at no charge", async () => {
    const role = await learn();
    const before = await charactersLeft(role.member);
    voices.clear();
    const content = "服务商丢了声音，就再学一次。";
    expect(await spokenBy(role, content)).toBe("dashscope@1:m");
    expect(before - (await charactersLeft(role.member))).toBe(countCharacters(content));
    expect([voices.size, (await rows()).filter(({ recording_id }) => recording_id).length]).toEqual([1, 1]);
    await role.member.post("/voice/role/del", { roleId: role.roleId });
    await sweep();
  });

  it("is spoken by the next engine where it cannot be learned again, and later by the vendor", async () => {
    const role = await learn();
    voices.clear();
    vendor.refuseVoices(true);
    expect(await spokenBy(role, "学不回来的时候，换一个引擎。")).not.toContain("dashscope");
    vendor.refuseVoices(false);
    expect(await spokenBy(role, "过一会儿，它又回来了。")).toBe("dashscope@1:m");
    await role.member.post("/voice/role/del", { roleId: role.roleId });
    await sweep();
  });

  it("is deleted with the account, as soon as the vendor answers again", async () => {
    const { member } = await learn();
    await deleteAccount(upstream, member);
    vendor.refuseVoices(true);
    await sweep();
    expect([voices.size, (await rows())[0]?.attempts]).toEqual([1, 1]);
    vendor.refuseVoices(false);
    await sweep();
    expect([voices.size, (await rows()).length]).toEqual([0, 0]);
  });

  it("is deleted after its consent was taken back, asked for again until the vendor answers", async () => {
    const { member, roleId } = await learn();
    vendor.refuseVoices(true);
    const { data } = await member.post<CallData<"roleRevoke">>("/voice/role/revoke", { roleId });
    expect(data.removed.vendorVoices).toBe(1);
    await sweep();
    await sweep();
    expect(voices.size).toBe(1);
    // The job of the revocation may have asked as well.
    expect((await rows())[0]?.attempts).toBeGreaterThanOrEqual(2);
    vendor.refuseVoices(false);
    await sweep();
    expect([voices.size, (await rows()).length]).toEqual([0, 0]);
  });

  it("is learned at the next use where the vendor did not answer before", async () => {
    vendor.refuseVoices(true);
    const role = await learn();
    expect(voices.size).toBe(0);
    vendor.refuseVoices(false);
    expect(await spokenBy(role, "现在由云端的声音来说。")).toBe("dashscope@1:m");
    await sweep();
    expect([voices.size, (await rows()).length]).toEqual([1, 1]);
    await role.member.post("/voice/role/del", { roleId: role.roleId });
    await sweep();
  });

  it("is deleted where the server stopped before it stored the profile", async () => {
    const { member, roleId } = await learn();
    const lost = { profile_key: null, profile_sealed: null };
    await upstream.database().updateTable("recording").set(lost).execute();
    await spokenBy({ member, roleId }, "再学一次这个声音。");
    expect(voices.size).toBe(2);
    await sweep();
    expect([voices.size, (await rows()).length]).toEqual([1, 1]);
  });
});

describe("a voice of a vendor that bills its first use", () => {
  const { protocol, voices } = createMiniMax();
  const tone = createToneSpeech();
  const engines: SpeechEngine[] = [];
  const speech = {
    ...tone,
    engine: async () => engines[0] as SpeechEngine,
    master: async (chunks: SpeechChunk[]) => master(chunks),
  };
  let vendor: Vendor;
  let upstream: TestUpstream;
  beforeAll(async () => {
    vendor = await startVendor(protocol);
    const near = await tone.engine();
    const backend = createMiniMaxBackend({ url: vendor.url, apiKey: protocol.apiKey, model: "m" });
    const limits = { concurrency: 2, maxQueue: 64, timeoutMs: 5000 };
    const far = withTimeline(createRemoteEngine(backend, { ...limits, align: noAlignment }), noAlignment);
    engines.push(createFallback({ engines: [far, near], designer: near, failures: 99 }));
    engines.push(createFallback({ engines: [far], designer: near, failures: 99 }));
    upstream = await openTestUpstream("embedded", { speech });
    upstream.services.startWorker();
  });
  afterAll(async () => {
    await upstream.close();
    await vendor.close();
  });
  const states = () => [...voices.values()].map(({ isActive }) => isActive);
  const consent = (acceptFee: boolean) => ({ statementId: consentStatementFor(true), acceptFee });

  it("is never used without its owner's acceptance, and is learned again and used with it", async () => {
    const member = await createMember(upstream, "svip");
    const { roleId } = await createRole(member, { consent: consent(false) });
    expect(await waitForRole(member, roleId)).toMatchObject({ status: 2, isVendorAgreed: true, isFeeAccepted: false });
    const first = await createClone(member, { content: "还没有同意付费。", roleId });
    expect(await waitForClone(member, first.data.voiceId)).toMatchObject({ status: 2 });
    expect(states()).toEqual([false]);
    expect(await member.post("/voice/role/update", { roleId, consent: consent(true) })).toMatchObject({ code: 0 });
    expect(await waitForRole(member, roleId)).toMatchObject({ status: 2, isFeeAccepted: true });
    expect(states()).toEqual([false, true]);
  });

  it("fails with voice-lost, without a charge, if no other engine may replace it", async () => {
    const member = await createMember(upstream, "svip");
    engines.reverse();
    const { roleId } = await createRole(member, { consent: consent(true) });
    expect(await waitForRole(member, roleId)).toMatchObject({ status: 2 });
    const before = await charactersLeft(member);
    voices.clear();
    vendor.refuseVoices(true);
    const { data } = await createClone(member, { content: "声音已经丢了。", roleId });
    expect(await waitForClone(member, data.voiceId)).toMatchObject({ status: 3, reason: "voice-lost" });
    expect(await charactersLeft(member)).toBe(before);
    vendor.refuseVoices(false);
  });
});
