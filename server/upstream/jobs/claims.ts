import { sql } from "kysely";
import type { Db } from "../db/database";

/** A job that a worker has claimed. Every claim draws a new `lease`; only its holder may write. */
export interface ClaimedJob {
  id: string;
  kind: string;
  payload: unknown;
  attempt: number;
  maxAttempts: number;
  lease: string;
  requestId: string | null;
}

const claimed = sql`id, kind, payload, attempt, max_attempts as "maxAttempts", lease, request_id as "requestId"`;

/** The lanes that a worker claims jobs from. */
export type Lanes = { only: string } | { except: string[] };

const anyLane: Lanes = { except: [] };

/** Claims the next ready job of these kinds, or one whose lease has expired with attempts left. */
export async function claim(
  db: Db,
  kinds: string[],
  leaseSeconds: number,
  lanes: Lanes = anyLane,
): Promise<ClaimedJob | undefined> {
  const isInLanes = "only" in lanes ? sql`lane = ${lanes.only}` : sql`lane <> all(${lanes.except}::text[])`;
  // The first of each kind, then the first of them: jobs of other kinds that wait are not read.
  const { rows } = await sql<ClaimedJob>`
    update job set state = 'active', attempt = attempt + 1, lease = gen_random_uuid(),
      lease_until = now() + make_interval(secs => ${leaseSeconds}::float8)
    where id = (
      select next.id from unnest(${kinds}::text[]) as wanted (kind) cross join lateral (
        select id, priority, run_at, seq from job where kind = wanted.kind and ${isInLanes}
          and ((state = 'ready' and run_at <= now())
            or (state = 'active' and lease_until < now() and attempt < max_attempts and not cancel_asked))
        order by -priority, run_at, seq limit 1 for update skip locked) next
      order by -priority, run_at, seq limit 1)
    returning ${claimed}`.execute(db);
  return rows[0];
}

const heldBy = ({ id, lease }: ClaimedJob) => sql`id = ${id} and lease = ${lease} and state = 'active'`;

/** Extends the lease. `lost`: another worker has claimed the job. */
export async function renew(db: Db, job: ClaimedJob, leaseSeconds: number): Promise<"held" | "cancelled" | "lost"> {
  const { rows } = await sql<{ cancel_asked: boolean }>`
    update job set lease_until = now() + make_interval(secs => ${leaseSeconds}::float8)
    where ${heldBy(job)} returning cancel_asked`.execute(db);
  const row = rows[0];
  if (!row) return "lost";
  return row.cancel_asked ? "cancelled" : "held";
}

/** Ends the job in the caller's transaction. False when the lease was lost: then the caller must write nothing. */
export async function end(
  trx: Db,
  job: ClaimedJob,
  outcome: { state: "done" | "failed" | "cancelled"; error?: string },
): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update job set state = ${outcome.state}, error = ${outcome.error ?? null}, finished_at = now(),
      lease = null, lease_until = null
    where ${heldBy(job)}`.execute(trx);
  return numAffectedRows === 1n;
}

/** Returns the job to the queue for another attempt after a pause. */
export async function retryLater(db: Db, job: ClaimedJob, { error, seconds }: { error: string; seconds: number }) {
  await sql`
    update job set state = 'ready', run_at = now() + make_interval(secs => ${seconds}::float8),
      lease = null, lease_until = null, error = ${error}
    where ${heldBy(job)}`.execute(db);
}

/** Returns the job to the queue without counting the attempt, because this worker stops. */
export async function giveBack(db: Db, job: ClaimedJob) {
  await sql`
    update job set state = 'ready', attempt = attempt - 1, lease = null, lease_until = null
    where ${heldBy(job)}`.execute(db);
}

/** Claims one job that may not run again: its worker died on the last attempt, or before it noticed the cancellation. */
export async function takeDead(trx: Db, kinds: string[]): Promise<(ClaimedJob & { cancelled: boolean }) | undefined> {
  const { rows } = await sql<ClaimedJob & { cancelled: boolean }>`
    update job set lease = gen_random_uuid()
    where id = (
      select id from job where kind = any(${kinds}::text[]) and state = 'active' and lease_until < now()
        and (attempt >= max_attempts or cancel_asked)
      order by seq limit 1 for update skip locked)
    returning ${claimed}, cancel_asked as cancelled`.execute(trx);
  return rows[0];
}
