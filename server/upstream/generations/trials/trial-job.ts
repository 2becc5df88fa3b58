import type { JobHandler } from "../../jobs/handler";
import type { Owner } from "../../owner";
import type { Profiles } from "../../voices/profiles";
import type { Speak } from "../../voices/speaker";
import { createGenerationJob, getVoice, type JobParts } from "../job";
import type { Run } from "../task-runs";

interface TrialJobParts extends JobParts {
  profiles: Profiles;
  speak: Speak;
}

/** Speaks a trial's text at normal speed. */
export function createTrialJob(parts: TrialJobParts): JobHandler<Run> {
  const { db, profiles, speak, renditions, tasks } = parts;
  return createGenerationJob(parts, {
    async make(run, signal) {
      const trial = await db.selectFrom("trial").selectAll().where("id", "=", run.id).executeTakeFirst();
      if (!trial) return undefined;
      const { content, role_id } = trial;
      const voice = await getVoice(profiles, trial, signal);
      const onProgress = async (seg_done: number, seg_total: number) => {
        await tasks.changeProgress(db, run, { seg_done, seg_total });
      };
      const sound = await speak({ content, voice, speed: 1 }, { signal, onProgress });
      const rendition = await renditions.make(sound, { owner: trial.owner as Owner, exports: true, signal });
      return { rendition, contents: [content], roleIds: role_id ? [role_id] : [] };
    },
  });
}
