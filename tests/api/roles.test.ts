import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { CallData } from "~server/contract/calls/table";
import { consentStatements } from "~server/contract/consent";
import { logIn } from "../support/account";
import { createClone, waitForClone } from "../support/clone";
import { ruleEngines } from "../support/database";
import { createMember } from "../support/member";
import { foundFaces } from "../support/portraits";
import { readZip } from "../support/read-zip";
import {
  createRole,
  findRole,
  listRoles,
  postRole,
  publishRole,
  uploadPortrait,
  voiceConsent,
  waitForRole,
} from "../support/role";
import { setUpUpstream } from "../support/set-up-upstream";
import { readEvents } from "../support/task-events";
import { createTrial, firstRoleId, sentence, uploadVoice, waitForTrial } from "../support/trial";
import { createVisitor } from "../support/upstream";

describe.each(ruleEngines)("roles on %s", (engine) => {
  const upstream = setUpUpstream(engine);

  const visitor = () => createVisitor(upstream.services);

  describe("creating one", () => {
    it("enrols the voice, measures it and makes it available to its owner only", async () => {
      const member = await createMember(upstream);
      const voicePath = await uploadVoice(member);
      const portrait = { face: "oval" };
      const details = { describe: "温柔", gender: "female", tags: ["讲故事"], transcript: "今天天气很好", portrait };
      const created = await postRole(member, { name: " 小雨 ", voicePath, consent: voiceConsent, ...details });
      expect(created).toMatchObject({
        status: 200,
        code: 0,
        data: { status: 1, name: "小雨", voiceUrl: "", outputs: 0 },
      });
      const role = await waitForRole(member, created.data.roleId);
      expect(role).toMatchObject({
        ...{ status: 2, voicePath, describe: "温柔", gender: "female", language: "zh", tags: ["讲故事"], portrait },
        ...{ avatar: "", isPublic: false, isUnderReview: false, useNum: 0, statementId: voiceConsent.statementId },
        measured: { pitchHz: 220, pitchRangeSt: 5, syllablesPerSecond: 4 },
      });
      expect(role.audioId).toBe(role.roleId);
      for (const time of [role.consentAt, role.createdAt]) {
        expect(time).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+08:00$/);
      }
      for (const url of [role.voiceUrl, role.timelineUrl]) {
        expect(await member.statusOf(url)).toBe(200);
        expect(await visitor().statusOf(url)).toBe(404);
      }
    });

    it("gives it a designed voice, which needs no consent to be used, heard and published", async () => {
      const member = await createMember(upstream);
      const words = encodeURIComponent("女声、低沉、慢");
      const { data } = await member.get<CallData<"voiceDesigns">>(`/voice/design/list?words=${words}&pageSize=3`);
      expect(data.list).toHaveLength(3);
      const [design] = data.list;
      const heard = await member.post<CallData<"sample">>("/script/sample", { ...design, content: "你好", speed: 1 });
      expect(await member.statusOf(heard.data.voiceUrl)).toBe(200);
      const created = await postRole(member, { name: "晚安", designId: design?.designId });
      const role = await waitForRole(member, created.data.roleId);
      expect(role).toMatchObject({ status: 2, voicePath: "", consentAt: "", proof: "", isDesigned: true });
      expect(role.measured?.pitchHz).toBeCloseTo(design?.pitchHz ?? 0, 6);
      await waitForClone(member, (await createClone(member, { content: sentence, roleId: role.roleId })).data.taskId);
      expect(await publishRole(member, role.roleId)).toMatchObject({ code: 0 });
    });

    it("refuses a description that names a person, an unknown design, and a role without any voice", async () => {
      const member = await createMember(upstream);
      const words = encodeURIComponent("像周杰伦");
      expect(await member.get(`/voice/design/list?words=${words}`)).toMatchObject({ code: 7, msg: "voice-of-person" });
      expect(await postRole(member, { name: "a", designId: "9999_0_1" })).toMatchObject({ msg: "voice-missing" });
      expect(await postRole(member, { name: "a", consent: voiceConsent })).toMatchObject({ msg: "bad-request" });
    });

    it("sends progress events to its owner from the queue to the end", async () => {
      const member = await createMember(upstream);
      const { roleId } = await createRole(member);
      const received = await readEvents(member, ({ event }) => event.kind === "role" && event.status !== 1);
      const events = received.map(({ event }) => event).filter(({ taskId }) => taskId === roleId);
      expect(events.at(0)).toMatchObject({ kind: "role", status: 1, progress: 0 });
      expect(events.at(-1)).toMatchObject({ kind: "role", status: 2, progress: 1, msg: "" });
      const progress = events.map((event) => event.progress);
      expect(progress).toEqual([...progress].sort((a, b) => a - b));
    });

    it("accepts the recording of a trial from before the login", async () => {
      const guest = visitor();
      const voicePath = await uploadVoice(guest);
      const { data } = await createTrial(guest, { content: sentence, voicePath });
      await waitForTrial(guest, data.taskId);
      const member = await logIn(upstream.services, { visitor: guest });
      const created = await postRole(member, { name: "我", voicePath, consent: voiceConsent });
      expect(await waitForRole(member, created.data.roleId)).toMatchObject({ status: 2, voicePath });
    });

    it("shows an uploaded picture of its owner only", async () => {
      const member = await createMember(upstream);
      const avatar = await uploadPortrait(member);
      expect(await createRole(member, { avatar, portrait: { face: "oval" } })).toMatchObject({
        avatar,
        portrait: null,
      });
      const stranger = await createMember(upstream);
      const voicePath = await uploadVoice(stranger);
      for (const other of [avatar, voicePath, "https://elsewhere.example/a.png"]) {
        const body = { name: "a", voicePath, avatar: other, consent: voiceConsent };
        expect(await postRole(stranger, body)).toMatchObject({ code: 7, msg: "image-unreadable" });
      }
      const body = { name: "a", voicePath, portrait: { a: "x".repeat(3000) }, consent: voiceConsent };
      expect(await postRole(stranger, body)).toMatchObject({ status: 400, msg: "bad-request" });
      expect((await listRoles(stranger)).total).toBe(0);
    });

    it("returns the reason of a failed enrolment and enrols again on retry", async () => {
      const member = await createMember(upstream);
      upstream.speech.faults.enrolments = 100;
      const { roleId } = await createRole(member);
      expect(await waitForRole(member, roleId)).toMatchObject({ status: 3, reason: "synthesis-failed", voiceUrl: "" });
      expect(await publishRole(member, roleId)).toMatchObject({ code: 7, msg: "voice-missing" });
      upstream.speech.faults.enrolments = 0;
      const stranger = await createMember(upstream);
      expect(await stranger.post("/tasks/retry", { taskId: roleId })).toMatchObject({ code: 7, msg: "not-found" });
      const again = () => member.post("/tasks/retry", { taskId: roleId });
      const learned = upstream.speech.calls.enroll;
      expect((await Promise.all([again(), again()])).map(({ code }) => code)).toEqual([0, 0]);
      const role = await waitForRole(member, roleId);
      expect((await again()).code).toBe(0);
      expect((await findRole(member, roleId)).status).toBe(2);
      expect(upstream.speech.calls.enroll - learned).toBe(1);
      expect(role).toMatchObject({ status: 2, measured: { pitchHz: 220 } });
      expect(role.reason).toBeUndefined();
    });

    it("refuses another account's recording", async () => {
      const [owner, thief] = [await createMember(upstream), await createMember(upstream)];
      const voicePath = await uploadVoice(owner);
      for (const path of [voicePath, "/api/v1/files/nothing.wav", "nonsense"]) {
        const answer = await postRole(thief, { name: "a", voicePath: path, consent: voiceConsent });
        expect(answer).toMatchObject({ status: 200, code: 7, msg: "voice-missing" });
      }
      expect((await listRoles(thief)).total).toBe(0);
    });

    it("creates one role for concurrent calls with one key, and refuses the key for another request", async () => {
      const member = await createMember(upstream);
      const voicePath = await uploadVoice(member);
      const body = { name: "一个", voicePath, consent: voiceConsent };
      const answers = await Promise.all(Array.from({ length: 20 }, () => postRole(member, body, "same")));
      expect(new Set(answers.map(({ data }) => data.roleId)).size).toBe(1);
      expect((await listRoles(member)).total).toBe(1);
      expect(await postRole(member, { ...body, name: "另一个" }, "same")).toMatchObject({
        status: 409,
        msg: "bad-request",
      });
    });

    it("allows three roles without a tier, also concurrently, and more as a member", async () => {
      const member = await createMember(upstream);
      const voicePath = await uploadVoice(member);
      const body = { name: "a", voicePath, consent: voiceConsent };
      const answers = await Promise.all(Array.from({ length: 8 }, (_, i) => postRole(member, body, `room-${i}`)));
      expect(answers.filter(({ code }) => code === 0)).toHaveLength(3);
      const refused = answers.find(({ code }) => code !== 0);
      expect(refused).toMatchObject({ code: 1001, msg: "entitlement", data: { reason: "tier", limit: 3 } });
      const { list, total } = await listRoles(member);
      expect(total).toBe(3);
      await member.post("/voice/role/del", { roleId: list[0]?.roleId });
      expect((await postRole(member, body)).code).toBe(0);
      const vip = await createMember(upstream, "vip");
      const own = { ...body, voicePath: await uploadVoice(vip) };
      for (let i = 0; i < 4; i++) expect((await postRole(vip, own)).code).toBe(0);
      expect((await listRoles(vip)).total).toBe(4);
    });
  });

  describe("without consent", () => {
    it.each([
      ["none", undefined],
      ["null", null],
      ["a word", "yes"],
      ["no statement", {}],
      ["an unknown statement", { statementId: "voice-consent-0" }],
      ["a name of Object.prototype", { statementId: "constructor" }],
      ["an unknown recording", { ...voiceConsent, voicePath: "/api/v1/files/nothing.wav" }],
    ])("is refused: %s", async (_, consent) => {
      const member = await createMember(upstream);
      const voicePath = await uploadVoice(member);
      const answer = await postRole(member, { name: "a", voicePath, consent }, "without");
      expect(answer).toMatchObject({ status: 200, code: 7, msg: "consent-missing" });
      expect((await listRoles(member)).total).toBe(0);
      expect((await postRole(member, { name: "a", voicePath, consent: voiceConsent }, "without-no-more")).code).toBe(0);
    });

    it("is refused: read by another voice, as a picture, or without speech", async () => {
      const [member, other] = [await createMember(upstream), await createMember(upstream)];
      const [voicePath, silent] = [await uploadVoice(member), await uploadVoice(member)];
      const fileId = /files\/([\w-]+)/.exec(silent)?.[1] ?? "";
      const quality = JSON.stringify({ verdict: "usable", speechSeconds: 0.4 });
      await upstream.database().updateTable("recording").set({ quality }).where("file_id", "=", fileId).execute();
      for (const path of [await uploadVoice(other), await uploadPortrait(member), silent]) {
        const answer = await postRole(member, { name: "a", voicePath, consent: { ...voiceConsent, voicePath: path } });
        expect(answer).toMatchObject({ code: 7, msg: "consent-missing" });
      }
      expect((await listRoles(member)).total).toBe(0);
    });

    it("is refused for any value without the statement", async () => {
      const member = await createMember(upstream);
      const voicePath = await uploadVoice(member);
      const known = new Set<unknown>(consentStatements.map(({ id }) => id));
      const roles = async () => (await listRoles(member)).total;
      await fc.assert(
        fc.asyncProperty(
          fc.oneof(fc.string(), fc.integer(), fc.constant(null), fc.constant(true)).filter((id) => !known.has(id)),
          async (statementId) => {
            const answer = await postRole(member, { name: "a", voicePath, consent: { statementId } });
            expect(answer).toMatchObject({ code: 7, msg: "consent-missing" });
          },
        ),
        { numRuns: 20 },
      );
      expect(await roles()).toBe(0);
    });

    it("cannot be published", async () => {
      const member = await createMember(upstream);
      const { roleId } = await createRole(member);
      await waitForRole(member, roleId);
      await upstream.database().deleteFrom("role_consent").where("role_id", "=", roleId).execute();
      expect(await publishRole(member, roleId)).toMatchObject({ code: 7, msg: "consent-missing" });
      expect((await findRole(member, roleId)).isPublic).toBe(false);
    });
  });

  it("store the consent: statement, hash of its text, time, address and the recording", async () => {
    const member = await createMember(upstream);
    const read = await uploadVoice(member);
    const { roleId } = await createRole(member, { consent: { ...voiceConsent, voicePath: read } });
    const consents = upstream.database().selectFrom("role_consent").selectAll().where("role_id", "=", roleId);
    const consent = await consents.executeTakeFirstOrThrow();
    const [statement] = consentStatements;
    expect(consent).toMatchObject({
      account_id: member.accountId,
      statement_id: statement.id,
      statement_version: statement.version,
      statement_sha256: statement.sha256,
      address: member.address,
    });
    expect(Math.abs(consent.agreed_at.getTime() - Date.now())).toBeLessThan(60_000);
    const recordings = upstream.database().selectFrom("recording").select("url");
    const recording = await recordings.where("id", "=", consent.recording_id ?? "").executeTakeFirst();
    expect(recording?.url).toBe(read);
    const other = await createRole(member);
    const confirmation = upstream.database().selectFrom("role_consent").selectAll().where("role_id", "=", other.roleId);
    expect((await confirmation.executeTakeFirstOrThrow()).recording_id).toBeNull();
  });

  it("are listed newest first, by page and literal keyword, for their owner only", async () => {
    const member = await createMember(upstream, "vip");
    const voicePath = await uploadVoice(member);
    for (const [name, tags] of [
      ["100%真", []],
      ["a_b", ["甜美"]],
      ["小雨", ["讲 故事"]],
    ] as const) {
      expect((await postRole(member, { name, tags, voicePath, consent: voiceConsent })).code).toBe(0);
    }
    const names = async (query: Record<string, string>) =>
      (await listRoles(member, query)).list.map(({ name }) => name);
    expect(await names({})).toEqual(["小雨", "a_b", "100%真"]);
    expect(await names({ keyword: "%" })).toEqual(["100%真"]);
    expect(await names({ keyword: "_" })).toEqual(["a_b"]);
    expect(await names({ keyword: "\\" })).toEqual([]);
    expect(await names({ keyword: "小 故事" })).toEqual(["小雨"]);
    expect(await names({ keyword: "   " })).toEqual(["小雨", "a_b", "100%真"]);
    expect(await listRoles(member, { page: "2", pageSize: "2" })).toMatchObject({
      total: 3,
      page: 2,
      list: [{ name: "100%真" }],
    });
    const { list } = await listRoles(await createMember(upstream), {
      roleId: (await listRoles(member)).list[0]?.roleId ?? "",
    });
    expect(list).toEqual([]);
  });

  it("change only the given fields, for their owner only", async () => {
    const [member, stranger] = [await createMember(upstream), await createMember(upstream)];
    const { roleId } = await createRole(member, { describe: "原来的", tags: ["旧"], gender: "male" });
    const update = (who: typeof member, change: object) => who.post("/voice/role/update", { roleId, ...change });
    expect(await update(member, { name: "新名字" })).toMatchObject({
      code: 0,
      data: { name: "新名字", describe: "原来的" },
    });
    const change = { describe: "", tags: [], gender: "female", portrait: { face: "long" } };
    expect(await update(member, change)).toMatchObject({ code: 0, data: { name: "新名字", ...change, avatar: "" } });
    const avatar = await uploadPortrait(member);
    expect(await update(member, { avatar })).toMatchObject({ code: 0, data: { avatar, portrait: null } });
    const next = await uploadPortrait(member);
    expect(await update(member, { avatar: next })).toMatchObject({ data: { avatar: next } });
    expect(await member.statusOf(avatar)).toBe(404);
    expect(await member.statusOf(next)).toBe(200);
    expect(await update(stranger, { name: "偷来的" })).toMatchObject({ code: 7, msg: "not-found" });
    const mouth = { x: 0.5, y: 0.6, width: 0.2, height: 0.1 };
    const portrait = { photo: { mouth, eyes: [], points: foundFaces.hopper.points } };
    const confirmed = await update(member, { avatar: next, portrait });
    expect(confirmed).toMatchObject({ data: { avatar: next, portrait } });
    const outside = { photo: { mouth: { ...mouth, x: 0.95 }, eyes: [] } };
    expect(await update(member, { avatar: next, portrait: outside })).toMatchObject({
      status: 400,
      msg: "bad-request",
    });
    expect(await findRole(member, roleId)).toMatchObject({ portrait });
    expect(await update(member, { avatar: next })).toMatchObject({ data: { avatar: next, portrait: null } });
    expect(await update(member, { avatar: await uploadPortrait(stranger) })).toMatchObject({ msg: "image-unreadable" });
    expect(await update(member, { name: "   " })).toMatchObject({ status: 400, msg: "bad-request" });
    expect(await update(member, { name: "\u200b\u202e" })).toMatchObject({ status: 400, msg: "bad-request" });
    expect(await findRole(member, roleId)).toMatchObject({ name: "新名字", avatar: next });
    expect(await update(member, { name: "\u202e改\u200b名\u2066\n" })).toMatchObject({ data: { name: "改名" } });
    const seeded = await firstRoleId(visitor());
    expect(await member.post("/voice/role/update", { roleId: seeded, name: "a" })).toMatchObject({ msg: "not-found" });
  });

  it("are usable only by their owner while private", async () => {
    const [member, stranger] = [await createMember(upstream, "vip"), await createMember(upstream, "vip")];
    const { roleId } = await createRole(member);
    await waitForRole(member, roleId);
    for (const who of [stranger, visitor()]) {
      expect(await createTrial(who, { content: sentence, roleId })).toMatchObject({ code: 7, msg: "voice-missing" });
    }
    expect(await createClone(stranger, { content: sentence, roleId })).toMatchObject({ code: 7, msg: "voice-missing" });
    const trial = await createTrial(member, { content: sentence, roleId });
    expect(await waitForTrial(member, trial.data.taskId)).toMatchObject({ status: 2 });
    const clone = await createClone(member, { content: sentence, roleId });
    expect(await waitForClone(member, clone.data.voiceId)).toMatchObject({ status: 2, name: "小雨" });
    expect(await findRole(member, roleId)).toMatchObject({ useNum: 2, outputs: 2 });
  });

  it("require an account", async () => {
    for (const call of ["create", "update", "publish", "del"]) {
      expect(await visitor().post(`/voice/role/${call}`, {})).toMatchObject({ status: 200, code: 5 });
    }
    expect(await visitor().get("/voice/role/list")).toMatchObject({ code: 5 });
  });

  it("are included in the export with their consents", async () => {
    const member = await createMember(upstream);
    const { roleId } = await createRole(member);
    const archive = readZip(Buffer.from(await (await member.file("/api/v1/users/export")).arrayBuffer()));
    const roles = JSON.parse(String(archive.get("roles.json")));
    expect(roles).toMatchObject([{ roleId, consent: { statement_sha256: consentStatements[0].sha256 } }]);
  });
});
