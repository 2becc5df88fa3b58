import { createHash } from "node:crypto";
import { sql } from "kysely";
import type { ProofFault } from "~server/contract/calls/proofs";
import type { CallData, CallRequest } from "~server/contract/calls/table";
import { proofStatement } from "~server/contract/consent";
import type { RecordingQuality } from "~server/contract/recording/quality";
import type { Db } from "../../db/database";
import { AppError } from "../../errors";
import type { Queue } from "../../jobs/queue";
import type { Owner } from "../../owner";
import { isUuid } from "../../sql-fragments";
import type { Recordings } from "../recordings";
import { requireProvable } from "../reference-refusal";
import { createPhrase } from "./phrase";
import { canAskReview, requireTry, triesLeft } from "./tries";

export type ProofPrompt = CallData<"proofPrompt">;
export type ProofResult = CallData<"proofSubmit">;

export interface ProofCaller {
  /** Owner of the counted tries and of the recording that answers the prompt. */
  owner: Owner;
  /** Owner of the voice to be; the caller if absent. */
  voiceOwner?: Owner;
  address: string;
}

/**
 * Proofs that a recording's speaker agrees to a synthetic voice. A proof belongs to the recording: whatever is learned from
 * it is proven with it. It is evidence, not identification; see docs/decisions/0054-voice-proofs.md.
 */
export type Proofs = ReturnType<typeof createProofs>;

interface Submitter {
  /** Owner of the prompt. */
  owner: Owner;
  /** Uploader of the recording; the owner if absent. */
  uploader?: Owner;
}

type TakeSpoken = (trx: Db, spokenId: string) => Promise<void>;

interface ProofParts {
  db: Db;
  recordings: Pick<Recordings, "findId">;
  queue: Pick<Queue, "enqueue" | "wake">;
}

/** The job that judges a submitted proof; run by separate workers, because a person waits for the answer. */
export const judgingKind = "proof-judge";

const judging = { outcome: "judging", reason: null, canAskReview: false } as const;

const promptMinutes = 5;
/** Ahead of the generations that use the same speech processes. */
const priority = 25;

export function createProofs({ db, recordings, queue }: ProofParts) {
  return {
    /**
     * A new prompt; earlier ones of the caller end. Throws voice-missing, proof-reference-short `{need}`, proof-paused
     * `{retryAfterSeconds, promptId?}`, and proof-judging while one is judged, with its `{promptId}` if it is of this voice.
     */
    async createPrompt(
      { owner, voiceOwner = owner, address }: ProofCaller,
      request: CallRequest<"proofPrompt">,
    ): Promise<ProofPrompt> {
      const voice = request.isNewVoice ? null : await requireVoice({ db, recordings }, voiceOwner, request);
      const lines = createPhrase(voice?.transcript ?? "");
      return db.transaction().execute(async (trx) => {
        await requireTry(trx, owner, voice?.id ?? null);
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
            recording_id: voice?.id ?? null,
            ...statementColumns,
            lines: lines.map((words) => words.join(" ")),
            prompt_sha256: hashOf([proofStatement.text, ...lines.flat()]),
            expires_at: sql<Date>`now() + make_interval(mins => ${promptMinutes}::int)`,
          })
          .returning("id")
          .executeTakeFirstOrThrow();
        const rest = { expiresInSeconds: promptMinutes * 60, triesLeft: await triesLeft(trx, owner) };
        return { promptId: id, statement: proofStatement.text, lines, ...rest };
      });
    },
    /**
     * Takes the prompt read aloud, once, and queues its judgement. `take` runs in the same transaction. Throws
     * proof-expired for a prompt that was used or is too old, and voice-missing for a recording that is not the uploader's
     * or older than the prompt.
     */
    async submit(
      { owner, uploader = owner }: Submitter,
      { promptId, voicePath }: CallRequest<"proofSubmit">,
      take?: TakeSpoken,
    ): Promise<ProofResult> {
      const spokenId = isUuid(promptId) && (await recordings.findId(uploader, voicePath));
      if (spokenId === false) throw promptExpired();
      if (!spokenId) throw new AppError("voice-missing", "not a recording of the caller");
      const result = await db.transaction().execute(async (trx) => {
        await takePrompt(trx, { owner, promptId, spokenId });
        await take?.(trx, spokenId);
        await queue.enqueue(trx, { kind: judgingKind, key: promptId, payload: { id: promptId }, priority });
        return { ...judging, triesLeft: await triesLeft(trx, owner) };
      });
      queue.wake();
      return result;
    },
    /** Verdict of the submitted prompt, or its state while it is being judged. Throws not-found. */
    async getResult(owner: Owner, promptId: string): Promise<ProofResult> {
      const { outcome, reason, ...proof } = await findSubmitted(db, owner, promptId);
      const left = await triesLeft(db, owner);
      if (!outcome) return { ...judging, triesLeft: left };
      const isReviewable = proof.review === null && (await canAskReview(db, owner, { ...proof, outcome, reason }));
      return { outcome, reason: reason as ProofFault | null, triesLeft: left, canAskReview: isReviewable };
    },
    /** Asks operators to listen to a proof where `canAskReview` is true; idempotent. Throws not-found. */
    async askReview(owner: Owner, promptId: string) {
      const proof = await findSubmitted(db, owner, promptId);
      if (proof.review !== null) return;
      if (!(await canAskReview(db, owner, proof))) throw new AppError("not-found", "no proof to be reviewed");
      const asked = { review: "asked" } as const;
      await db.updateTable("voice_proof").set(asked).where("id", "=", proof.id).where("review", "is", null).execute();
    },
  };
}

async function findSubmitted(db: Db, owner: Owner, promptId: string) {
  const own = db.selectFrom("voice_proof").selectAll().where("owner", "=", owner);
  const submitted = own.where(sql<string>`id::text`, "=", promptId).where("submitted_at", "is not", null);
  const proof = await submitted.executeTakeFirst();
  if (!proof) throw new AppError("not-found", "no such proof");
  return proof;
}

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

/** Throws voice-missing, and proof-reference-short for a recording with too little speech to compare. */
async function requireVoice(parts: FindParts, owner: Owner, request: CallRequest<"proofPrompt">) {
  const voice = await findVoice(parts, owner, request);
  if (!voice) throw new AppError("voice-missing", "no such recording");
  requireProvable(voice.quality as RecordingQuality);
  return voice;
}

/** Whether the owner handed the recording in as a prompt read aloud, whose first sentence is the proof's statement. */
export async function isPromptReading(trx: Db, recordingId: string, owner: Owner): Promise<boolean> {
  const proofs = trx.selectFrom("voice_proof").select("id").where("owner", "=", owner);
  return (await proofs.where("spoken_id", "=", recordingId).limit(1).executeTakeFirst()) !== undefined;
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

const promptExpired = () => new AppError("proof-expired", "no open prompt");

/** Marks the prompt as used, so that it is judged once. Its reading becomes the recording of a prompt without a voice. */
async function takePrompt(
  trx: Db,
  { owner, promptId, spokenId }: { owner: Owner; promptId: string; spokenId: string },
) {
  const taken = await trx
    .updateTable("voice_proof")
    .set({
      submitted_at: sql<Date>`now()`,
      spoken_id: spokenId,
      recording_id: sql<string>`coalesce(recording_id, ${spokenId})`,
    })
    .where("id", "=", promptId)
    .where("owner", "=", owner)
    .where("submitted_at", "is", null)
    .where("expires_at", ">", sql<Date>`now()`)
    .where((eb) => eb.or([eb("recording_id", "is", null), eb("recording_id", "!=", spokenId)]))
    .where(sql<boolean>`created_at <= (select created_at from recording where id = ${spokenId})`)
    .returning("id")
    .executeTakeFirst();
  if (!taken) throw promptExpired();
}
