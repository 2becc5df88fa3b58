import { sql } from "kysely";
import type { Db } from "../db/database";
import { AppError } from "../errors";
import type { JobHandler } from "../jobs/handler";
import type { Owner } from "../owner";
import type { TaskActions } from "./tasks";

/** Operators' acts on tasks, as jobs. A refused retry, such as one for too few characters, is final and is logged. */
export const createOperatorJobs = (db: Db, actions: TaskActions): Record<string, JobHandler> => ({
  "task-retry": {
    async run(payload) {
      const { owner, taskId } = payload as { owner: Owner; taskId: string };
      await actions.retry(owner, taskId);
      return undefined;
    },
    isFinal: (error) => error instanceof AppError,
  },
  "tasks-stop": {
    async run(payload) {
      const { owner } = payload as { owner: Owner };
      for (const id of await runningTasks(db, owner)) await actions.cancel(owner, id);
      return undefined;
    },
  },
});

/** Those that an account waits for: clones, dubs and films. */
async function runningTasks(db: Db, owner: Owner): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`select id from clone where owner = ${owner} and status = 1
    union all select id from dub where owner = ${owner} and status = 1
    union all select id from video where owner = ${owner} and status = 1`.execute(db);
  return rows.map(({ id }) => id);
}
