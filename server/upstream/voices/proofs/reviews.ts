import { sql } from "kysely";
import { proofStatement } from "~server/contract/consent";
import type { Db } from "../../db/database";
import { AppError } from "../../errors";
import { afterRow, type KeysetPage } from "../../sql-fragments";

export interface OpenProof {
  proofId: string;
  /** Names of the roles with this voice. */
  roles: string[];
  owner: string;
  /** Reason why the words were not recognised. */
  reason: string | null;
  submittedAt: Date;
}

export interface ProofDetails extends OpenProof {
  /** Text that should have been read aloud: the statement and the lines. */
  prompt: string[];
  /** Figures, thresholds and versions. */
  measures: unknown;
  /** The recording that is to be proven, and the prompt read aloud: bytes and their format. */
  reference: StoredSound;
  spoken: StoredSound;
}

interface StoredSound {
  bytes: Uint8Array;
  format: string;
}

/** Operators' answers to proofs that could not be judged. Each answer writes an audit row in its own transaction. */
export type ProofReviews = ReturnType<typeof createProofReviews>;

interface ReviewParts {
  db: Db;
  /** The bytes of a stored file by its storage key. */
  readStored(key: string): Promise<Uint8Array>;
}

export function createProofReviews({ db, readStored }: ReviewParts, operator: string) {
  const waiting = () =>
    db
      .selectFrom("voice_proof")
      .select(["id as proofId", "owner", "reason", "decided_at as submittedAt"])
      .select(
        sql<string[]>`array(select name from role where role.recording_id = voice_proof.recording_id)`.as("roles"),
      )
      .where("review", "=", "asked")
      .orderBy("decided_at")
      .orderBy("id");

  const readSound = async (recordingId: string | null): Promise<StoredSound> => {
    const file = await db
      .selectFrom("recording")
      .innerJoin("media_file", "media_file.id", "recording.file_id")
      .select("storage_key")
      .where("recording.id", "=", recordingId)
      .executeTakeFirst();
    if (!file) throw new AppError("not-found", "the recording was deleted");
    const format = file.storage_key.split(".").at(-1) ?? "wav";
    return { bytes: await readStored(file.storage_key), format };
  };

  const answer = (proofId: string, { isAccepted, reason }: { isAccepted: boolean; reason: string | null }) =>
    db.transaction().execute(async (trx) => {
      const proof = await trx
        .updateTable("voice_proof")
        .set({ review: isAccepted ? "accepted" : "refused", review_reason: reason })
        .set({ reviewed_by: operator, reviewed_at: sql<Date>`now()` })
        .where("id", "=", proofId)
        .where("review", "=", "asked")
        .returning("id")
        .executeTakeFirst();
      if (!proof) throw new AppError("not-found", "no such proof waits for an answer");
      const action = isAccepted ? "accept-proof" : "decline-proof";
      await trx
        .insertInto("audit")
        .values({ operator, action, target: proofId, detail: JSON.stringify({ reason }) })
        .execute();
    });

  return {
    /** Proofs that wait for an answer, oldest first. */
    async list({ limit, after }: KeysetPage = {}): Promise<OpenProof[]> {
      let listed = waiting();
      if (limit !== undefined) listed = listed.limit(limit);
      if (after !== undefined)
        listed = listed.where(afterRow("voice_proof", after, { by: "decided_at", isOldestFirst: true }));
      return (await listed.execute()).map(toOpen);
    },
    /** One of them with both recordings. Throws not-found. */
    async open(proofId: string): Promise<ProofDetails> {
      const columns = ["recording_id", "spoken_id", "lines", "measures"] as const;
      const row = await waiting().select(columns).where("id", "=", proofId).executeTakeFirst();
      if (!row) throw new AppError("not-found", "no such proof waits for an answer");
      const { recording_id, spoken_id, lines, measures, ...open } = row;
      const [reference, spoken] = await Promise.all([recording_id, spoken_id].map(readSound));
      if (!reference || !spoken) throw new Error("two recordings");
      return { ...toOpen(open), prompt: [proofStatement.text, ...lines], measures, reference, spoken };
    },
    /** The voice counts as proven. Throws not-found. */
    accept: (proofId: string): Promise<void> => answer(proofId, { isAccepted: true, reason: null }),
    /** The role's page shows the reason. Throws not-found. */
    decline: (proofId: string, reason: string): Promise<void> => answer(proofId, { isAccepted: false, reason }),
  };
}

const toOpen = ({ submittedAt, ...row }: Omit<OpenProof, "submittedAt"> & { submittedAt: Date | null }): OpenProof => ({
  ...row,
  submittedAt: submittedAt ?? new Date(0),
});
