import { sql } from "kysely";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { CallData } from "~server/contract/calls/table";
import { consentStatements } from "~server/contract/consent";
import { fileIdOf } from "~server/contract/file-address";
import { createProofReviews } from "~server/upstream/voices/proofs/reviews";
import { createClone } from "../support/clone";
import { testEngines } from "../support/database";
import { createMember } from "../support/member";
import {
  acceptProofs,
  createRole,
  findRole,
  openProofUpstream,
  postRole,
  publishRole,
  uploadSpeech,
  voiceConsent,
  waitForRole,
} from "../support/role";
import { createTrial, uploadVoice } from "../support/trial";
import type { TestUpstream, Visitor } from "../support/upstream";

describe.each(testEngines)("voice proofs on %s", (engine) => {
  let upstream: TestUpstream;
  let member: Visitor;
  beforeAll(async () => {
    upstream = await openProofUpstream(engine);
  });
  afterAll(() => upstream.close());
  beforeEach(async () => {
    acceptProofs(upstream);
    member = await createMember(upstream);
  });

  const upload = (seconds: number, seed?: number) => uploadSpeech(member, seconds, seed);
  const prompt = (body: object, who = member) =>
    who.post<CallData<"proofPrompt"> & { need?: number; retryAfterSeconds?: number }>("/voice/proof/prompt", body);
  const submit = (promptId: string, voicePath: string, who = member) =>
    who.post<CallData<"proofSubmit">>("/voice/proof/submit", { promptId, voicePath });
  /** Reads a new prompt for a voice. */
  const prove = async (body: object, spoken?: string) => {
    const { promptId } = (await prompt(body)).data;
    return (await submit(promptId, spoken ?? (await upload(12, 9)))).data;
  };
  const createReadyRole = async () => {
    const { roleId } = await createRole(member, { voicePath: await upload(14) });
    await waitForRole(member, roleId);
    return roleId;
  };
  const age = (table: "voice_proof" | "recording_consent" | "role", column: string, hours: number) =>
    sql`update ${sql.table(table)} set ${sql.ref(column)} = ${sql.ref(column)} - make_interval(hours => ${hours}::int)`.execute(
      upstream.database(),
    );

  const hasFile = async (url: string) => {
    const file = upstream.database().selectFrom("media_file").select("id").where("id", "=", fileIdOf(url));
    return (await file.executeTakeFirst()) !== undefined;
  };

  it("publishes a role only after its voice was proven, and keeps the figures with the proof", async () => {
    const roleId = await createReadyRole();
    expect(await findRole(member, roleId)).toMatchObject({ proof: "missing", proofDueAt: expect.stringMatching(/T/) });
    expect((await publishRole(member, roleId)).msg).toBe("proof-missing");
    const { data } = await prompt({ roleId });
    expect(data.lines.map((line) => line.join("").length)).toEqual([10, 10]);
    expect(await submit(data.promptId, await upload(12, 9))).toMatchObject({
      code: 0,
      data: { outcome: "yes", reason: null, canAskReview: false },
    });
    expect((await publishRole(member, roleId)).code).toBe(0);
    expect(await findRole(member, roleId)).toMatchObject({ isPublic: true, proof: "proven", proofDueAt: "" });
    const row = await upstream.database().selectFrom("voice_proof").selectAll().where("id", "=", data.promptId);
    const { measures, prompt_sha256, address } = await row.executeTakeFirstOrThrow();
    expect(measures).toMatchObject({ speaker: 6, versions: { words: "test" }, thresholds: { words: { yes: 2.3 } } });
    expect(prompt_sha256).toMatch(/^[\da-f]{64}$/);
    expect(address).toBe(member.address);
  });

  it("proves a recording before its role is created, which then stays", async () => {
    const voicePath = await upload(14);
    expect((await prove({ voicePath })).outcome).toBe("yes");
    const { data } = await postRole(member, { name: "小雨", voicePath, consent: voiceConsent });
    expect(data).toMatchObject({ proof: "proven", proofDueAt: "" });
  });

  it.each([
    ["words that were not asked for", { words: { all: 0.4, lines: [0, 1] } }, "no", "words"],
    ["words that may have been said", { words: { all: 1.8, lines: [2, 2] } }, "unclear", "words"],
    ["one line that was not said", { words: { all: 2.6, lines: [4, 0.8] } }, "unclear", "words"],
    ["another voice", { speaker: -30 }, "no", "speaker"],
    ["a voice that may be another", { speaker: -15 }, "unclear", "speaker"],
    ["a copy of the reference", { copied: { identical: 0.09, alike: 0.2 } }, "no", "copied"],
    ["a recording cut from the reference", { copied: { identical: 0, alike: 0.5 } }, "no", "copied"],
  ])("does not accept %s", async (_, measures, outcome, reason) => {
    Object.assign(upstream.speech.proof, measures);
    const roleId = await createReadyRole();
    expect(await prove({ roleId })).toEqual({ outcome, reason, triesLeft: 1, canAskReview: outcome === "unclear" });
    expect((await publishRole(member, roleId)).msg).toBe("proof-missing");
  });

  it("counts no try for a recording that cannot be judged", async () => {
    const roleId = await createReadyRole();
    const { promptId } = (await prompt({ roleId })).data;
    const short = await submit(promptId, await upload(4));
    expect(short.data).toMatchObject({ outcome: "unusable", reason: "too-short", triesLeft: 2 });
    upstream.speech.proof.highBandDb = -60;
    expect(await prove({ roleId })).toEqual({
      outcome: "unusable",
      reason: "phone-band",
      triesLeft: 2,
      canAskReview: false,
    });
    expect((await prompt({ roleId })).code).toBe(0);
  });

  it("pauses after two failed tries for an hour, and after five for a day", async () => {
    const roleId = await createReadyRole();
    upstream.speech.proof.speaker = -30;
    expect((await prove({ roleId })).triesLeft).toBe(1);
    expect((await prove({ roleId })).triesLeft).toBe(0);
    const paused = await prompt({ roleId });
    expect(paused.msg).toBe("proof-paused");
    expect(paused.data.retryAfterSeconds).toBeGreaterThan(3500);
    // Another recording of the same account waits too.
    expect((await prompt({ voicePath: await upload(14, 6) })).msg).toBe("proof-paused");
    await age("voice_proof", "submitted_at", 2);
    await prove({ roleId });
    await prove({ roleId });
    await age("voice_proof", "submitted_at", 2);
    await prove({ roleId });
    await age("voice_proof", "submitted_at", 2);
    expect((await prompt({ roleId })).data.retryAfterSeconds).toBeGreaterThan(12 * 3600);
    await age("voice_proof", "submitted_at", 24);
    expect((await prompt({ roleId })).code).toBe(0);
  });

  it("takes a prompt once, from its caller, in time, with a recording made after it", async () => {
    const roleId = await createReadyRole();
    const early = await upload(12, 9);
    const { promptId } = (await prompt({ roleId })).data;
    expect((await submit(promptId, early)).msg).toBe("proof-expired");
    const spoken = await upload(12, 9);
    const stranger = await createMember(upstream);
    expect((await submit(promptId, spoken, stranger)).msg).toBe("voice-missing");
    const [one, two] = await Promise.all([submit(promptId, spoken), submit(promptId, spoken)]);
    expect([one.msg, two.msg].sort()).toEqual(["", "proof-expired"]);
    const first = (await prompt({ roleId })).data.promptId;
    const second = (await prompt({ roleId })).data.promptId;
    expect((await submit(first, await upload(12, 9))).msg).toBe("proof-expired");
    await age("voice_proof", "expires_at", 1);
    expect((await submit(second, await upload(12, 9))).msg).toBe("proof-expired");
    expect((await submit("nonsense", spoken)).msg).toBe("proof-expired");
  });

  it("asks for a longer reference, and for the caller's own", async () => {
    expect(await prompt({ voicePath: await uploadVoice(member) })).toMatchObject({
      msg: "proof-reference-short",
      data: { need: 8 },
    });
    const roleId = await createReadyRole();
    const stranger = await createMember(upstream);
    expect((await prompt({ roleId }, stranger)).msg).toBe("voice-missing");
    expect((await prompt({ voicePath: "/api/v1/files/none.wav" })).msg).toBe("voice-missing");
  });

  it("lets operators be asked about what was unclear, and about nothing else", async () => {
    const roleId = await createReadyRole();
    upstream.speech.proof.speaker = -15;
    const { promptId } = (await prompt({ roleId })).data;
    await submit(promptId, await upload(12, 9));
    expect((await member.post("/voice/proof/review", { promptId })).code).toBe(0);
    expect(await findRole(member, roleId)).toMatchObject({ proof: "asked" });
    const stranger = await createMember(upstream);
    expect((await stranger.post("/voice/proof/review", { promptId })).msg).toBe("not-found");
  });

  it("shows operators' reasons on the role, and keeps its voice once they accept", async () => {
    const roleId = await createReadyRole();
    const reviews = createProofReviews({ db: upstream.database(), readStored: async () => new Uint8Array(4) }, "ops");
    upstream.speech.proof.speaker = -15;
    const ask = async () => {
      const { promptId } = (await prompt({ roleId })).data;
      await submit(promptId, await upload(12, 9));
      expect((await member.post("/voice/proof/review", { promptId })).code).toBe(0);
      return promptId;
    };
    const declined = await ask();
    expect((await reviews.list()).find(({ proofId }) => proofId === declined)).toMatchObject({ reason: "speaker" });
    const opened = await reviews.open(declined);
    expect(opened.prompt).toHaveLength(3);
    expect(opened.spoken).toEqual({ bytes: new Uint8Array(4), format: "wav" });
    await reviews.decline(declined, "两个人的声音");
    expect(await findRole(member, roleId)).toMatchObject({ proof: "declined", proofNote: "两个人的声音" });
    expect((await publishRole(member, roleId)).msg).toBe("proof-missing");
    await expect(reviews.accept(declined)).rejects.toThrow("no such proof");
    await reviews.accept(await ask());
    expect(await findRole(member, roleId)).toMatchObject({ proof: "proven", proofNote: "", proofDueAt: "" });
    expect((await publishRole(member, roleId)).code).toBe(0);
  });

  it("offers a review of words or a voice that were refused twice, and none of a copy", async () => {
    const roleId = await createReadyRole();
    upstream.speech.proof.copied = { identical: 0.5, alike: 0.9 };
    const { promptId } = (await prompt({ roleId })).data;
    await submit(promptId, await upload(12, 9));
    expect((await member.post("/voice/proof/review", { promptId })).msg).toBe("not-found");
    Object.assign(acceptProofs(upstream), { speaker: -30 });
    expect(await prove({ roleId })).toMatchObject({ outcome: "no", reason: "speaker", canAskReview: true });
  });

  it("counts no try where the server fails", async () => {
    const roleId = await createReadyRole();
    const { measureProof } = upstream.speech;
    upstream.speech.measureProof = () => Promise.reject(new Error("engine"));
    const { promptId } = (await prompt({ roleId })).data;
    expect((await submit(promptId, await upload(12, 9))).msg).toBe("failure");
    upstream.speech.measureProof = measureProof;
    expect((await prompt({ roleId })).data.triesLeft).toBe(2);
  });

  it("deletes the voice of a role that is not proven within a day, and keeps what was spoken with it", async () => {
    const roleId = await createReadyRole();
    const { voicePath, voiceUrl } = await findRole(member, roleId);
    const { data } = await createClone(member, { content: "说一句。", roleId });
    await age("role", "proof_due_at", 25);
    await upstream.restart();
    upstream.services.startWorker();
    const role = () => upstream.database().selectFrom("role").selectAll().where("id", "=", roleId).executeTakeFirst();
    await expect.poll(async () => (await role())?.status).toBe(3);
    expect(await role()).toMatchObject({ reason: "proof-missing", recording_id: null, preview_id: null });
    await expect.poll(() => hasFile(voicePath)).toBe(false);
    await expect.poll(() => hasFile(voiceUrl)).toBe(false);
    const clone = upstream.database().selectFrom("clone").select("id").where("id", "=", data.taskId);
    expect(await clone.execute()).toHaveLength(1);
  });

  it("learns no voice of a recording without agreement, and forgets an agreed one after a day without proof", async () => {
    const voicePath = await upload(6);
    expect((await member.post("/voice/create", { content: "你好。", voicePath })).msg).toBe("consent-missing");
    expect((await member.post("/voice/try/create", { content: "你好。", voicePath })).msg).toBe("consent-missing");
    const unknown = { content: "你好。", voicePath, consent: { statementId: "none" } };
    expect((await member.post("/voice/create", unknown)).msg).toBe("consent-missing");
    expect((await createTrial(member, { content: "你好。", voicePath })).code).toBe(0);
    const rows = await upstream.database().selectFrom("recording_consent").selectAll().execute();
    const [statement] = consentStatements;
    expect(rows.at(-1)).toMatchObject({ statement_sha256: statement.sha256, address: member.address });
    // Agreed once, the recording can be used again.
    expect((await member.post("/voice/create", { content: "你好。", voicePath })).code).toBe(0);
    const proven = await upload(14);
    await prove({ voicePath: proven });
    await createClone(member, { content: "你好。", voicePath: proven });
    await age("recording_consent", "agreed_at", 25);
    await upstream.restart();
    upstream.services.startWorker();
    await expect.poll(() => hasFile(voicePath)).toBe(false);
    expect(await hasFile(proven)).toBe(true);
  });
});
