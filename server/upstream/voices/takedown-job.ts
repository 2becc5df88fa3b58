import { sql } from "kysely";
import type { Db } from "../db/database";
import { AppError } from "../errors";
import type { JobHandler } from "../jobs/handler";
import type { BlockedVoices } from "./blocked-voices";
import type { SpeechParts } from "./ports";
import { speechFaultOf } from "./reference-refusal";
import { eraseVoice, type RevocationParts } from "./revocations";

type TakedownJobParts = Omit<RevocationParts, "speech"> & {
  speech: Pick<SpeechParts, "inspect" | "engine" | "designs">;
  blockedVoices: Pick<BlockedVoices, "sealVoiceprint">;
};

const roleGone = "the role was deleted before";

/**
 * Takes a voice down: measures its voiceprint, then erases the voice as a revocation does and blocks it, in one
 * transaction. A recording that cannot be measured is erased all the same.
 */
export function createTakedownJob(parts: TakedownJobParts): JobHandler<{ id: string }> {
  const { db, files, speech, blockedVoices, queue } = parts;

  const measure = async (id: string, fileId: string, signal: AbortSignal) => {
    try {
      const sound = await speech.inspect(await files.read(fileId), signal);
      return await blockedVoices.sealVoiceprint(id, sound, signal);
    } catch (error) {
      const isMissing = error instanceof AppError && error.code === "not-found";
      if (!isMissing && speechFaultOf(error) !== "reference") throw error;
      return { model: null, voiceprint_sealed: null };
    }
  };

  return {
    async run({ id }, { signal }) {
      const found = await findRecording(db, id);
      if (!found) return undefined;
      const { roleId, fileId } = found;
      if (!fileId) return { write: (trx) => close(trx, id, { failure: roleGone }) };
      const voiceprint = await measure(id, fileId, signal);
      return {
        async write(trx) {
          const { receiptId } = await eraseVoice(trx, parts, roleId, { by: "operator" });
          await close(trx, id, { ...voiceprint, receipt_id: receiptId });
        },
        written: async () => queue.wake(),
      };
    },
    failed: (trx, { id }, error) => close(trx, id, { failure: error instanceof Error ? error.message : "failed" }),
  };
}

/** Null for a takedown that is done; `fileId` is null for a role that was deleted. */
async function findRecording(db: Db, id: string) {
  const row = await db
    .selectFrom("voice_takedown")
    .leftJoin("role", "role.id", "voice_takedown.role_id")
    .leftJoin("recording", "recording.id", "role.recording_id")
    .select(["voice_takedown.role_id as roleId", "recording.file_id as fileId"])
    .where("voice_takedown.id", "=", id)
    .where("done_at", "is", null)
    .executeTakeFirst();
  return row ?? null;
}

interface TakedownResult {
  model?: string | null;
  voiceprint_sealed?: Buffer | null;
  receipt_id?: string;
  failure?: string;
}

async function close(trx: Db, id: string, result: TakedownResult): Promise<void> {
  const done = { ...result, done_at: sql<Date>`now()` };
  await trx.updateTable("voice_takedown").set(done).where("id", "=", id).where("done_at", "is", null).execute();
}
