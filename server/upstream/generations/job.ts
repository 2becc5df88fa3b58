import type { Db } from "../db/database";
import { AppError } from "../errors";
import type { JobHandler } from "../jobs/handler";
import type { Profiles } from "../voices/profiles";
import type { NewRendition, Renditions } from "../voices/renditions";
import type { UsableRoles } from "../voices/usable-roles";
import type { Run, TaskChange, TaskRuns } from "./task-runs";

interface GeneratedAudio {
  rendition: NewRendition;
  /** The texts that were spoken. */
  contents: string[];
  /** Roles that spoke. */
  roleIds: string[];
}

export interface JobParts {
  db: Db;
  tasks: TaskRuns;
  renditions: Renditions;
  roles: Pick<UsableRoles, "countUse">;
}

interface JobSteps {
  /** Speaks and encodes; undefined when the run has ended meanwhile. */
  make(run: Run, signal: AbortSignal): Promise<GeneratedAudio | undefined>;
  /** Columns to change for a failed run. */
  changeFor?(trx: Db, run: Run, error: unknown): Promise<TaskChange>;
}

/** Speaks a task and stores its files; a failed run releases what it reserved. */
export function createGenerationJob(
  { db, tasks, renditions, roles }: JobParts,
  { make, changeFor }: JobSteps,
): JobHandler<Run> {
  return {
    async run(run, { signal }) {
      if (!(await tasks.findRunning(db, run))) return undefined;
      const made = await make(run, signal);
      if (!made) return undefined;
      const { rendition, contents, roleIds } = made;
      const discard = () => renditions.discard(rendition);
      let isWritten = false;
      return {
        facts: renditions.factsOf(rendition, contents),
        async write(trx) {
          const running = await tasks.findRunning(trx, run, { lock: true });
          // Cancelled or deleted meanwhile, and its reservation released.
          if (!running) return;
          isWritten = true;
          await tasks.complete(trx, run, await renditions.insert(trx, rendition, running.owner));
          // Sorted: two jobs with the same roles lock them in one order.
          for (const roleId of [...new Set(roleIds)].sort()) await roles.countUse(trx, roleId);
        },
        written: async () => {
          if (!isWritten) await discard();
        },
        discard,
      };
    },
    async failed(trx, run, error) {
      await tasks.fail(trx, run, error, await changeFor?.(trx, run, error));
    },
    isFinal: (error) => error instanceof AppError,
  };
}

interface VoiceColumns {
  recording_id: string | null;
  role_id: string | null;
  transcript: string | null;
}

/** The voice of a recording or a role. Throws voice-missing when neither is left. */
export function getVoice(profiles: Profiles, { recording_id, role_id, transcript }: VoiceColumns, signal: AbortSignal) {
  if (recording_id) return profiles.ofRecording(recording_id, { transcript: transcript ?? undefined, signal });
  if (role_id) return profiles.ofRole(role_id, { signal });
  throw new AppError("voice-missing", "the voice is gone");
}
