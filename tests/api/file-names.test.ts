import { sql } from "kysely";
import { describe, expect, it } from "vitest";
import { createEncodings, logout } from "../support/address-encodings";
import { createClone, findClone } from "../support/clone";
import { ruleEngines } from "../support/database";
import { createDub } from "../support/dub";
import { createMember } from "../support/member";
import { createPublicRole, findRole, postRole, uploadPortrait, voiceConsent } from "../support/role";
import { setUpUpstream } from "../support/set-up-upstream";
import { createTrial, uploadVoice } from "../support/trial";
import { createVisitor } from "../support/upstream";

/** Every 23rd encoding, of each escaping; server/contract/file-address.test.ts covers all of them in the parser. */
const sampleEncodings = (ownFile: string) => createEncodings(logout, ownFile).filter((_, index) => index % 23 === 0);

describe.each(ruleEngines)("file addresses in requests on %s", (engine) => {
  const upstream = setUpUpstream(engine);

  const shownAvatar = async (roleId: string) => {
    const visitor = createVisitor(upstream.services);
    // Fresh: these tests change the database themselves.
    const { data } = await visitor.get<{ list: Array<{ roleId: string; avatar: string }> }>(
      "/role/common/list?pageSize=100",
      { "cache-control": "no-cache" },
    );
    return data.list.find((role) => role.roleId === roleId)?.avatar;
  };

  it("are accepted as a role's picture only if they are an own picture's exact address", async () => {
    const member = await createMember(upstream);
    const avatar = await uploadPortrait(member);
    const { roleId } = await createPublicRole(member, { avatar });
    const dressedUp = [`https://api.example.com${avatar}`, `${avatar}?download=1`, avatar.replace(".webp", ".mp3")];
    for (const sent of [...dressedUp, ...sampleEncodings(avatar)]) {
      const { code } = await member.post("/voice/role/update", { roleId, avatar: sent });
      expect(code, sent).not.toBe(0);
    }
    expect((await findRole(member, roleId)).avatar).toBe(avatar);
    expect(await shownAvatar(roleId)).toBe(avatar);
  });

  it("are accepted as a voice or tone only if they are an own recording's exact address", {
    timeout: 600_000,
  }, async () => {
    const member = await createMember(upstream, "svip");
    const voicePath = await uploadVoice(member);
    const { roleId } = await createPublicRole(member);
    for (const [number, sent] of sampleEncodings(voicePath).entries()) {
      const caller = { "x-forwarded-for": `198.18.0.${number}` };
      const consent = { ...voiceConsent, voicePath: sent };
      const line = { content: "你好。", roleId, genre: 1, emotionPath: sent };
      const answers = [
        await member.post("/voice/role/create", { name: "a", voicePath: sent, consent: voiceConsent }, caller),
        await member.post("/voice/role/create", { name: "a", voicePath, consent }, caller),
        await member.post("/voice/try/create", { content: "你好。", voicePath: sent }, caller),
        await member.post("/voice/create", { content: "你好。", voicePath: sent }, caller),
        await member.post("/voice/create", line, caller),
        await member.post("/dubbing/create", { lines: [line] }, caller),
      ];
      expect(
        answers.every(({ code }) => code !== 0),
        sent,
      ).toBe(true);
    }
  });

  it("are built from the file id, also if older versions stored an address", async () => {
    const member = await createMember(upstream, "svip");
    const avatar = await uploadPortrait(member);
    const { roleId } = await createPublicRole(member, { avatar });
    const db = upstream.database();
    const stored = `/%61pi/v1/users/logout?x=${avatar}`;
    await sql`update role set avatar = ${stored} where id = ${roleId}`.execute(db);
    expect(await shownAvatar(roleId)).toBe(avatar);
    await sql`update role set avatar = '/api/v1/users/logout' where id = ${roleId}`.execute(db);
    expect(await shownAvatar(roleId)).toBe("");

    const voicePath = await uploadVoice(member);
    const emotionPath = await uploadVoice(member);
    const { data } = await createClone(member, { content: "你好。", voicePath, genre: 1, emotionPath });
    expect(await findClone(member, data.taskId)).toMatchObject({ voicePath, emotionPath });
    const dub = await createDub(member, { lines: [{ content: "你好。", roleId, genre: 1, emotionPath }] });
    expect(dub.data.lines[0]).toMatchObject({ emotionPath });
    expect((await createTrial(member, { content: "你好。", voicePath })).code).toBe(0);
    expect((await postRole(member, { name: "a", voicePath, consent: voiceConsent })).code).toBe(0);
  });
});
