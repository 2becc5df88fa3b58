import { sql } from "kysely";
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import type { CallData } from "~server/contract/calls/table";
import { consentStatements, proofStatement } from "~server/contract/consent";
import { fileIdOf } from "~server/contract/file-address";
import { createProofReviews } from "~server/upstream/voices/proofs/reviews";
import type { Member } from "../support/account";
import { createClone } from "../support/clone";
import { ruleEngines } from "../support/database";
import { createMember } from "../support/member";
import {
  acceptProofs,
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
import { createTrial, uploadVoice, waitForTrial } from "../support/trial";
import type { TestUpstream } from "../support/upstream";

describe.each(ruleEngines)("voice proofs on %s", (engine) => {
  let upstream: TestUpstream;
  let member: Member;
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
  const hand = (promptId: string, voicePath: string, who = member) =>
    who.post<CallData<"proofSubmit">>("/voice/proof/submit", { promptId, voicePath });
  const resultOf = (promptId: string, who = member) =>
    who.get<CallData<"proofResult">>(`/voice/proof/result?promptId=${promptId}`);
  const judged = (promptId: string) =>
    vi.waitFor(
      async () => {
        const answer = await resultOf(promptId);
        expect(answer.data.outcome).not.toBe("judging");
        return answer;
      },
      { timeout: 60_000, interval: 30 },
    );
  /** Hands in the prompt read aloud, and waits for the verdict where it was taken. */
  const submit = async (promptId: string, voicePath: string, who = member) => {
    const taken = await hand(promptId, voicePath, who);
    return taken.code === 0 ? judged(promptId) : taken;
  };
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
  const age = (table: "voice_proof" | "recording_consent", column: string, hours: number) =>
    sql`update ${sql.table(table)} set ${sql.ref(column)} = ${sql.ref(column)} - make_interval(hours => ${hours}::int)`.execute(
      upstream.database(),
    );

  const hasFile = async (url: string) => {
    const file = upstream.database().selectFrom("media_file").select("id").where("id", "=", fileIdOf(url));
    return (await file.executeTakeFirst()) !== undefined;
  };

  it("publishes a role only after its voice was proven, and keeps the figures with the proof", async () => {
    const roleId = await createReadyRole();
    expect(await findRole(member, roleId)).toMatchObject({ proof: "missing" });
    expect((await publishRole(member, roleId)).msg).toBe("proof-missing");
    const { data } = await prompt({ roleId });
    expect(data.lines.map((line) => line.join("").length)).toEqual([10, 10]);
    expect(await submit(data.promptId, await upload(12, 9))).toMatchObject({
      code: 0,
      data: { outcome: "yes", reason: null, canAskReview: false },
    });
    expect((await publishRole(member, roleId)).code).toBe(0);
    expect(await findRole(member, roleId)).toMatchObject({ isPublic: true, proof: "proven" });
    const row = await upstream.database().selectFrom("voice_proof").selectAll().where("id", "=", data.promptId);
    const { measures, prompt_sha256, address } = await row.executeTakeFirstOrThrow();
    expect(measures).toMatchObject({ speaker: 6, versions: { words: "test" }, thresholds: { words: { yes: 2.3 } } });
    expect(prompt_sha256).toMatch(/^[\da-f]{64}$/);
    expect(address).toBe(member.address);
  });

  it("proves a recording before its role is created", async () => {
    const voicePath = await upload(14);
    expect((await prove({ voicePath })).outcome).toBe("yes");
    const { data } = await postRole(member, { name: "小雨", voicePath, consent: voiceConsent });
    expect(data).toMatchObject({ proof: "proven" });
  });

  it("takes one reading as reference, consent and proof, and keeps it", async () => {
    // A recording is like itself: neither likeness nor a copy is judged.
    Object.assign(upstream.speech.proof, { speaker: null, copied: { identical: 1, alike: 1 } });
    const { promptId } = (await prompt({ isNewVoice: true })).data;
    const voicePath = await upload(12, 9);
    const consent = { statementId: proofStatement.id, voicePath };
    expect((await postRole(member, { name: "小雨", voicePath, consent })).msg).toBe("consent-missing");
    expect((await submit(promptId, voicePath)).data).toMatchObject({ outcome: "yes" });
    expect((await postRole(member, { name: "小雨", voicePath, consent: { statementId: proofStatement.id } })).msg).toBe(
      "consent-missing",
    );
    const { data } = await postRole(member, { name: "小雨", voicePath, consent });
    expect(data).toMatchObject({ proof: "proven" });
    await waitForRole(member, data.roleId);
    expect((await publishRole(member, data.roleId)).code).toBe(0);
  });

  it("keeps a private voice of which the one reading was not recognised", async () => {
    Object.assign(upstream.speech.proof, { words: { all: 0.4, lines: [0, 1] } });
    const { promptId } = (await prompt({ isNewVoice: true })).data;
    const voicePath = await upload(12, 9);
    expect((await submit(promptId, voicePath)).data).toMatchObject({ outcome: "no", reason: "words" });
    const consent = { statementId: proofStatement.id, voicePath };
    const { roleId } = (await postRole(member, { name: "小雨", voicePath, consent })).data;
    await waitForRole(member, roleId);
    await age("voice_proof", "submitted_at", 30);
    const again = await sweepByRestart(upstream, member);
    expect(await findRole(again, roleId)).toMatchObject({ proof: "missing", status: 2 });
    expect(await hasFile(voicePath)).toBe(true);
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
    expect(await prove({ roleId })).toEqual({
      outcome,
      reason,
      triesLeft: 1,
      canAskReview: outcome === "unclear" || reason === "copied",
    });
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
    const [one, two] = await Promise.all([hand(promptId, spoken), hand(promptId, spoken)]);
    expect([one.msg, two.msg].sort()).toEqual(["", "proof-expired"]);
    await judged(promptId);
    const first = (await prompt({ roleId })).data.promptId;
    const second = (await prompt({ roleId })).data.promptId;
    expect((await submit(first, await upload(12, 9))).msg).toBe("proof-expired");
    await age("voice_proof", "expires_at", 1);
    expect((await submit(second, await upload(12, 9))).msg).toBe("proof-expired");
    expect((await submit("nonsense", spoken)).msg).toBe("proof-expired");
  });

  it("takes ten seconds as a reference, pauses included, unless they are mostly silent", async () => {
    const voicePath = await upload(10, 3);
    const speechIs = (seconds: number) =>
      sql`update recording set quality = jsonb_set(quality, '{speechSeconds}', to_jsonb(${seconds}::float8))
        where (quality->>'durationMs')::int between 9900 and 10100`.execute(upstream.database());
    await speechIs(7.2);
    expect((await prompt({ voicePath })).code).toBe(0);
    await speechIs(4);
    expect((await prompt({ voicePath })).msg).toBe("proof-reference-short");
  });

  it("asks for a longer reference, and for the caller's own", async () => {
    expect(await prompt({ voicePath: await uploadVoice(member) })).toMatchObject({
      msg: "proof-reference-short",
      data: { need: 8 },
    });
    const short = await createRole(member);
    expect(await findRole(member, short.roleId)).toMatchObject({ proof: "short" });
    const roleId = await createReadyRole();
    const stranger = await createMember(upstream);
    expect((await prompt({ roleId }, stranger)).msg).toBe("voice-missing");
    expect((await prompt({ voicePath: "/api/v1/files/none.wav" })).msg).toBe("voice-missing");
  });

  it("lets the owner ask for a review of an unclear proof only", async () => {
    const roleId = await createReadyRole();
    upstream.speech.proof.speaker = -15;
    const { promptId } = (await prompt({ roleId })).data;
    await submit(promptId, await upload(12, 9));
    expect((await member.post("/voice/proof/review", { promptId })).code).toBe(0);
    expect(await findRole(member, roleId)).toMatchObject({ proof: "asked" });
    const stranger = await createMember(upstream);
    expect((await stranger.post("/voice/proof/review", { promptId })).msg).toBe("not-found");
  });

  it("shows operators' reasons on the role, which can be published once they accept", async () => {
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
    expect(await findRole(member, roleId)).toMatchObject({ proof: "proven", proofNote: "" });
    expect((await publishRole(member, roleId)).code).toBe(0);
  });

  it("offers a review of what was called a copy at once, and of words or a voice that were refused twice", async () => {
    const roleId = await createReadyRole();
    upstream.speech.proof.copied = { identical: 0.5, alike: 0.9 };
    const { promptId } = (await prompt({ roleId })).data;
    await submit(promptId, await upload(12, 9));
    expect((await member.post("/voice/proof/review", { promptId })).code).toBe(0);
    expect(await findRole(member, roleId)).toMatchObject({ proof: "asked" });
    Object.assign(acceptProofs(upstream), { speaker: -30 });
    expect(await prove({ roleId })).toMatchObject({ outcome: "no", reason: "speaker", canAskReview: true });
  });

  it("takes no request for a review of refused words before the tries are used up, and takes it after the pause", async () => {
    const roleId = await createReadyRole();
    upstream.speech.proof.words = { all: 0, lines: [0, 0] };
    const ask = (promptId: string) => member.post("/voice/proof/review", { promptId });
    const read = async () => {
      const { promptId } = (await prompt({ roleId })).data;
      return { promptId, ...(await submit(promptId, await upload(12, 9))).data };
    };
    const first = await read();
    expect(first).toMatchObject({ outcome: "no", reason: "words", canAskReview: false });
    expect((await ask(first.promptId)).msg).toBe("not-found");
    expect(await findRole(member, roleId)).toMatchObject({
      proof: "missing",
      proofAttempt: { outcome: "no", reason: "words" },
    });
    const last = await read();
    expect(last).toMatchObject({ triesLeft: 0, canAskReview: true });
    expect(await prompt({ roleId })).toMatchObject({ msg: "proof-paused", data: { promptId: last.promptId } });
    await age("voice_proof", "submitted_at", 2);
    expect((await resultOf(last.promptId)).data).toMatchObject({ triesLeft: 2, canAskReview: true });
    expect((await ask(last.promptId)).code).toBe(0);
    expect((await ask(last.promptId)).code).toBe(0);
    expect(await findRole(member, roleId)).toMatchObject({ proof: "asked", proofAttempt: null });
  });

  it("offers a review of the third recording that could not be judged", async () => {
    const roleId = await createReadyRole();
    upstream.speech.proof.highBandDb = -60;
    expect((await prove({ roleId })).canAskReview).toBe(false);
    expect((await prove({ roleId })).canAskReview).toBe(false);
    const { promptId } = (await prompt({ roleId })).data;
    const third = await submit(promptId, await upload(12, 9));
    expect(third.data).toMatchObject({ outcome: "unusable", triesLeft: 2, canAskReview: true });
    expect((await member.post("/voice/proof/review", { promptId })).code).toBe(0);
  });

  it("counts no try where the server fails", async () => {
    const roleId = await createReadyRole();
    const { measureProof } = upstream.speech;
    upstream.speech.measureProof = () => Promise.reject(new Error("engine"));
    const { promptId } = (await prompt({ roleId })).data;
    const failed = await submit(promptId, await upload(12, 9));
    expect(failed.data).toEqual({ outcome: "unusable", reason: null, triesLeft: 2, canAskReview: false });
    expect((await member.post("/voice/proof/review", { promptId })).msg).toBe("not-found");
    upstream.speech.measureProof = measureProof;
    expect((await prompt({ roleId })).data.triesLeft).toBe(2);
  });

  /** The judge waits until `go` is called. */
  const holdJudge = () => {
    const { measureProof } = upstream.speech;
    let go = () => {};
    const gate = new Promise<void>((resolve) => {
      go = resolve;
    });
    upstream.speech.measureProof = async (request, signal) => {
      const stopped = new Promise((_, reject) => signal?.addEventListener("abort", () => reject(signal.reason)));
      await Promise.race([gate, stopped]);
      return measureProof(request, signal);
    };
    const release = () => {
      upstream.speech.measureProof = measureProof;
      go();
    };
    return { release };
  };

  it("is judged after the answer: the voice says so, takes no second prompt, and is published only after a yes", async () => {
    const roleId = await createReadyRole();
    const { promptId } = (await prompt({ roleId })).data;
    const { release } = holdJudge();
    const taken = await hand(promptId, await upload(12, 9));
    expect(taken.data).toEqual({ outcome: "judging", reason: null, triesLeft: 1, canAskReview: false });
    expect((await resultOf(promptId)).data.outcome).toBe("judging");
    expect(await findRole(member, roleId)).toMatchObject({ proof: "judging", proofAttempt: null });
    expect(await prompt({ roleId })).toMatchObject({ msg: "proof-judging", data: { promptId } });
    expect((await member.post("/voice/proof/review", { promptId })).msg).toBe("not-found");
    expect((await publishRole(member, roleId)).msg).toBe("proof-missing");
    expect((await resultOf(promptId, await createMember(upstream))).msg).toBe("not-found");
    const restarted = sweepByRestart(upstream, member);
    release();
    member = await restarted;
    const proof = () => upstream.database().selectFrom("voice_proof").select("outcome").where("id", "=", promptId);
    await expect.poll(async () => (await proof().execute())[0]?.outcome, { timeout: 30_000 }).toBe("yes");
    expect((await publishRole(member, roleId)).code).toBe(0);
  });

  it("takes only as many recordings at a time as tries are left", async () => {
    const { release } = holdJudge();
    for (const seed of [1, 2]) {
      const { promptId } = (await prompt({ voicePath: await upload(14, seed) })).data;
      expect((await hand(promptId, await upload(12, 9))).data.outcome).toBe("judging");
    }
    const third = await prompt({ voicePath: await upload(14, 3) });
    release();
    expect([third.msg, third.data?.promptId]).toEqual(["proof-judging", undefined]);
    await expect.poll(async () => (await prompt({ voicePath: await upload(14, 3) })).code).toBe(0);
  });

  it("is judged by another worker where the first one dies, and ends without a counted try where all do", async () => {
    const roleId = await createReadyRole();
    const jobs = upstream.database().updateTable("job").where("kind", "=", "proof-judge");
    const die = jobs.where("state", "=", "active").set({ lease: sql`gen_random_uuid()`, lease_until: sql`now()` });
    const first = (await prompt({ roleId })).data.promptId;
    const { release } = holdJudge();
    await hand(first, await upload(12, 9));
    await expect.poll(async () => (await die.returning("id").execute()).length).toBe(1);
    release();
    expect((await judged(first)).data.outcome).toBe("yes");

    const other = await createReadyRole();
    const second = (await prompt({ roleId: other })).data.promptId;
    const held = holdJudge();
    await hand(second, await upload(12, 9));
    await expect.poll(async () => (await die.set({ attempt: 3 }).returning("id").execute()).length).toBe(1);
    expect((await judged(second)).data).toMatchObject({ outcome: "unusable", reason: null, triesLeft: 2 });
    held.release();
    expect(await findRole(member, other)).toMatchObject({ proof: "missing" });
  });

  it("ends with its voice: a role that is deleted while its proof is judged leaves nothing", async () => {
    const roleId = await createReadyRole();
    const { promptId } = (await prompt({ roleId })).data;
    const { release } = holdJudge();
    await hand(promptId, await upload(12, 9));
    expect((await member.post("/voice/role/revoke", { roleId })).code).toBe(0);
    release();
    expect((await resultOf(promptId)).msg).toBe("not-found");
    expect((await prompt({ voicePath: await upload(14, 7) })).data.triesLeft).toBe(2);
  });

  it("learns no voice of a recording without agreement", async () => {
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
  });

  it("keeps and uses the voices of roles and records without a proof, and deletes a recording that nothing uses after a day", async () => {
    member = await createMember(upstream, "vip");
    const roleId = await createReadyRole();
    const { voicePath: ofRole } = await findRole(member, roleId);
    const ofClone = await upload(6);
    const clone = await createClone(member, { content: "你好。", voicePath: ofClone });
    const ofTrial = await upload(7);
    const trial = await createTrial(member, { content: "你好。", voicePath: ofTrial });
    await waitForTrial(member, trial.data.taskId);
    await age("recording_consent", "agreed_at", 24 * 30);
    member = await sweepByRestart(upstream, member);
    await expect.poll(() => hasFile(ofTrial), { timeout: 30_000 }).toBe(false);
    expect(await findRole(member, roleId)).toMatchObject({ status: 2, proof: "missing", voicePath: ofRole });
    expect([await hasFile(ofRole), await hasFile(ofClone)]).toEqual([true, true]);
    expect((await createClone(member, { content: "再说一句。", roleId })).code).toBe(0);
    expect((await member.post("/voice/create", { content: "再说一句。", voicePath: ofClone })).code).toBe(0);

    const { list } = (await member.get<{ list: Array<{ voiceId: string; content: string }> }>("/voice/list")).data;
    expect(list.map(({ voiceId }) => voiceId)).toContain(clone.data.taskId);
    await member.post("/voice/del", { ids: list.map(({ voiceId }) => voiceId) });
    member = await sweepByRestart(upstream, member);
    await expect.poll(() => hasFile(ofClone), { timeout: 30_000 }).toBe(false);
    expect(await hasFile(ofRole)).toBe(true);
  });
});
