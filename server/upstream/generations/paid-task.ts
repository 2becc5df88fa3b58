import { type Selectable, sql, type UpdateObject } from "kysely";
import type { Db, Tables } from "../db/database";
import type { Queue } from "../jobs/queue";
import type { Allowance, Owner, Spending, TaskProgress, TellTask } from "../voices/ports";

type Table = "clone" | "dub";

/** What a job is queued for; `turn` tells one run of a task from the next. */
export interface Run {
  id: string;
  turn: number;
}

export interface Stopped {
  id: string;
  job_id: string | null;
}

interface Begun extends Run {
  owner: Owner;
  tier: Allowance["tier"];
  characters: number;
}

/** Tasks of one noun that are paid for: a row that runs, is done or failed, its job, and what it holds meanwhile. */
export interface PaidTask {
  /** Reserves what a written one takes and queues its job, in the caller's transaction. Throws entitlement. */
  start(trx: Db, begun: Begun): Promise<void>;
  /**
   * Ends these where they wait or run, and gives back what they held; what their workers still make is thrown away. All jobs
   * are locked before rows and characters, as a job that ends does it: neither waits for the other in a circle. True where
   * a worker runs one of them: after the commit wake the queue, so that it stops at once.
   */
  stop(trx: Db, tasks: Stopped[]): Promise<boolean>;
  /** Tells its owner what the row says; nobody when it is gone. */
  tell(trx: Db, id: string): Promise<void>;
  /** While it runs, in the turn the job was queued for; undefined once it was stopped, retried or deleted. */
  findRunning(db: Db, run: Run, options?: { lock?: boolean }): Promise<{ id: string; owner: Owner } | undefined>;
  /** False, and nothing changed, when it no longer runs. */
  changeRunning(db: Db, run: Run, change: UpdateObject<Tables, Table>): Promise<boolean>;
}

interface TaskParts {
  table: Table;
  /** Of its jobs. */
  kind: TaskProgress["kind"];
  /** 0–1. */
  progressOf(row: { status: 1 | 2 | 3; seg_done: number; seg_total: number }): number;
  queue: Queue;
  spending: Spending;
  tell: TellTask;
}

const columns = ["id", "owner", "status", "seg_done", "seg_total", "msg", "job_id"] as const;
type TaskRow = Pick<Selectable<Tables[Table]>, (typeof columns)[number]>;

/** Professional members have a fast channel; previews and what nobody waits for stand behind all. */
const priorityOf = (tier: Allowance["tier"]) => ({ svip: 20, vip: 10, none: 5 })[tier ?? "none"];

export function createPaidTask({ table, kind, progressOf, queue, spending, ...parts }: TaskParts): PaidTask {
  const tellRow = async (trx: Db, { id, ...row }: TaskRow) => {
    const { owner, status, seg_done: segDone, seg_total: segTotal, job_id, msg } = row;
    const queuePos = status === 1 && job_id ? await queue.position(trx, job_id) : 0;
    const told = { kind, taskId: id, status, segDone, segTotal, queuePos, msg: msg ?? "" };
    await parts.tell(trx, owner as Owner, { ...told, progress: progressOf(row) });
  };
  const tell = async (trx: Db, id: string) => {
    const row = await trx.selectFrom(table).select(columns).where("id", "=", id).executeTakeFirst();
    if (row) await tellRow(trx, row);
  };

  return {
    tell,
    async start(trx, { id, turn, owner, tier, characters }) {
      await spending.reserve(trx, { accountId: owner.replace(/^account:/, ""), taskId: id, tier, characters });
      const payload: Run = { id, turn };
      const job_id = await queue.enqueue(trx, { kind, payload, priority: priorityOf(tier) });
      await trx.updateTable(table).set({ job_id }).where("id", "=", id).execute();
      await tell(trx, id);
    },
    async stop(trx, tasks) {
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
        await tellRow(trx, stopped);
      }
      return isRunning;
    },
    async findRunning(db, { id, turn }, { lock = false } = {}) {
      const row = db.selectFrom(table).select(["id", "owner"]).where("id", "=", id).where("turn", "=", turn);
      const running = row.where("status", "=", 1);
      const found = await (lock ? running.forUpdate() : running).executeTakeFirst();
      return found && { id: found.id, owner: found.owner as Owner };
    },
    async changeRunning(db, { id, turn }, change) {
      const rows = db.updateTable(table).set(change).where("id", "=", id);
      const { numUpdatedRows } = await rows.where("turn", "=", turn).where("status", "=", 1).executeTakeFirstOrThrow();
      return numUpdatedRows > 0n;
    },
  };
}
