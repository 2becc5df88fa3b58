import { sql } from "kysely";
import type { Db } from "../../db/database";
import type { JobHandler } from "../../jobs/handler";
import type { JudgeProof } from "./judging";
import { keepVoices } from "./proofs";
import { proofThresholds } from "./verdict";

interface JudgingParts {
  db: Db;
  judge: JudgeProof;
  /** Records what a yes to a link's prompt means, in its transaction. */
  recordConsents(trx: Db): Promise<void>;
}

/** A measurement takes seconds of processor time; beyond this, something hangs. */
const attemptMs = 180_000;

/**
 * Judges a submitted proof. A worker that dies is followed by another one; the last failure ends the proof without a
 * counted try. A proof that was ended meanwhile, by a refused link for example, keeps its end.
 */
export function createJudgingJob({ db, judge, recordConsents }: JudgingParts): JobHandler<{ id: string }> {
  return {
    async run({ id }, { signal }) {
      const proof = await findOpen(db, id);
      if (!proof) return undefined;
      const { recordingId, spokenId, lines } = proof;
      if (!spokenId) return { write: async (trx) => void (await end(trx, id, { outcome: "unusable" })) };
      const verdict = await judge(
        { recordingId, spokenId, lines },
        AbortSignal.any([signal, AbortSignal.timeout(attemptMs)]),
      );
      const { outcome, reason, measures } = verdict;
      const figures = measures && JSON.stringify({ ...measures, thresholds: proofThresholds });
      return {
        facts: { outcome, reason },
        async write(trx) {
          const isJudged = await end(trx, id, { outcome, reason, measures: figures });
          if (!isJudged || outcome !== "yes") return;
          await keepVoices(trx, recordingId);
          await recordConsents(trx);
        },
      };
    },
    async failed(trx, { id }) {
      await end(trx, id, { outcome: "unusable" });
    },
  };
}

/** `spokenId` is null where the recording was deleted. */
const findOpen = (db: Db, id: string) =>
  db
    .selectFrom("voice_proof")
    .select(["recording_id as recordingId", "spoken_id as spokenId", "lines"])
    .where("id", "=", id)
    .where("outcome", "is", null)
    .executeTakeFirst();

interface End {
  outcome: "yes" | "no" | "unclear" | "unusable";
  reason?: string | null;
  measures?: string | null;
}

async function end(trx: Db, id: string, result: End): Promise<boolean> {
  const judged = trx.updateTable("voice_proof").set({ ...result, decided_at: sql<Date>`now()` });
  const ended = await judged.where("id", "=", id).where("outcome", "is", null).returning("id").executeTakeFirst();
  return ended !== undefined;
}
