import { type RawBuilder, sql } from "kysely";
import type { Db } from "../db/database";
import type { Once } from "../db/idempotency";
import { AppError } from "../errors";
import type { JobHandler } from "../jobs/handler";
import type { Owner } from "../owner";
import { toUuids } from "../sql-fragments";
import type { OwnedTasks } from "../task-status";
import type { Files, RoleOutputs } from "../voices/ports";
import type { Renditions } from "../voices/renditions";
import type { ListParts } from "./listing";
import { createTaskRuns, type RunParts, type Task, type TaskChange, type TaskRuns, type Tier } from "./task-runs";

interface Restart {
  tier: Tier;
  /** In the transaction that restarts the task: the characters to pay and the columns to change. */
  write(trx: Db): Promise<{ characters: number; change: TaskChange }>;
}

/** The tasks of one table, by owner. */
export type GenerationTasks = ReturnType<typeof createTasks>;

export interface TaskParts extends RunParts, Pick<RoleOutputs, "roles"> {
  db: Db;
  /** Selects `task_id` and `recording_id`: the recordings whose voice or tone each task speaks with. */
  recordings: RawBuilder<unknown>;
  renditions: Pick<Renditions, "expire">;
  files: Pick<Files, "removeExpired">;
  /** Rows below the table's own that have renditions too. */
  lines?: {
    /** The ids of the deleted rows' renditions. */
    remove(trx: Db, taskIds: string[]): Promise<string[]>;
    findUnused(trx: Db, renditionIds: string[]): Promise<string[]>;
  };
}

/** What creates tasks of one table, once per idempotency key. */
export interface CreationParts extends ListParts {
  once: Once;
  queue: ListParts["queue"] & { wake(): void };
  tasks: GenerationTasks;
}

/** What tells the tasks of one table from those of another. */
export type TaskTable = Pick<TaskParts, "table" | "progressOf" | "roles" | "recordings" | "lines">;

/** Tasks that take no characters. */
export type CountedTable = TaskTable & Pick<TaskParts, "spending" | "priorities">;

export function createTasks(parts: TaskParts) {
  const { db, queue, table, roles, recordings, files } = parts;
  const runs = createTaskRuns(parts);
  const { deleteTasks, removeTasks } = createTaskRemoval(parts, runs);
  const owned = (trx: Db, owner: Owner) =>
    trx.selectFrom(table).select(["id", "job_id"]).where("owner", "=", owner).orderBy("id");

  return {
    ...runs,
    roles,
    /** Stops and deletes these, in the caller's transaction; their bytes go with `files.removeExpired`. */
    removeTasks,
    async cancel(owner: Owner, taskId: string) {
      const [id] = toUuids([taskId]);
      if (!id) return false;
      const { isFound, isRunning } = await db.transaction().execute(async (trx) => {
        const tasks = await owned(trx, owner).where("id", "=", id).execute();
        return { isFound: tasks.length > 0, isRunning: await runs.stop(trx, tasks) };
      });
      if (isRunning) queue.wake();
      return isFound;
    },
    /**
     * Runs a failed task again under the conditions of today. A task that runs or is done stays as it is; false when the
     * owner has no such task. Throws what creating the task would.
     */
    async retry(owner: Owner, taskId: string, prepare: (id: string) => Promise<Restart>): Promise<boolean> {
      const [id] = toUuids([taskId]);
      const found = id && (await owned(db, owner).select("status").where("id", "=", id).executeTakeFirst());
      if (!found) return false;
      if (found.status !== 3) return true;
      const { tier, write } = await prepare(id);
      await db.transaction().execute(async (trx) => {
        const failed = trx.selectFrom(table).select("id").where("id", "=", id).where("status", "=", 3).forUpdate();
        // Another call restarted it.
        if (!(await failed.executeTakeFirst())) return;
        const { characters, change } = await write(trx);
        const { turn } = await trx
          .updateTable(table)
          .set({ ...change, status: 1, msg: null, failed_at: null, settled_at: null, turn: sql<number>`turn + 1` })
          .where("id", "=", id)
          .returning("turn")
          .executeTakeFirstOrThrow();
        await runs.start(trx, { id, turn, owner, tier, characters });
      });
      queue.wake();
      return true;
    },
    /** Stops and deletes the owner's tasks; unknown ids are ignored. */
    async remove(owner: Owner, ids: string[]) {
      const uuids = toUuids(ids);
      if (uuids.length === 0) return;
      await db.transaction().execute(async (trx) => {
        await removeTasks(trx, await owned(trx, owner).where("id", "in", uuids).execute());
      });
      queue.wake();
      await files.removeExpired();
    },
    async forgetRole(trx: Db, owner: Owner, roleId: string) {
      const ids = sql<string>`(select task_id from (${roles}) used where role_id = ${roleId} and owner = ${owner})`;
      await removeTasks(trx, await owned(trx, owner).where("id", "in", ids).execute());
    },
    async forgetVoice(trx: Db, { roleIds, recordingIds }: Record<"roleIds" | "recordingIds", string[]>) {
      const ids = sql<string>`(
        select task_id from (${roles}) used where role_id = any(${roleIds}::text[])
        union select task_id from (${recordings}) spoken where recording_id = any(${recordingIds}::uuid[]))`;
      const tasks = trx.selectFrom(table).select(["id", "job_id"]).where("id", "in", ids).orderBy("id");
      const found = await tasks.execute();
      await removeTasks(trx, found);
      return found.length;
    },
    count: async (trx: Db, owner: Owner): Promise<number> => (await owned(trx, owner).execute()).length,
    async handOver(trx: Db, from: Owner, to: Owner) {
      await trx.updateTable(table).set({ owner: to }).where("owner", "=", from).execute();
    },
    /** Stops and deletes all tasks of an owner; renditions and files stay. */
    async forget(trx: Db, owner: Owner) {
      await deleteTasks(trx, await owned(trx, owner).execute());
    },
  };
}

function createTaskRemoval({ table, spending, renditions, lines }: TaskParts, runs: TaskRuns) {
  /** The ids of the deleted rows' renditions. */
  const deleteTasks = async (trx: Db, tasks: Task[]) => {
    if (tasks.length === 0) return { own: [], ofLines: [] };
    await runs.stop(trx, tasks);
    const ids = tasks.map(({ id }) => id);
    await trx.selectFrom(table).select("id").where("id", "in", ids).orderBy("id").forUpdate().execute();
    const ofLines = (await lines?.remove(trx, ids)) ?? [];
    const returned = ["id", "status", "rendition_id"] as const;
    const deleted = await trx.deleteFrom(table).where("id", "in", ids).returning(returned).execute();
    // Retried since it was stopped.
    for (const { id, status } of deleted) if (status === 1) await spending.release(trx, id);
    return { own: deleted.flatMap(({ rendition_id }) => rendition_id ?? []), ofLines };
  };
  const removeTasks = async (trx: Db, tasks: Task[]) => {
    const { own, ofLines } = await deleteTasks(trx, tasks);
    await renditions.expire(trx, [...own, ...((await lines?.findUnused(trx, ofLines)) ?? [])]);
  };
  return { deleteTasks, removeTasks };
}

export type TaskActions = ReturnType<typeof createTaskActions>;

/** Cancels and retries tasks of all kinds by id. */
export function createTaskActions(kinds: OwnedTasks[]) {
  const firstOf = async (act: (tasks: OwnedTasks) => Promise<boolean>) => {
    for (const tasks of kinds) if (await act(tasks)) return;
    throw new AppError("not-found", "no such task");
  };
  return {
    /** Cancels a waiting or running task; a task that has ended stays as it is. Throws not-found. */
    cancel: (owner: Owner, taskId: string): Promise<void> => firstOf((tasks) => tasks.cancel(owner, taskId)),
    /** Runs a failed task again. Throws not-found, and entitlement where it cannot be paid for. */
    retry: (owner: Owner, taskId: string): Promise<void> => firstOf((tasks) => tasks.retry(owner, taskId)),
  };
}

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
