import { sql } from "kysely";
import { describe, expect, it, vi } from "vitest";
import { deleteAccount } from "../support/account";
import { createClone } from "../support/clone";
import { ruleEngines } from "../support/database";
import { createMember, type TieredMember } from "../support/member";
import { bytesOnDisk, bytesSince, createRole, waitForRole } from "../support/role";
import { setUpUpstream } from "../support/set-up-upstream";
import { createTrial, firstRoleId, uploadVoice } from "../support/trial";

/** Deletes an account while its tasks run. */
describe.each(ruleEngines)("an account deleted during a task on %s", (engine) => {
  const upstream = setUpUpstream(engine);

  const live = async (...kinds: string[]) => {
    const jobs = upstream.database().selectFrom("job").select("id").where("kind", "in", kinds);
    return (await jobs.where("state", "in", ["ready", "active"]).execute()).length;
  };
  const spoken = async () => {
    const kept = (await upstream.database().selectFrom("segment").select("key").execute()).map(({ key }) => key);
    const stored = (await bytesOnDisk(upstream)).filter((key) => key.startsWith("blobs/"));
    return [...kept.map((key) => `blobs/${key}`), ...stored];
  };
  const eventually = (act: () => Promise<void>) => vi.waitFor(act, { timeout: 150_000, interval: 50 });

  type Make = (member: TieredMember, own: { roleId: string; voicePath: string; seededId: string }) => Promise<unknown>;
  const trial: Make = (who, { voicePath }) => createTrial(who, { content: "试到一半。就走了。", voicePath });
  const clone: Make = (who, { roleId }) => createClone(who, { content: "说到一半。就走了。", roleId });
  const tone: Make = (who, { seededId: roleId, voicePath: emotionPath }) =>
    createClone(who, { content: "学到一半。就走了。", roleId, genre: 1, emotionPath });
  const reading: Make = (who, { roleId }) => who.post("/script/sample", { content: "读到一半。就走了。", roleId });

  it.each([
    { what: "trial", moment: "learned", make: trial },
    { what: "trial", moment: "spoken", make: trial },
    { what: "clone", moment: "spoken", make: clone },
    { what: "tone", moment: "learned", make: tone },
    { what: "tone", moment: "spoken", make: tone },
    { what: "reading", moment: "spoken", make: reading },
  ] as const)("leaves no data of a $what that has just been $moment", async ({ moment, make }) => {
    await eventually(async () => expect(await live("trial", "clone", "role")).toBe(0));
    const member = await createMember(upstream, "svip");
    const [before, spokenBefore] = [await bytesOnDisk(upstream), await spoken()];
    const { roleId } = await createRole(member);
    await waitForRole(member, roleId);
    const own = { roleId, voicePath: await uploadVoice(member), seededId: await firstRoleId(member) };
    let receipt: unknown;
    upstream.speech.meanwhile[moment] = async () => {
      upstream.speech.meanwhile[moment] = undefined;
      receipt = await deleteAccount(upstream, member);
    };
    // Under load a reading may not have started, so nothing was spoken.
    const tries = make === reading ? 5 : 1;
    for (let tried = 0; tried < tries && !receipt; tried++) await make(member, own);
    await eventually(async () => {
      expect(receipt).toMatchObject({ code: 0, data: { removed: { roles: 1 } } });
      expect(await live("trial", "clone", "role")).toBe(0);
      expect((await spoken()).filter((key) => !spokenBefore.includes(key))).toEqual([]);
    });
    // The second pass removes data written after the deletion.
    await sql`update job set run_at = now() where kind = 'account-erase'`.execute(upstream.database());
    await eventually(async () =>
      expect([await live("account-erase"), await bytesSince(upstream, before)]).toEqual([0, []]),
    );
  });
});
