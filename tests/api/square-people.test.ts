import { describe, expect, it } from "vitest";
import { showFiles } from "~server/upstream/media/files";
import { createReviews } from "~server/upstream/square/reviews";
import type { SquareRole } from "~server/upstream/square/roles";
import { createShowRole } from "~server/upstream/voices/roles/appearance";
import { deleteAccount, logIn } from "../support/account";
import { createClone, findClone } from "../support/clone";
import { ruleEngines } from "../support/database";
import { createDub, findDub } from "../support/dub";
import { createMember } from "../support/member";
import { waitForRateWindow } from "../support/rate-window";
import { createPublicRole, createRole, findRole, publishRole, uploadPortrait, waitForRole } from "../support/role";
import { setUpUpstream } from "../support/set-up-upstream";
import { createTrial, firstRoleId, sentence, waitForTrial } from "../support/trial";
import { createVisitor, type Visitor } from "../support/upstream";

type List = { list: SquareRole[]; total: number };

describe.each(ruleEngines)("accounts' roles on the square on %s", (engine) => {
  const upstream = setUpUpstream(engine);

  const visitor = () => createVisitor(upstream.services);
  // Fresh: the operators of these tests work beside the server, as in another process.
  const find = async (query: Record<string, string>) =>
    (await visitor().get<List>(`/role/common/list?${new URLSearchParams(query)}`, { "cache-control": "no-cache" })).data
      .list;
  const isShown = async (roleId: string) => (await find({ pageSize: "100" })).some((role) => role.roleId === roleId);
  const report = (who: Visitor, roleId: string, reason = "冒充别人") =>
    who.post("/role/common/report", { roleId, reason });
  const reviews = () => {
    const show = createShowRole({ show: showFiles });
    return createReviews({ db: upstream.database(), show }, "王五");
  };

  it("appear when published, are playable by everyone and disappear when withdrawn", async () => {
    const member = await createMember(upstream);
    const avatar = await uploadPortrait(member);
    const role = await createPublicRole(member, { name: "广场上的人", avatar, gender: "female", tags: ["温柔"] });
    const [shown] = await find({ keyword: "广场上的人" });
    expect(shown).toMatchObject({ roleId: role.roleId, avatar, gender: "female", tags: ["温柔"], useNum: 0 });
    expect(shown?.category).not.toBe("");
    for (const key of ["owner", "voicePath", "consentAt", "measured"]) expect(shown).not.toHaveProperty(key);
    const query = { category: shown?.category ?? "", gender: "female", language: "zh", sort: "newest", pageSize: "1" };
    expect(await find(query)).toMatchObject([{ roleId: role.roleId }]);
    const urls = [avatar, role.voiceUrl, role.timelineUrl];
    for (const url of urls) expect(await visitor().statusOf(url)).toBe(200);
    expect(await visitor().statusOf(role.voicePath)).toBe(404);
    expect((await publishRole(member, role.roleId, false)).code).toBe(0);
    expect(await isShown(role.roleId)).toBe(false);
    for (const url of urls) {
      expect(await visitor().statusOf(url)).toBe(404);
      expect(await member.statusOf(url)).toBe(200);
    }
    expect((await publishRole(member, role.roleId)).code).toBe(0);
    expect(await isShown(role.roleId)).toBe(true);
  });

  it("can be used by everyone, and their uses are counted", async () => {
    const role = await createPublicRole(await createMember(upstream));
    const other = visitor();
    const { data } = await createTrial(other, { content: sentence, roleId: role.roleId });
    expect(await waitForTrial(other, data.taskId)).toMatchObject({ status: 2 });
    const [popular] = await find({
      category: (await find({ keyword: role.name }))[0]?.category ?? "",
      sort: "popular",
    });
    expect(popular).toMatchObject({ roleId: role.roleId, useNum: 1 });
  });

  it("show a new picture to everyone and no longer serve the old one", async () => {
    const member = await createMember(upstream);
    const avatar = await uploadPortrait(member);
    const { roleId } = await createPublicRole(member, { avatar });
    const next = await uploadPortrait(member);
    await member.post("/voice/role/update", { roleId, avatar: next });
    expect(await visitor().statusOf(next)).toBe(200);
    expect(await visitor().statusOf(avatar)).toBe(404);
  });

  it("are published by their owner only and after the enrolment only", async () => {
    const [member, stranger] = [await createMember(upstream), await createMember(upstream)];
    const release = upstream.speech.hold();
    const { roleId } = await createRole(member);
    expect(await publishRole(member, roleId)).toMatchObject({ code: 7, msg: "voice-missing" });
    release();
    await waitForRole(member, roleId);
    for (const id of [roleId, "nothing", await firstRoleId(visitor())]) {
      expect(await publishRole(stranger, id)).toMatchObject({ status: 200, code: 7, msg: "not-found" });
    }
    expect(await isShown(roleId)).toBe(false);
    expect(await stranger.post("/voice/role/publish", {})).toMatchObject({ status: 400 });
  });

  describe("when one is reported", () => {
    const reportByThree = async (roleId: string) => {
      for (let i = 0; i < 3; i++) expect(await report(visitor(), roleId)).toMatchObject({ status: 200, code: 0 });
    };

    it("stays public until three different reporters reported it", async () => {
      const { roleId } = await createPublicRole(await createMember(upstream));
      const [first, second] = [visitor(), visitor()];
      await report(first, roleId);
      expect(await isShown(roleId)).toBe(true);
      await report(first, roleId, "还是不对");
      await report(createVisitor(upstream.services, { address: first.address }), roleId);
      await report(second, roleId);
      await report(await logIn(upstream.services, { visitor: second }), roleId);
      expect(await isShown(roleId)).toBe(true);
      await report(await logIn(upstream.services), roleId);
      expect(await isShown(roleId)).toBe(false);
    });

    it("counts a reporter once who deletes the account between two reports", async () => {
      const { roleId } = await createPublicRole(await createMember(upstream));
      for (let i = 0; i < 3; i++) {
        const member = await logIn(upstream.services);
        await report(member, roleId);
        await deleteAccount(upstream, member);
      }
      expect(await isShown(roleId)).toBe(true);
    });

    it("is hidden at once when its own account reports it", async () => {
      const member = await createMember(upstream);
      const { roleId } = await createPublicRole(member);
      expect(await report(member, roleId)).toMatchObject({ status: 200, code: 0 });
      expect(await isShown(roleId)).toBe(false);
    });

    it("is hidden with its audio, while its owner sees the reason and can still use it", async () => {
      const member = await createMember(upstream);
      const role = await createPublicRole(member);
      await reportByThree(role.roleId);
      expect(await isShown(role.roleId)).toBe(false);
      expect(await visitor().statusOf(role.voiceUrl)).toBe(404);
      expect(await createTrial(visitor(), { content: sentence, roleId: role.roleId })).toMatchObject({
        msg: "voice-missing",
      });
      expect(await findRole(member, role.roleId)).toMatchObject({ isPublic: true, isUnderReview: true });
      expect((await createTrial(member, { content: sentence, roleId: role.roleId })).code).toBe(0);
      // Neither publishing it again nor a new picture makes it visible.
      await publishRole(member, role.roleId, false);
      await publishRole(member, role.roleId, true);
      const avatar = await uploadPortrait(member);
      await member.post("/voice/role/update", { roleId: role.roleId, avatar });
      expect(await isShown(role.roleId)).toBe(false);
      for (const url of [role.voiceUrl, avatar]) expect(await visitor().statusOf(url)).toBe(404);
    });

    it("is neither named nor shown in other accounts' records", async () => {
      const { roleId } = await createPublicRole(await createMember(upstream), { name: "冒充的人" });
      const other = await createMember(upstream);
      const { data: dub } = await createDub(other, { lines: [{ roleId, content: sentence }] });
      const { data: clone } = await createClone(other, { roleId, content: sentence });
      expect([dub.lines[0]?.name, clone.name]).toEqual(["冒充的人", "冒充的人"]);
      await reportByThree(roleId);
      expect((await findDub(other, dub.taskId)).lines[0]).toMatchObject({ roleId, name: "", avatar: "" });
      expect(await findClone(other, clone.taskId)).toMatchObject({ roleId, name: "", avatar: "" });
    });

    it("is public again when kept, and then needs three new reporters", async () => {
      const member = await createMember(upstream);
      const { roleId, voiceUrl } = await createPublicRole(member);
      const first = visitor();
      await report(first, roleId);
      await reportByThree(roleId);
      expect(await isShown(roleId)).toBe(false);
      await reviews().keep(roleId);
      expect(await isShown(roleId)).toBe(true);
      expect(await visitor().statusOf(voiceUrl)).toBe(200);
      await report(first, roleId);
      await report(first, roleId, "还是不对");
      // Another visitor on the same address counts as the same reporter.
      await report(createVisitor(upstream.services, { address: first.address }), roleId);
      await report(await logIn(upstream.services), roleId);
      expect(await isShown(roleId)).toBe(true);
      expect((await findRole(member, roleId)).isUnderReview).toBe(false);
      await report(visitor(), roleId);
      expect(await isShown(roleId)).toBe(false);
      expect((await findRole(member, roleId)).isUnderReview).toBe(true);
    });

    it("stays hidden when withdrawn until an operator keeps it", async () => {
      const member = await createMember(upstream);
      const { roleId } = await createPublicRole(member);
      await report(visitor(), roleId);
      await reviews().withdraw(roleId);
      expect(await findRole(member, roleId)).toMatchObject({ isUnderReview: false });
      expect(await isShown(roleId)).toBe(false);
      await publishRole(member, roleId, false);
      expect(await publishRole(member, roleId)).toMatchObject({ code: 7, msg: "forbidden" });
      expect(await report(visitor(), roleId)).toMatchObject({ code: 7, msg: "not-found" });
      await reviews().keep(roleId);
      expect((await publishRole(member, roleId)).code).toBe(0);
      expect(await isShown(roleId)).toBe(true);
    });

    it("has one report per reporter, before and after a login, and anonymous after the account's deletion", async () => {
      const { roleId } = await createPublicRole(await createMember(upstream));
      const guest = visitor();
      await report(guest, roleId, "一");
      await report(guest, roleId, "二");
      const reports = () =>
        upstream.database().selectFrom("role_report").selectAll().where("role_id", "=", roleId).execute();
      expect(await reports()).toMatchObject([
        { reporter: `visitor:${guest.id}`, reason: "一", address: guest.address },
      ]);
      const member = await logIn(upstream.services, { visitor: guest });
      expect(await report(member, roleId, "三")).toMatchObject({ code: 0 });
      const [filed, ...more] = await reports();
      expect(filed?.reporter).toMatch(/^account:/);
      expect(more).toEqual([]);
      await deleteAccount(upstream, member);
      expect(await reports()).toMatchObject([{ reporter: `gone:${filed?.id}`, reason: "一", address: "" }]);
    });

    it("is only recorded if it is one of the product's own roles, which operators can withdraw", async () => {
      const roleId = await firstRoleId(visitor());
      for (let i = 0; i < 4; i++) expect((await report(visitor(), roleId, "不好听")).code).toBe(0);
      expect(await isShown(roleId)).toBe(true);
      expect((await reviews().list()).filter((open) => open.roleId === roleId)).toHaveLength(4);
      await reviews().withdraw(roleId);
      expect(await isShown(roleId)).toBe(false);
      await upstream.restart();
      upstream.services.startWorker();
      expect(await isShown(roleId)).toBe(false);
      await reviews().keep(roleId);
      expect(await isShown(roleId)).toBe(true);
    });

    it("must exist and be public, and the report needs a reason", async () => {
      const { roleId } = await createRole(await createMember(upstream));
      for (const id of [roleId, "nothing"])
        expect(await report(visitor(), id)).toMatchObject({ code: 7, msg: "not-found" });
      expect(await report(visitor(), roleId, "")).toMatchObject({ status: 400, msg: "bad-request" });
      expect(
        await visitor().post("/role/common/report", { roleId, reason: "a" }, { "x-visitor-id": "" }),
      ).toMatchObject({
        status: 400,
      });
    });

    it("can be played twenty times an hour from one address", async () => {
      const address = "203.0.113.77";
      const statuses = [];
      await waitForRateWindow(3600);
      for (let i = 0; i < 21; i++)
        statuses.push((await report(createVisitor(upstream.services, { address }), "none")).status);
      expect(statuses).toEqual([...Array.from({ length: 20 }, () => 200), 429]);
    });
  });
});
