import { sql } from "kysely";
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import type { CallData } from "~server/contract/calls/table";
import { deleteAccount, type Member } from "../support/account";
import { ruleEngines } from "../support/database";
import { createMember } from "../support/member";
import {
  acceptProofs,
  bytesOnDisk,
  bytesSince,
  createRole,
  findRole,
  openProofUpstream,
  postRole,
  publishRole,
  sweepByRestart,
  uploadSpeech,
  voiceConsent,
  waitForRole,
} from "../support/role";
import { createVisitor, type TestUpstream, type Visitor } from "../support/upstream";

type Ask = CallData<"consentAsk">;
type Link = CallData<"consentLinkCreate">;

describe.each(ruleEngines)("links that ask for another person's consent on %s", (engine) => {
  let upstream: TestUpstream;
  let member: Member;
  let person: Visitor;
  beforeAll(async () => {
    upstream = await openProofUpstream(engine);
  });
  afterAll(() => upstream.close());
  beforeEach(async () => {
    acceptProofs(upstream);
    member = await createMember(upstream);
    person = createVisitor(upstream.services);
  });

  const createReadyRole = async () => {
    const voicePath = await uploadSpeech(member, 14);
    const { roleId } = (await postRole(member, { name: "小雨", voicePath, consent: voiceConsent })).data;
    await waitForRole(member, roleId);
    return roleId;
  };
  const createLink = (roleId: string, who = member) =>
    who.post<Link & { need?: number }>("/voice/consent-link/create", { roleId, askerName: "小林" });
  const listLinks = async (roleId?: string) =>
    (await member.get<{ list: Link[] }>(`/voice/consent-link/list${roleId ? `?roleId=${roleId}` : ""}`)).data.list;
  const ask = (token: string) => person.get<Ask>(`/voice/consent-link/ask?token=${token}`);
  const prompt = (token: string) => person.post<CallData<"consentPrompt">>("/voice/consent-link/prompt", { token });
  const submit = (token: string, promptId: string, voicePath: string, who = person) =>
    who.post<CallData<"consentSubmit">>("/voice/consent-link/submit", { token, promptId, voicePath });
  const judged = (token: string) =>
    vi.waitFor(
      async () => {
        const { data } = await ask(token);
        expect(data.state).not.toBe("judging");
        return data;
      },
      { timeout: 60_000, interval: 30 },
    );
  const answer = (token: string, given: string) =>
    person.post<Ask>("/voice/consent-link/answer", { token, answer: given });
  /** The person reads a new prompt; returns what the page then shows. */
  const read = async (token: string) => {
    const { promptId } = (await prompt(token)).data;
    expect((await submit(token, promptId, await uploadSpeech(person, 12, 9))).data.outcome).toBe("judging");
    return judged(token);
  };
  const age = (column: string, hours: number) =>
    sql`update consent_link set ${sql.ref(column)} = ${sql.ref(column)} - make_interval(hours => ${hours}::int)`.execute(
      upstream.database(),
    );

  it("gives the consent of the person who reads the prompt, without an account, and shows it to both", async () => {
    const roleId = await createReadyRole();
    const { data: link } = await createLink(roleId);
    expect(link).toMatchObject({ roleId, roleName: "小雨", askerName: "小林", state: "waiting", answeredAt: "" });
    const asked = (await ask(link.token)).data;
    expect(asked).toEqual({
      askerName: "小林",
      state: "waiting",
      createdAt: link.createdAt,
      expiresAt: link.expiresAt,
      answeredAt: "",
      attempt: null,
      receipt: null,
    });
    expect(await read(link.token)).toMatchObject({ state: "given", attempt: null });
    expect((await ask(link.token)).data).toMatchObject({
      state: "given",
      answeredAt: expect.stringMatching(/\+08:00$/),
    });
    expect(await listLinks(roleId)).toMatchObject([{ linkId: link.linkId, state: "given", token: link.token }]);
    expect(await findRole(member, roleId)).toMatchObject({ proof: "proven" });
    expect((await publishRole(member, roleId)).code).toBe(0);
    const rows = await sql<{ kind: string; address: string }>`select kind, address from recording_consent
      join role using (recording_id) where role.id = ${roleId} order by kind`.execute(upstream.database());
    expect(rows.rows).toEqual([
      { kind: "confirmed", address: member.address },
      { kind: "link", address: person.address },
    ]);
  });

  it("keeps the person's recording from the account, in its list of files and by its address", async () => {
    const roleId = await createReadyRole();
    const { token } = (await createLink(roleId)).data;
    const { promptId } = (await prompt(token)).data;
    const spoken = await uploadSpeech(person, 12, 9);
    await submit(token, promptId, spoken);
    expect(await member.statusOf(spoken)).toBe(404);
    expect(await person.statusOf(spoken)).toBe(404);
  });

  it("withdraws a consent: deletes role, recordings and outputs, with a receipt for the person", async () => {
    const before = await bytesOnDisk(upstream);
    const roleId = await createReadyRole();
    const { token, linkId } = (await createLink(roleId)).data;
    await read(token);
    const { data } = await answer(token, "withdraw");
    expect(data).toMatchObject({
      state: "withdrawn",
      receipt: { by: "speaker", removed: { roles: 1, recordings: 1 } },
    });
    expect((await answer(token, "withdraw")).data).toEqual(data);
    expect((await member.get<{ total: number }>("/voice/role/list")).data.total).toBe(0);
    expect(await listLinks()).toMatchObject([{ linkId, state: "withdrawn", roleName: "小雨", token: "" }]);
    const form = new FormData();
    form.append("file", new Blob([JSON.stringify(data.receipt)]), "receipt.json");
    const verified = await person.upload<CallData<"verify">>("/verify", form);
    expect(verified.data.receipt).toMatchObject({ signature: "valid" });
    await expect.poll(() => bytesSince(upstream, before), { timeout: 30_000 }).toEqual([]);
    expect((await member.post("/voice/consent-link/remove", { linkId })).code).toBe(0);
    expect(await listLinks()).toEqual([]);
    expect((await ask(token)).data.state).toBe("withdrawn");
  });

  it("is deleted with the account, together with the person's recording", async () => {
    const before = await bytesOnDisk(upstream);
    const { token } = (await createLink(await createReadyRole())).data;
    await read(token);
    await deleteAccount(upstream, member);
    expect((await ask(token)).msg).toBe("not-found");
    await expect.poll(() => bytesSince(upstream, before), { timeout: 30_000 }).toEqual([]);
  });

  it("declines: the voice stays unproven, and the answer is final", async () => {
    const roleId = await createReadyRole();
    const { token } = (await createLink(roleId)).data;
    expect((await answer(token, "decline")).data.state).toBe("declined");
    expect((await answer(token, "decline")).data.state).toBe("declined");
    expect((await prompt(token)).msg).toBe("not-found");
    expect((await answer(token, "withdraw")).msg).toBe("not-found");
    expect(await listLinks(roleId)).toMatchObject([{ state: "declined" }]);
    expect((await publishRole(member, roleId)).msg).toBe("proof-missing");
  });

  it("asks operators about an unclear recording; their yes is the person's consent", async () => {
    const roleId = await createReadyRole();
    const { token } = (await createLink(roleId)).data;
    expect((await answer(token, "review")).msg).toBe("not-found");
    upstream.speech.proof.speaker = -15;
    expect((await read(token)).attempt).toMatchObject({ outcome: "unclear", canAskReview: true });
    expect((await answer(token, "review")).data.state).toBe("review");
    await sql`update voice_proof set review = 'accepted', reviewed_at = now() where review = 'asked'`.execute(
      upstream.database(),
    );
    expect((await ask(token)).data).toMatchObject({ state: "given", answeredAt: expect.stringMatching(/T/) });
    await upstream.restart();
    upstream.services.startWorker();
    const kinds = () =>
      sql<{ kind: string }>`select kind from recording_consent join role using (recording_id)
        where role.id = ${roleId} and kind = 'link'`.execute(upstream.database());
    await expect.poll(async () => (await kinds()).rows.length).toBe(1);
  });

  it("deletes the voice of a role whose speaker declined, unless the voice is proven", async () => {
    const [asked, proven] = [await createReadyRole(), await createReadyRole()];
    const { data } = await member.post<CallData<"proofPrompt">>("/voice/proof/prompt", { roleId: proven });
    const spoken = await uploadSpeech(member, 12, 9);
    await member.post("/voice/proof/submit", { promptId: data.promptId, voicePath: spoken });
    await expect.poll(async () => (await findRole(member, proven)).proof, { timeout: 60_000 }).toBe("proven");
    for (const roleId of [proven, asked]) await answer((await createLink(roleId)).data.token, "decline");
    member = await sweepByRestart(upstream, member);
    await expect.poll(async () => (await findRole(member, asked)).status, { timeout: 30_000 }).toBe(3);
    expect(await findRole(member, asked)).toMatchObject({ reason: "consent-declined", voicePath: "", voiceUrl: "" });
    expect(await findRole(member, proven)).toMatchObject({ status: 2, proof: "proven" });
  });

  it("declines a recording under review: a later yes of the operators is no consent", async () => {
    const roleId = await createReadyRole();
    const { token } = (await createLink(roleId)).data;
    upstream.speech.proof.speaker = -15;
    await read(token);
    expect((await answer(token, "review")).data.state).toBe("review");
    expect((await answer(token, "decline")).data.state).toBe("declined");
    const { rows } = await sql`select id from voice_proof where review = 'asked'`.execute(upstream.database());
    expect(rows).toEqual([]);
    expect((await publishRole(member, roleId)).msg).toBe("proof-missing");
  });

  it("declines while the recording is judged: a yes that comes later is no consent", async () => {
    const roleId = await createReadyRole();
    const { token } = (await createLink(roleId)).data;
    const { promptId } = (await prompt(token)).data;
    const spoken = await uploadSpeech(person, 12, 9);
    const { measureProof } = upstream.speech;
    let measured: (() => void) | undefined;
    const done = new Promise<void>((resolve) => {
      measured = resolve;
    });
    upstream.speech.measureProof = async (...given) => {
      expect((await ask(token)).data).toMatchObject({ state: "judging", attempt: { outcome: "judging" } });
      expect(await listLinks(roleId)).toMatchObject([{ state: "judging", token }]);
      expect((await prompt(token)).msg).toBe("proof-judging");
      await answer(token, "decline");
      measured?.();
      return measureProof(...given);
    };
    try {
      expect((await submit(token, promptId, spoken)).data.outcome).toBe("judging");
      await done;
    } finally {
      upstream.speech.measureProof = measureProof;
    }
    const jobs = upstream.database().selectFrom("job").select("state").where("kind", "=", "proof-judge");
    await expect.poll(async () => (await jobs.execute()).every(({ state }) => state === "done")).toBe(true);
    expect((await ask(token)).data.state).toBe("declined");
    expect(await findRole(member, roleId)).toMatchObject({ proof: "missing" });
    expect((await publishRole(member, roleId)).msg).toBe("proof-missing");
  });

  it("shares the tries of all links of an account, and counts them apart from its own", async () => {
    const roleId = await createReadyRole();
    upstream.speech.proof.speaker = -30;
    const first = (await createLink(roleId)).data;
    expect((await read(first.token)).attempt?.triesLeft).toBe(1);
    const second = (await createLink(await createReadyRole())).data;
    expect((await read(second.token)).attempt?.triesLeft).toBe(0);
    expect((await prompt(first.token)).msg).toBe("proof-paused");
    expect((await member.post("/voice/proof/prompt", { roleId })).code).toBe(0);
  });

  it("takes a prompt for its own link only, and a recording of the caller only", async () => {
    const [one, other] = [
      (await createLink(await createReadyRole())).data,
      (await createLink(await createReadyRole())).data,
    ];
    const { promptId } = (await prompt(one.token)).data;
    const spoken = await uploadSpeech(person, 12, 9);
    expect((await submit(other.token, promptId, spoken)).msg).toBe("proof-expired");
    expect((await submit(one.token, promptId, spoken, createVisitor(upstream.services))).msg).toBe("voice-missing");
    expect((await submit(one.token, "nonsense", spoken)).msg).toBe("proof-expired");
    expect((await ask(other.token)).data.state).toBe("waiting");
    expect((await submit(one.token, promptId, spoken)).code).toBe(0);
    expect((await judged(one.token)).state).toBe("given");
  });

  it("ends with its time, with a newer link, with its removal by the owner and with the role", async () => {
    const roleId = await createReadyRole();
    const old = (await createLink(roleId)).data;
    const link = (await createLink(roleId)).data;
    expect((await ask(old.token)).data.state).toBe("expired");
    expect((await prompt(old.token)).msg).toBe("not-found");
    await age("expires_at", 25);
    expect((await ask(link.token)).data.state).toBe("expired");
    expect(await listLinks(roleId)).toMatchObject([{ linkId: link.linkId, state: "expired", token: "" }]);
    const removed = (await createLink(roleId)).data;
    const stranger = await createMember(upstream);
    expect((await stranger.post("/voice/consent-link/remove", { linkId: removed.linkId })).msg).toBe("not-found");
    expect((await member.post("/voice/consent-link/remove", { linkId: removed.linkId })).code).toBe(0);
    expect((await ask(removed.token)).data.state).toBe("expired");
    const last = (await createLink(roleId)).data;
    await member.post("/voice/role/del", { roleId });
    expect((await ask(last.token)).data.state).toBe("ended");
  });

  it("is made for the caller's own voices with enough speech, and ten times a day", async () => {
    const roleId = await createReadyRole();
    expect((await createLink(roleId, await createMember(upstream))).msg).toBe("not-found");
    expect((await person.post("/voice/consent-link/create", { roleId, askerName: "小林" })).code).toBe(5);
    expect((await member.post("/voice/consent-link/create", { roleId, askerName: "  " })).status).toBe(400);
    const short = await createRole(member);
    expect(await createLink(short.roleId)).toMatchObject({ msg: "proof-reference-short", data: { need: 8 } });
    const codes = [];
    for (let made = 0; made < 10; made++) codes.push((await createLink(roleId)).status);
    expect(codes.at(-1)).toBe(429);
    expect((await ask("x".repeat(32))).msg).toBe("not-found");
    expect((await ask("short")).status).toBe(400);
  });
});
