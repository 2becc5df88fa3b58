import { sql } from "kysely";
import type { Db } from "../db/database";

/** A job in a worker's hands. `lease` proves it: every claim draws a new one. */
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

/** The lanes that a worker takes jobs from. */
export type Lanes = { only: string } | { except: string[] };

const anyLane: Lanes = { except: [] };

/** Takes the next ready job of these kinds, or one whose worker let its lease run out with attempts left. */
export async function claim(
  db: Db,
  kinds: string[],
  leaseSeconds: number,
  lanes: Lanes = anyLane,
): Promise<ClaimedJob | undefined> {
  const isInLanes = "only" in lanes ? sql`lane = ${lanes.only}` : sql`lane <> all(${lanes.except}::text[])`;
  const { rows } = await sql<ClaimedJob>`
    update job set state = 'active', attempt = attempt + 1, lease = gen_random_uuid(),
      lease_until = now() + make_interval(secs => ${leaseSeconds}::float8)
    where id = (
      select id from job where kind = any(${kinds}::text[]) and ${isInLanes}
        and ((state = 'ready' and run_at <= now())
          or (state = 'active' and lease_until < now() and attempt < max_attempts and not cancel_asked))
      order by priority desc, run_at, seq limit 1 for update skip locked)
    returning ${claimed}`.execute(db);
  return rows[0];
}

const heldBy = ({ id, lease }: ClaimedJob) => sql`id = ${id} and lease = ${lease} and state = 'active'`;

/** Holds the job for another lease and tells whether it is still ours. */
export async function renew(db: Db, job: ClaimedJob, leaseSeconds: number): Promise<"held" | "cancelled" | "lost"> {
  const { rows } = await sql<{ cancel_asked: boolean }>`
    update job set lease_until = now() + make_interval(secs => ${leaseSeconds}::float8)
    where ${heldBy(job)} returning cancel_asked`.execute(db);
  const row = rows[0];
  if (!row) return "lost";
  return row.cancel_asked ? "cancelled" : "held";
}

/** Ends the job in the caller's transaction; false when the lease is no longer ours: then nothing may be written. */
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

/** Hands the job back for another attempt after a pause. */
export async function retryLater(db: Db, job: ClaimedJob, { error, seconds }: { error: string; seconds: number }) {
  await sql`
    update job set state = 'ready', run_at = now() + make_interval(secs => ${seconds}::float8),
      lease = null, lease_until = null, error = ${error}
    where ${heldBy(job)}`.execute(db);
}

/** Hands the job back untouched: this worker stops, the attempt does not count. */
export async function giveBack(db: Db, job: ClaimedJob) {
  await sql`
    update job set state = 'ready', attempt = attempt - 1, lease = null, lease_until = null
    where ${heldBy(job)}`.execute(db);
}

/** Takes one job nobody may try again: its worker died on the last attempt, or before it saw that it was cancelled. */
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
