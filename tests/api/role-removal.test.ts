import { describe, expect, it, vi } from "vitest";
import { deleteAccount } from "../support/account";
import { createClone, listClones, waitForClone } from "../support/clone";
import { ruleEngines } from "../support/database";
import { createMember, type TieredMember } from "../support/member";
import {
  bytesOnDisk,
  bytesSince,
  createPublicRole,
  createRole,
  findRole,
  listRoles,
  postRole,
  uploadPortrait,
  voiceConsent,
  waitForRole,
} from "../support/role";
import { setUpUpstream } from "../support/set-up-upstream";
import { createTrial, sentence, trialResult, uploadVoice, waitForTrial } from "../support/trial";
import { createVisitor } from "../support/upstream";

describe.each(ruleEngines)("a deleted role on %s", (engine) => {
  const upstream = setUpUpstream(engine);

  const remove = (who: TieredMember, body: object) => who.post("/voice/role/del", body);
  const kept = async (member: TieredMember) => {
    const owner = `account:${member.accountId}`;
    const rows: Record<string, number> = {};
    for (const table of ["role", "recording", "rendition", "media_file", "clone", "trial"] as const) {
      rows[table] = (
        await upstream.database().selectFrom(table).select("id").where("owner", "=", owner).execute()
      ).length;
    }
    const consents = upstream.database().selectFrom("role_consent").select("role_id");
    rows.role_consent = (await consents.where("account_id", "=", member.accountId).execute()).length;
    return rows;
  };
  const slowly = async (act: () => Promise<void>) => {
    upstream.speech.faults.delayMs = 400;
    await act().finally(() => {
      upstream.speech.faults.delayMs = 0;
    });
  };
  const nothing = { role: 0, recording: 0, rendition: 0, media_file: 0, clone: 0, trial: 0, role_consent: 0 };

  it("leaves no row and no file, and its preview reports what will be removed", async () => {
    const before = await bytesOnDisk(upstream);
    const member = await createMember(upstream, "vip");
    const [avatar, read] = [await uploadPortrait(member), await uploadVoice(member)];
    const { roleId } = await createRole(member, { avatar, consent: { ...voiceConsent, voicePath: read } });
    const { voicePath, voiceUrl, timelineUrl } = await waitForRole(member, roleId);
    const clone = await createClone(member, { content: "它说的话。", roleId });
    const { voiceUrl: spoken } = await waitForClone(member, clone.data.voiceId);
    const trial = await createTrial(member, { content: "它也说这个。", roleId });
    const { voiceUrl: tried } = await waitForTrial(member, trial.data.taskId);
    expect((await findRole(member, roleId)).outputs).toBe(2);
    expect((await bytesOnDisk(upstream)).length).toBeGreaterThan(before.length + 8);
    expect(await remove(member, { roleId })).toMatchObject({ status: 200, code: 0 });
    expect(await kept(member)).toEqual(nothing);
    expect(await bytesSince(upstream, before)).toEqual([]);
    for (const url of [avatar, read, voicePath, voiceUrl, timelineUrl, spoken, tried]) {
      expect(await member.statusOf(url)).toBe(404);
    }
    expect(await listClones(member)).toMatchObject({ total: 0 });
    expect(await remove(member, { roleId })).toMatchObject({ code: 0 });
  });

  it("keeps data used by another role of its owner", async () => {
    const member = await createMember(upstream);
    const [avatar, voicePath] = [await uploadPortrait(member), await uploadVoice(member)];
    const body = { name: "a", voicePath, avatar, consent: { ...voiceConsent, voicePath } };
    const [first, second] = [await postRole(member, body), await postRole(member, body)];
    await waitForRole(member, first.data.roleId);
    await waitForRole(member, second.data.roleId);
    await remove(member, { roleId: first.data.roleId });
    expect(await member.statusOf(avatar)).toBe(200);
    expect(await member.statusOf(voicePath)).toBe(200);
    expect(await createTrial(member, { content: sentence, roleId: second.data.roleId })).toMatchObject({ code: 0 });
    await remove(member, { ids: [second.data.roleId] });
    expect(await member.statusOf(voicePath)).toBe(404);
    expect(await kept(member)).toEqual(nothing);
  });

  it("keeps a recording while a running trial uses it", async () => {
    const member = await createMember(upstream);
    const voicePath = await uploadVoice(member);
    const { data: role } = await postRole(member, { name: "a", voicePath, consent: voiceConsent });
    await waitForRole(member, role.roleId);
    const release = upstream.speech.hold();
    const { taskId } = (await createTrial(member, { content: "正在说的话。还没有说完。", voicePath })).data;
    await vi.waitFor(async () => expect((await trialResult(member, taskId)).data.segTotal).toBeGreaterThan(0), 150_000);
    await remove(member, { roleId: role.roleId });
    expect(await createTrial(member, { content: sentence, voicePath })).toMatchObject({ msg: "voice-missing" });
    expect((await kept(member)).recording).toBe(1);
    release();
    expect(await waitForTrial(member, taskId)).toMatchObject({ status: 2 });
    // The next deletion or the hourly sweep removes the rest.
    const other = await createRole(member);
    await remove(member, { roleId: other.roleId });
    expect((await kept(member)).recording).toBe(0);
    expect((await trialResult(member, taskId)).data.status).toBe(2);
  });

  it("stops enrolment and keeps none of its data", async () => {
    const before = await bytesOnDisk(upstream);
    const member = await createMember(upstream);
    await slowly(async () => {
      const { roleId } = await createRole(member);
      await remove(member, { roleId });
    });
    await vi.waitFor(
      async () => {
        const live = upstream
          .database()
          .selectFrom("job")
          .select("id")
          .where("kind", "=", "role")
          .where("state", "in", ["ready", "active"]);
        expect(await live.execute()).toEqual([]);
        expect(await bytesSince(upstream, before)).toEqual([]);
      },
      { timeout: 150_000, interval: 100 },
    );
    expect(await kept(member)).toEqual(nothing);
  });

  it("can be deleted by its owner only, and a request without ids is refused", async () => {
    const [member, stranger] = [await createMember(upstream), await createMember(upstream)];
    const [one, two] = [await createRole(member), await createRole(member)];
    const seeded = await upstream.database().selectFrom("role").select("id").where("owner", "is", null).execute();
    const ids = [one.roleId, seeded[0]?.id ?? "", "nothing", one.roleId];
    expect(await remove(stranger, { ids })).toMatchObject({ status: 200, code: 0 });
    expect((await listRoles(member)).total).toBe(2);
    expect(await remove(member, { ids: [...ids, two.roleId] })).toMatchObject({ code: 0 });
    expect((await listRoles(member)).total).toBe(0);
    const still = upstream.database().selectFrom("role").select("id").where("owner", "is", null);
    expect(await still.execute()).toHaveLength(seeded.length);
    expect(await remove(member, {})).toMatchObject({ status: 400, msg: "bad-request" });
  });

  it("keeps what other accounts created with it while it was public", async () => {
    const [member, other] = [await createMember(upstream), createVisitor(upstream.services)];
    const { roleId } = await createPublicRole(member);
    const trial = await createTrial(other, { content: sentence, roleId });
    const { voiceUrl } = await waitForTrial(other, trial.data.taskId);
    expect((await findRole(member, roleId)).outputs).toBe(0);
    await remove(member, { roleId });
    expect(await other.statusOf(voiceUrl)).toBe(200);
    expect((await trialResult(other, trial.data.taskId)).data.status).toBe(2);
    expect(await createTrial(other, { content: sentence, roleId })).toMatchObject({ msg: "voice-missing" });
  });

  it("is deleted with its account and counted in the receipt", async () => {
    const before = await bytesOnDisk(upstream);
    const member = await createMember(upstream);
    const { roleId } = await createRole(member, { avatar: await uploadPortrait(member) });
    await waitForRole(member, roleId);
    await createRole(member);
    const receipt = await deleteAccount(upstream, member);
    expect(receipt).toMatchObject({ code: 0, data: { removed: { roles: 2, clones: 0, dubs: 0 } } });
    expect(await kept(member)).toEqual(nothing);
    await vi.waitFor(async () => expect(await bytesSince(upstream, before)).toEqual([]), {
      timeout: 150_000,
      interval: 100,
    });
  });

  it("leaves no data after concurrent deletions and creations", async () => {
    const member = await createMember(upstream, "vip");
    const voicePath = await uploadVoice(member);
    const body = { name: "a", voicePath: await uploadVoice(member), consent: voiceConsent };
    const { data } = await postRole(member, body);
    await Promise.all([
      ...Array.from({ length: 4 }, () => remove(member, { roleId: data.roleId })),
      ...Array.from({ length: 4 }, () => postRole(member, { ...body, voicePath })),
    ]);
    const { list, total } = await listRoles(member);
    expect(total).toBe(4);
    expect(list.every(({ voicePath: own }) => own === voicePath)).toBe(true);
    await remove(member, { ids: list.map(({ roleId }) => roleId) });
    // A worker that is learning one of the voices drops what it has made when it notices the deletion.
    await vi.waitFor(async () => expect(await kept(member)).toEqual(nothing), { timeout: 60_000, interval: 50 });
  });
});
