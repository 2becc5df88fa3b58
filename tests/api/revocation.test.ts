import { describe, expect, it, vi } from "vitest";
import type { CallData } from "~server/contract/calls/table";
import { charactersLeft, createClone, findClone, listClones, waitForClone } from "../support/clone";
import { ruleEngines } from "../support/database";
import { createMember, type TieredMember } from "../support/member";
import {
  bytesOnDisk,
  bytesSince,
  createPublicRole,
  createRole,
  listRoles,
  postRole,
  voiceConsent,
  waitForRole,
} from "../support/role";
import { setUpUpstream } from "../support/set-up-upstream";
import { uploadVoice } from "../support/trial";
import { createVisitor } from "../support/upstream";

type Receipt = CallData<"roleRevoke">;
type Verified = CallData<"verify">;

describe.each(ruleEngines)("a revoked consent on %s", (engine) => {
  const upstream = setUpUpstream(engine);

  const revoke = (who: TieredMember, roleId: string, key?: string) =>
    who.post<Receipt>("/voice/role/revoke", { roleId }, key ? { "idempotency-key": key } : {});
  const verify = async (receipt: object) => {
    const form = new FormData();
    form.append("file", new Blob([JSON.stringify(receipt, null, 2)]), "receipt.json");
    const { data } = await createVisitor(upstream.services).upload<Verified>("/verify", form);
    return data.receipt;
  };
  const waitUntilErased = (receipt: Receipt) =>
    vi.waitFor(async () => expect(await verify(receipt)).toMatchObject({ isErased: true }), {
      timeout: 60_000,
      interval: 100,
    });

  it("deletes recording, profile, roles and outputs, and issues a receipt that verify confirms", async () => {
    const before = await bytesOnDisk(upstream);
    const member = await createMember(upstream, "vip");
    const voicePath = await uploadVoice(member);
    const [first, second] = [
      await postRole(member, { name: "a", voicePath, consent: voiceConsent }),
      await postRole(member, { name: "b", voicePath, consent: voiceConsent }),
    ];
    await waitForRole(member, second.data.roleId);
    const { roleId, voiceUrl } = await waitForRole(member, first.data.roleId);
    const byRole = await createClone(member, { content: "数字人说的话。", roleId });
    const byVoice = await createClone(member, { content: "录音说的话。", voicePath });
    const spoken = [];
    for (const { data } of [byRole, byVoice]) spoken.push((await waitForClone(member, data.voiceId)).voiceUrl);
    const { code, data: receipt } = await revoke(member, roleId);
    expect(code).toBe(0);
    expect(receipt).toMatchObject({
      by: "owner",
      removed: { roles: 2, recordings: 1, profiles: 1, outputs: 2, vendorVoices: 0 },
      revokedAt: expect.stringMatching(/\+08:00$/),
    });
    for (const url of [voicePath, voiceUrl, ...spoken]) expect(await member.statusOf(url)).toBe(404);
    expect((await listRoles(member)).total).toBe(0);
    expect((await listClones(member)).total).toBe(0);
    await waitUntilErased(receipt);
    expect(await bytesSince(upstream, before)).toEqual([]);
    const { receiptId, revokedAt } = receipt;
    expect(await verify(receipt)).toEqual({ receiptId, revokedAt, signature: "valid", isErased: true });
  });

  it("is proven by its receipt alone: a changed one is reported", async () => {
    const member = await createMember(upstream);
    const { roleId } = await createRole(member);
    await waitForRole(member, roleId);
    const { data: receipt } = await revoke(member, roleId);
    const more = { ...receipt, removed: { ...receipt.removed, outputs: 7 } };
    for (const changed of [
      more,
      { ...receipt, by: "operator" },
      { ...receipt, revokedAt: "2020-01-01T00:00:00+08:00" },
    ])
      expect(await verify(changed)).toMatchObject({ signature: "changed" });
    expect(await verify({ ...receipt, signature: "" })).toMatchObject({ signature: "unsigned" });
    const reordered = Object.fromEntries(Object.entries(receipt).reverse());
    expect(await verify(reordered)).toMatchObject({ signature: "valid" });
  });

  it("stops queued and running tasks of every account, and releases their reservations", async () => {
    const owner = await createMember(upstream, "vip");
    const { roleId } = await createPublicRole(owner);
    const other = await createMember(upstream, "vip");
    const left = await charactersLeft(other);
    const release = upstream.speech.hold();
    try {
      const running = await createClone(other, { content: "正在说的话。还没有说完。", roleId });
      await vi.waitFor(async () => {
        expect((await findClone(other, running.data.taskId)).segTotal).toBeGreaterThan(0);
      }, 60_000);
      const { data } = await revoke(owner, roleId);
      expect(data.removed.outputs).toBe(1);
    } finally {
      release();
    }
    expect((await listClones(other)).total).toBe(0);
    expect(await charactersLeft(other)).toBe(left);
    expect((await createClone(other, { content: "再说一句。", roleId })).msg).toBe("voice-missing");
  });

  it("answers like a missing role to other accounts, and the same receipt to a repetition", async () => {
    const member = await createMember(upstream);
    const { roleId } = await createRole(member);
    await waitForRole(member, roleId);
    expect(await revoke(await createMember(upstream), roleId)).toMatchObject({ code: 7, msg: "not-found" });
    const [one, again] = await Promise.all([revoke(member, roleId, "key"), revoke(member, roleId, "key")]);
    expect(one.data).toEqual(again.data);
    expect((await revoke(member, roleId)).msg).toBe("not-found");
    const stranger = createVisitor(upstream.services);
    expect(await stranger.post("/voice/role/revoke", { roleId })).toMatchObject({ code: 5 });
  });

  it("deletes the bytes after a crash between the commit and the deletion", async () => {
    const before = await bytesOnDisk(upstream);
    const member = await createMember(upstream);
    const { roleId, voicePath } = await createRole(member);
    await waitForRole(member, roleId);
    // Without a worker, as if its process died at the commit.
    await upstream.restart();
    const { token } = member;
    const later = createVisitor(upstream.services);
    const { data: receipt } = await later.post<Receipt>("/voice/role/revoke", { roleId }, { token });
    expect(await later.statusOf(voicePath, { token })).toBe(404);
    expect(await verify(receipt)).toMatchObject({ signature: "valid", isErased: false });
    expect(await bytesSince(upstream, before)).not.toEqual([]);
    await upstream.restart();
    upstream.services.startWorker();
    await waitUntilErased(receipt);
    // Work of the tests before, which the restarts interrupted, may end and be swept meanwhile.
    await expect.poll(() => bytesSince(upstream, before)).toEqual([]);
  });
});
