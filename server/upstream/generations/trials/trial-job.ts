import { sql } from "kysely";
import type { ErrorCode } from "~server/contract/codes";
import type { Db } from "../../db/database";
import { AppError } from "../../errors";
import type { JobHandler } from "../../jobs/handler";
import type { Owner, TellTask } from "../../voices/ports";
import type { Profiles } from "../../voices/profiles";
import type { Renditions } from "../../voices/renditions";
import type { UsableRoles } from "../../voices/roles/usable";
import type { Speak } from "../../voices/speaker";
import { releaseTrial } from "./allowance";
import { tellTrial } from "./telling";

interface TrialPayload {
  id: string;
}

interface TrialJobParts {
  db: Db;
  profiles: Profiles;
  speak: Speak;
  renditions: Renditions;
  tell: TellTask;
  roles: Pick<UsableRoles, "countUse">;
}

/** Learns or takes the voice, speaks the text, stores the files; a trial that fails is given back. */
export function createTrialJob(parts: TrialJobParts): JobHandler<TrialPayload> {
  const { db, profiles, speak, renditions, tell, roles } = parts;
  const find = (id: string) =>
    db.selectFrom("trial").selectAll().where("id", "=", id).where("status", "=", 1).executeTakeFirst();

  const voiceOf = (trial: NonNullable<Awaited<ReturnType<typeof find>>>, signal: AbortSignal) => {
    if (trial.recording_id) {
      return profiles.ofRecording(trial.recording_id, { transcript: trial.transcript ?? undefined, signal });
    }
    if (trial.role_id) return profiles.ofRole(trial.role_id, { signal });
    throw new AppError("voice-missing", "the voice is gone");
  };

  const onProgress = (id: string) => async (segDone: number, segTotal: number) => {
    const progress = { seg_done: segDone, seg_total: segTotal };
    await db.updateTable("trial").set(progress).where("id", "=", id).where("status", "=", 1).execute();
    await tellTrial(db, tell, { id });
  };

  return {
    async run({ id }, { signal }) {
      const trial = await find(id);
      if (!trial) return undefined;
      const voice = await voiceOf(trial, signal);
      const sound = await speak({ content: trial.content, voice, speed: 1 }, { signal, onProgress: onProgress(id) });
      const rendition = await renditions.make(sound, { owner: trial.owner as Owner, exports: true, signal });
      let isGone = false;
      return {
        facts: renditions.factsOf(rendition, [trial.content]),
        async write(trx) {
          const owner = await findOwner(trx, id);
          // Its role or its account was deleted meanwhile.
          isGone = !owner;
          if (!owner) return;
          const rendition_id = await renditions.insert(trx, rendition, owner);
          const done = { status: 2, rendition_id, msg: null, settled_at: sql<Date>`now()` } as const;
          await trx.updateTable("trial").set(done).where("id", "=", id).execute();
          if (trial.role_id) await roles.countUse(trx, trial.role_id);
          await tellTrial(trx, tell, { id });
        },
        written: async () => (isGone ? renditions.discard(rendition) : undefined),
        discard: () => renditions.discard(rendition),
      };
    },
    async failed(trx, { id }, error) {
      const failed = { status: 3, msg: codeOf(error), settled_at: sql<Date>`now()` } as const;
      const trial = await trx
        .updateTable("trial")
        .set(failed)
        .where("id", "=", id)
        .where("status", "=", 1)
        .returning(["owner", "address", "day", "is_counted"])
        .executeTakeFirst();
      if (trial?.is_counted) await releaseTrial(trx, { ...trial, owner: trial.owner as Owner });
      if (trial) await tellTrial(trx, tell, { id });
    },
    isFinal: (error) => error instanceof AppError,
  };
}

/** A visitor who logs in takes the trial along; so long as this transaction lasts it stays with whom it is. */
async function findOwner(trx: Db, id: string): Promise<Owner | undefined> {
  const row = trx.selectFrom("trial").select("owner").where("id", "=", id).forUpdate();
  return (await row.executeTakeFirst())?.owner as Owner | undefined;
}

function codeOf(error: unknown): ErrorCode {
  return error instanceof AppError ? error.code : "synthesis-failed";
}
