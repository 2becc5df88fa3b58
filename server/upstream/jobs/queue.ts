import { AsyncLocalStorage } from "node:async_hooks";
import { sql } from "kysely";
import type { Db } from "../db/database";

interface NewJob {
  kind: string;
  /** JSON; read back by the handler of this kind. */
  payload: object;
  /** At most one live job per kind and key. */
  key?: string;
  /** The workers that take it, where one kind has several sorts of them; "" when absent. */
  lane?: string;
  /** Higher first; 0 when absent. */
  priority?: number;
  /** 3 when absent. */
  maxAttempts?: number;
  delaySeconds?: number;
}

export interface Queue {
  /** Inserts in the caller's transaction; null when a live job has this key. Call `wake` after the commit. */
  enqueue(trx: Db, job: NewJob): Promise<string | null>;
  /** What is enqueued inside, however deep, belongs to this request: log lines of its work name it. */
  within<Result>(requestId: string, act: () => Result): Result;
  /** Lets a waiting job run now; a running one and one that is due already are left alone. Call `wake` after the commit. */
  hasten(trx: Db, job: { kind: string; key: string }): Promise<void>;
  /** Tells the workers of this process to look now; other processes find the job at their next poll. */
  wake(): void;
  onWake(listener: () => void): () => void;
  /**
   * `waiting`: it will never run, what was reserved for it is the caller's to release in this transaction.
   * `running`: its worker stops within a second and runs the handler's `failed`. `over`: nothing to cancel.
   */
  cancel(trx: Db, id: string): Promise<"waiting" | "running" | "over">;
  /** Due jobs before this one, running ones of its kind included; 0 when it runs itself, ended or is unknown. */
  position(db: Db, id: string): Promise<number>;
  /** Lets running jobs be taken anew at once; only where no worker can be alive. */
  expireLeases(db: Db): Promise<void>;
  /** Forgets jobs that ended more than a week ago. */
  sweep(db: Db): Promise<void>;
}

/** A queue on one table of the application's own database: the work and what it is for commit together. */
export function createQueue(): Queue {
  const listeners = new Set<() => void>();
  const requests = new AsyncLocalStorage<string>();
  return {
    enqueue: (trx, job) => enqueue(trx, { ...job, requestId: requests.getStore() }),
    within: (requestId, act) => requests.run(requestId, act),
    async hasten(trx, { kind, key }) {
      await sql`update job set run_at = now()
        where kind = ${kind} and key = ${key} and state = 'ready' and run_at > now()`.execute(trx);
    },
    cancel,
    position,
    wake() {
      for (const listener of listeners) listener();
    },
    onWake(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    async expireLeases(db) {
      await sql`update job set lease_until = now() - interval '1 second' where state = 'active'`.execute(db);
    },
    async sweep(db) {
      await sql`delete from job where finished_at < now() - interval '7 days'`.execute(db);
    },
  };
}

async function enqueue(trx: Db, job: NewJob & { requestId: string | undefined }): Promise<string | null> {
  const {
    kind,
    payload,
    key = null,
    lane = "",
    priority = 0,
    maxAttempts = 3,
    delaySeconds = 0,
    requestId = null,
  } = job;
  const { rows } = await sql<{ id: string }>`
    insert into job (kind, lane, key, payload, priority, max_attempts, run_at, request_id)
    values (${kind}, ${lane}, ${key}, ${JSON.stringify(payload)}::jsonb, ${priority}, ${maxAttempts},
      now() + make_interval(secs => ${delaySeconds}::float8), ${requestId})
    on conflict do nothing returning id`.execute(trx);
  return rows[0]?.id ?? null;
}

async function cancel(trx: Db, id: string): Promise<"waiting" | "running" | "over"> {
  const { rows } = await sql<{ state: string }>`
    update job set cancel_asked = true,
      state = case state when 'ready' then 'cancelled' else state end,
      finished_at = case state when 'ready' then now() end
    where id = ${id} and state in ('ready', 'active') returning state`.execute(trx);
  const row = rows[0];
  if (!row) return "over";
  return row.state === "cancelled" ? "waiting" : "running";
}

async function position(db: Db, id: string): Promise<number> {
  const { rows } = await sql<{ ahead: number }>`
    select count(*)::int as ahead from job other, job mine
    where mine.id = ${id} and mine.state = 'ready' and other.id <> mine.id and (
      (other.state = 'active' and other.kind = mine.kind)
      or (other.state = 'ready' and other.run_at <= greatest(now(), mine.run_at)
        and (-other.priority, other.run_at, other.seq) < (-mine.priority, mine.run_at, mine.seq)))`.execute(db);
  return rows[0]?.ahead ?? 0;
}
