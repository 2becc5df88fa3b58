import { type Selectable, sql, type UpdateObject } from "kysely";
import type { Db, Tables } from "../db/database";
import type { Queue } from "../jobs/queue";
import { idOfOwner, type Owner } from "../owner";
import { failureCodeOf, type PublishTask, type TaskStatus } from "../task-status";
import type { Allowance, Spending } from "../voices/ports";

export type Table = "clone" | "dub" | "trial" | "video";
export type Tier = Allowance["tier"];
export type TaskChange = UpdateObject<Tables, Table>;

/** One run of a task; `turn` counts the runs. Trials never run twice and have none. */
export interface Run {
  id: string;
  turn?: number;
}

export interface Task {
  id: string;
  job_id: string | null;
}

interface NewRun extends Run {
  owner: Owner;
  tier: Tier;
  characters: number;
  apiKeyId?: string | undefined;
}

/** Runs of the tasks of one table: a row waits or runs, then is done or failed; it has a job and holds a reservation. */
export type TaskRuns = ReturnType<typeof createTaskRuns>;

export interface RunParts {
  queue: Queue;
  /** Table of the tasks; also the kind of its jobs and events. */
  table: Table;
  /** Priority of a job by tier; higher runs first. */
  priorities: Record<"svip" | "vip" | "none", number>;
  /** 0–1. */
  progressOf(row: { status: TaskStatus; seg_done: number; seg_total: number }): number;
  spending: Pick<Spending, "reserve" | "settle" | "release">;
  publish: PublishTask;
}

const columns = ["id", "owner", "status", "seg_done", "seg_total", "msg", "job_id"] as const;
type TaskRow = Pick<Selectable<Tables[Table]>, (typeof columns)[number]>;

export function createTaskRuns(parts: RunParts) {
  const { queue, table, priorities, progressOf, spending } = parts;

  const publishRow = async (trx: Db, { id, ...row }: TaskRow) => {
    const { owner, status, seg_done: segDone, seg_total: segTotal, job_id, msg } = row;
    const queuePos = status === 1 && job_id ? await queue.position(trx, job_id) : 0;
    const counts = { progress: progressOf(row), segDone, segTotal, queuePos };
    await parts.publish(trx, owner as Owner, { kind: table, taskId: id, status, ...counts, msg: msg ?? "" });
  };
  const publish = async (trx: Db, id: string) => {
    const row = await trx.selectFrom(table).select(columns).where("id", "=", id).executeTakeFirst();
    if (row) await publishRow(trx, row);
  };
  const changeRunning = async (trx: Db, { id, turn }: Run, change: TaskChange) => {
    const running = trx.updateTable(table).set(change).where("id", "=", id).where("status", "=", 1);
    const rows = turn === undefined ? running : running.where("turn", "=", turn);
    return (await rows.executeTakeFirstOrThrow()).numUpdatedRows > 0n;
  };

  return {
    /** Reserves the characters and queues the job, in the caller's transaction. Throws entitlement. */
    async start(trx: Db, { id, turn, owner, ...paid }: NewRun) {
      await spending.reserve(trx, { accountId: idOfOwner(owner), taskId: id, ...paid });
      const job_id = await queue.enqueue(trx, {
        kind: table,
        payload: { id, turn },
        priority: priorities[paid.tier ?? "none"],
      });
      await trx.updateTable(table).set({ job_id }).where("id", "=", id).execute();
      await publish(trx, id);
    },
    /**
     * The owner's newest equal task that waits, runs, or is done and still has its file. Until the transaction ends, equal
     * requests of the owner wait: of two at once, the later finds the task of the first.
     */
    findEqual: (trx: Db, owner: Owner, fingerprint: string) => findEqual(trx, table, { owner, fingerprint }),
    /**
     * Ends waiting and running tasks and releases their reservations. Locks all jobs before rows and characters, in the order
     * of a job that ends, to prevent deadlocks. True where a worker runs one: wake the queue after the commit.
     */
    async stop(trx: Db, tasks: Task[]): Promise<boolean> {
      let isRunning = false;
      for (const { job_id } of tasks) if (job_id && (await queue.cancel(trx, job_id)) === "running") isRunning = true;
      for (const { id } of tasks) {
        const stopped = await trx
          .updateTable(table)
          .set({ status: 3, msg: "cancelled", settled_at: sql<Date>`now()` })
          .where("id", "=", id)
          .where("status", "=", 1)
          .returning(columns)
          .executeTakeFirst();
        if (!stopped) continue;
        await spending.release(trx, id);
        await publishRow(trx, stopped);
      }
      return isRunning;
    },
    /** The run's row while it runs; undefined once it was cancelled, retried or deleted. */
    async findRunning(
      trx: Db,
      { id, turn }: Run,
      { lock = false }: { lock?: boolean } = {},
    ): Promise<{ id: string; owner: Owner } | undefined> {
      const running = trx.selectFrom(table).select(["id", "owner"]).where("id", "=", id).where("status", "=", 1);
      const row = turn === undefined ? running : running.where("turn", "=", turn);
      const found = await (lock ? row.forUpdate() : row).executeTakeFirst();
      return found && { id: found.id, owner: found.owner as Owner };
    },
    /** Publishes the counts of segments; false, and nothing changed, when the run has ended. */
    async changeProgress(trx: Db, run: Run, counts: { seg_done: number; seg_total: number }): Promise<boolean> {
      const isRunning = await changeRunning(trx, run, counts);
      if (isRunning) await publish(trx, run.id);
      return isRunning;
    },
    async complete(trx: Db, run: Run, rendition_id: string) {
      await changeRunning(trx, run, { status: 2, msg: null, rendition_id, settled_at: sql<Date>`now()` });
      await spending.settle(trx, run.id);
      await publish(trx, run.id);
    },
    /** Stores the error's code and releases the reservation; false when the run has ended. */
    async fail(trx: Db, run: Run, error: unknown, change?: TaskChange): Promise<boolean> {
      const failed = { ...change, status: 3, msg: failureCodeOf(error), settled_at: sql<Date>`now()` } as const;
      if (!(await changeRunning(trx, run, failed))) return false;
      await spending.release(trx, run.id);
      await publish(trx, run.id);
      return true;
    },
  };
}

async function findEqual(trx: Db, table: Table, { owner, fingerprint }: { owner: Owner; fingerprint: string }) {
  const lock = `${table} ${owner} ${fingerprint}`;
  await sql`select pg_advisory_xact_lock(hashtextextended(${lock}, 0))`.execute(trx);
  return trx
    .selectFrom(table)
    .select(["id", "status"])
    .where("owner", "=", owner)
    .where("fingerprint", "=", fingerprint)
    .where((eb) => eb.or([eb("status", "=", 1), eb.and([eb("status", "=", 2), eb("rendition_id", "is not", null)])]))
    .orderBy("created_at", "desc")
    .limit(1)
    .executeTakeFirst();
}
