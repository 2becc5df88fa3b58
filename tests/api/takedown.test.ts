import { randomUUID } from "node:crypto";
import { describe, expect, it, vi } from "vitest";
import { createQueue } from "~server/upstream/jobs/queue";
import { createTakedowns, type Takedown } from "~server/upstream/voices/takedowns";
import { createClone, listClones, waitForClone } from "../support/clone";
import { ruleEngines } from "../support/database";
import { createMember, type TieredMember } from "../support/member";
import { listRoles, postRole, voiceConsent, waitForRole } from "../support/role";
import { setUpUpstream } from "../support/set-up-upstream";
import { speechLike } from "../support/sounds";
import { recordingForm } from "../support/upstream";

const person = (seed: number) => speechLike({ seconds: 8, seed, pitchHz: 120 });
const otherPerson = (seed: number) => speechLike({ seconds: 8, seed, pitchHz: 260 });

describe.each(ruleEngines)("a voice taken down by an operator on %s", (engine) => {
  const upstream = setUpUpstream(engine);

  const operate = () =>
    createTakedowns({ db: upstream.database(), queue: createQueue() }, { operator: "li", reason: "complaint 7" });
  const find = async (id: string): Promise<Takedown> => {
    const found = (await operate().list()).find((takedown) => takedown.id === id);
    if (!found) throw new Error(`no takedown ${id}`);
    return found;
  };
  const takeDown = async (roleId: string) => {
    const id = await operate().request(roleId);
    await vi.waitFor(async () => expect((await find(id)).doneAt).not.toBeNull(), { timeout: 60_000, interval: 100 });
    return find(id);
  };
  const upload = (member: TieredMember, sound = person(5)) =>
    member.upload<{ voicePath: string }>("/file/uploadCustom", recordingForm(sound));
  const roleOf = async (member: TieredMember, sound = person(3)) => {
    const { data } = await upload(member, sound);
    const role = await postRole(member, { name: "a", voicePath: data.voicePath, consent: voiceConsent });
    await waitForRole(member, role.data.roleId);
    return { roleId: role.data.roleId, voicePath: data.voicePath };
  };
  const liftAll = async () => {
    for (const { id, isBlocking } of await operate().list()) if (isBlocking) await operate().lift(id);
  };

  it("is erased with the outputs of every account, and refused in a new recording of any account until lifted", async () => {
    const member = await createMember(upstream, "vip");
    const { roleId, voicePath } = await roleOf(member);
    const { data } = await createClone(member, { content: "数字人说的话。", roleId });
    const { voiceUrl } = await waitForClone(member, data.voiceId);
    const done = await takeDown(roleId);
    expect(done).toMatchObject({ failure: null, isBlocking: true, refusals: 0, receiptId: expect.any(String) });
    for (const url of [voicePath, voiceUrl]) expect(await member.statusOf(url)).toBe(404);
    expect([(await listRoles(member)).total, (await listClones(member)).total]).toEqual([0, 0]);
    const other = await createMember(upstream);
    expect(await upload(other)).toMatchObject({ code: 7, msg: "voice-blocked" });
    expect(await upload(member)).toMatchObject({ code: 7, msg: "voice-blocked" });
    expect((await upload(other, otherPerson(5))).code).toBe(0);
    expect((await find(done.id)).refusals).toBe(2);
    await operate().lift(done.id);
    expect((await upload(other)).code).toBe(0);
    await expect(operate().lift(done.id)).rejects.toMatchObject({ code: "not-found" });
    expect(await find(done.id)).toMatchObject({ isBlocking: false, liftedAt: expect.any(Date) });
  });

  it("is not learned from a recording that was uploaded before the block", async () => {
    const other = await createMember(upstream);
    const { data } = await upload(other);
    const { roleId } = await roleOf(await createMember(upstream));
    await takeDown(roleId);
    const role = await postRole(other, { name: "b", voicePath: data.voicePath, consent: voiceConsent });
    expect(await waitForRole(other, role.data.roleId)).toMatchObject({ status: 3, reason: "voice-blocked" });
    await liftAll();
  });

  it("keeps no voiceprint in plain, and an audit row of each act", async () => {
    const { roleId } = await roleOf(await createMember(upstream));
    const { id } = await takeDown(roleId);
    const db = upstream.database();
    const row = db.selectFrom("voice_takedown").select("voiceprint_sealed").where("id", "=", id);
    const { voiceprint_sealed } = await row.executeTakeFirstOrThrow();
    expect(() => JSON.parse(String(voiceprint_sealed))).toThrow();
    await operate().lift(id);
    const audits = db.selectFrom("audit").select(["action", "operator", "detail"]).where("target", "in", [roleId, id]);
    const detail = { reason: "complaint 7" };
    expect(await audits.orderBy("created_at").execute()).toEqual([
      { action: "take-down-voice", operator: "li", detail },
      { action: "lift-voice", operator: "li", detail },
    ]);
  });

  it("is requested once while it is queued, and not for a missing role", async () => {
    const { roleId } = await roleOf(await createMember(upstream), otherPerson(3));
    await upstream.restart();
    const first = await operate().request(roleId);
    expect(await operate().request(roleId)).toBe(first);
    expect(await find(first)).toMatchObject({ doneAt: null, isBlocking: false });
    await expect(operate().request(randomUUID())).rejects.toMatchObject({ code: "not-found" });
  });
});
