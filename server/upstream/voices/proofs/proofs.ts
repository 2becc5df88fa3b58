import { createHash } from "node:crypto";
import { sql } from "kysely";
import type { ProofFault } from "~server/contract/calls/proofs";
import type { CallData, CallRequest } from "~server/contract/calls/table";
import { proofStatement } from "~server/contract/consent";
import { referenceLeastSeconds } from "~server/contract/limits";
import type { RecordingQuality } from "~server/contract/recording/quality";
import type { Db } from "../../db/database";
import { AppError } from "../../errors";
import { isUuid } from "../../ids";
import type { Owner } from "../../owner";
import type { Recordings } from "../recordings";
import type { JudgeProof } from "./judging";
import { createPhrase } from "./phrase";
import { requireTry, triesLeft } from "./tries";
import { proofThresholds } from "./verdict";

export type ProofPrompt = CallData<"proofPrompt">;
export type ProofResult = CallData<"proofSubmit">;

export interface ProofCaller {
  /** Whose tries are counted, and whose recording answers the prompt. */
  owner: Owner;
  /** Whose voice it is to be; the caller's own if it is absent. */
  voiceOwner?: Owner;
  address: string;
}

/**
 * Proofs that a recording's speaker agrees to a synthetic voice. A proof belongs to the recording: whatever is learned from
 * it is proven with it. It is evidence, not identification; see docs/decisions/0054-voice-proofs.md.
 */
export interface Proofs {
  /**
   * A new prompt; earlier ones of the caller end. Throws voice-missing, proof-reference-short `{need}` and proof-paused
   * `{retryAfterSeconds}`.
   */
  createPrompt(caller: ProofCaller, request: CallRequest<"proofPrompt">): Promise<ProofPrompt>;
  /**
   * Judges the prompt read aloud, once. Throws proof-expired for a prompt that was used or is too old, and voice-missing
   * for a recording that is not the caller's or older than the prompt.
   */
  judgeProof(owner: Owner, request: CallRequest<"proofSubmit">): Promise<ProofResult>;
  /** Asks operators to listen to a proof whose words or voice were not recognised; idempotent. Throws not-found. */
  askReview(owner: Owner, promptId: string): Promise<void>;
}

interface ProofParts {
  db: Db;
  recordings: Pick<Recordings, "findId">;
  judge: JudgeProof;
}

const promptMinutes = 5;

export function createProofs({ db, recordings, judge }: ProofParts): Proofs {
  return {
    async createPrompt({ owner, voiceOwner = owner, address }, request) {
      const voice = await findVoice({ db, recordings }, voiceOwner, request);
      if (!voice) throw new AppError("voice-missing", "no such recording");
      const { speechSeconds } = voice.quality as RecordingQuality;
      if (speechSeconds < referenceLeastSeconds) {
        const data = { need: referenceLeastSeconds, seconds: Math.floor(speechSeconds) };
        throw new AppError("proof-reference-short", "too little speech in the reference", { data });
      }
      const lines = createPhrase(voice.transcript ?? "");
      return db.transaction().execute(async (trx) => {
        await requireTry(trx, owner);
        await trx
          .updateTable("voice_proof")
          .set({ expires_at: sql<Date>`now()` })
          .where("owner", "=", owner)
          .where("submitted_at", "is", null)
          .where("expires_at", ">", sql<Date>`now()`)
          .execute();
        const { id } = await trx
          .insertInto("voice_proof")
          .values({
            owner,
            address,
            recording_id: voice.id,
            ...statementColumns,
            lines: lines.map((words) => words.join(" ")),
            prompt_sha256: hashOf([proofStatement.text, ...lines.flat()]),
            expires_at: sql<Date>`now() + make_interval(mins => ${promptMinutes}::int)`,
          })
          .returning("id")
          .executeTakeFirstOrThrow();
        const left = await triesLeft(trx, owner);
        const { text: statement } = proofStatement;
        return { promptId: id, statement, lines, expiresInSeconds: promptMinutes * 60, triesLeft: left };
      });
    },
    async judgeProof(owner, { promptId, voicePath }) {
      const proof = await takePrompt({ db, recordings }, { owner, promptId, voicePath });
      const { outcome, reason, measures } = await judge(proof).catch(async (error: unknown) => {
        // A fault of the server counts no try.
        await db.updateTable("voice_proof").set({ outcome: "unusable" }).where("id", "=", proof.id).execute();
        throw error;
      });
      return db.transaction().execute(async (trx) => {
        const figures = measures && JSON.stringify({ ...measures, thresholds: proofThresholds });
        const judged = await trx
          .updateTable("voice_proof")
          .set({ outcome, reason, measures: figures, decided_at: sql<Date>`now()` })
          .where("id", "=", proof.id)
          .where("outcome", "is", null)
          .returning("id")
          .executeTakeFirst();
        if (!judged) throw new AppError("proof-expired", "the prompt ended while its recording was judged");
        if (outcome === "yes") await keepVoices(trx, proof.recordingId);
        const left = await triesLeft(trx, owner);
        const canAskReview = outcome === "unclear" || (left === 0 && isDoubtful({ outcome, reason }));
        return { outcome, reason, triesLeft: left, canAskReview };
      });
    },
    async askReview(owner, promptId) {
      if (!isUuid(promptId)) throw new AppError("not-found", "no such proof");
      const own = db.updateTable("voice_proof").where("id", "=", promptId).where("owner", "=", owner);
      const asked = await own
        .set({ review: sql<"asked">`coalesce(review, 'asked')` })
        .where("outcome", "in", ["unclear", "no"])
        .where("reason", "in", doubtfulReasons)
        .returning("recording_id")
        .executeTakeFirst();
      if (!asked) throw new AppError("not-found", "no such proof");
      // Operators need a few days.
      await db
        .updateTable("role")
        .set({ proof_due_at: sql<Date>`now() + interval '7 days'` })
        .where("recording_id", "=", asked.recording_id)
        .where("proof_due_at", "is not", null)
        .execute();
    },
  };
}

/** Measures that are wrong about some people and microphones. A copy or a made voice is not reviewed. */
const doubtfulReasons = ["words", "speaker"] as const satisfies ProofFault[];

const isDoubtful = ({ outcome, reason }: Pick<ProofResult, "outcome" | "reason">) =>
  outcome === "no" && doubtfulReasons.some((doubtful) => doubtful === reason);

const statementColumns = {
  statement_id: proofStatement.id,
  statement_version: proofStatement.version,
  statement_sha256: proofStatement.sha256,
};

const hashOf = (texts: string[]) => createHash("sha256").update(texts.join("\n")).digest("hex");

/** Whether the recording's voice is proven. */
export async function isProven(trx: Db, recordingId: string): Promise<boolean> {
  const proofs = trx.selectFrom("voice_proof").select("id").where("recording_id", "=", recordingId);
  const proven = proofs.where((eb) => eb.or([eb("outcome", "=", "yes"), eb("review", "=", "accepted")]));
  return (await proven.limit(1).executeTakeFirst()) !== undefined;
}

/** The roles of a proven recording stay. */
export async function keepVoices(trx: Db, recordingId: string): Promise<void> {
  await trx.updateTable("role").set({ proof_due_at: null }).where("recording_id", "=", recordingId).execute();
}

type FindParts = Pick<ProofParts, "db" | "recordings">;

/** The recording of the owner's role, or the owner's recording. */
async function findVoice({ db, recordings }: FindParts, owner: Owner, request: CallRequest<"proofPrompt">) {
  const { roleId, voicePath } = request;
  if (roleId) {
    return db
      .selectFrom("role")
      .innerJoin("recording", "recording.id", "role.recording_id")
      .select(["recording.id", "quality", "transcript"])
      .where("role.id", "=", roleId)
      .where("role.owner", "=", owner)
      .executeTakeFirst();
  }
  const id = await recordings.findId(owner, voicePath ?? "");
  if (!id) return undefined;
  const found = db.selectFrom("recording").select(["id", "quality"]).where("id", "=", id);
  const recording = await found.executeTakeFirst();
  return recording && { ...recording, transcript: null };
}

/** Marks the prompt as used, so that it is judged once. */
async function takePrompt(
  { db, recordings }: FindParts,
  { owner, promptId, voicePath }: CallRequest<"proofSubmit"> & { owner: Owner },
) {
  const expired = () => new AppError("proof-expired", "no open prompt");
  if (!isUuid(promptId)) throw expired();
  const spokenId = await recordings.findId(owner, voicePath);
  if (!spokenId) throw new AppError("voice-missing", "not a recording of the caller");
  const taken = await db
    .updateTable("voice_proof")
    .set({ submitted_at: sql<Date>`now()`, spoken_id: spokenId })
    .where("id", "=", promptId)
    .where("owner", "=", owner)
    .where("submitted_at", "is", null)
    .where("expires_at", ">", sql<Date>`now()`)
    .where("recording_id", "!=", spokenId)
    .where(sql<boolean>`created_at <= (select created_at from recording where id = ${spokenId})`)
    .returning(["id", "recording_id as recordingId", "lines"])
    .executeTakeFirst();
  if (!taken) throw expired();
  return { ...taken, spokenId };
}
