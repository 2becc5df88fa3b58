import { setTimeout as sleep } from "node:timers/promises";
import type { Db } from "../db/database";
import { DatabaseUnavailable } from "../errors";
import { type ClaimedJob, end, giveBack, renew, retryLater } from "./claims";
import type { JobHandler, Outcome } from "./handler";
import type { Queue } from "./queue";

/** A job in a log line: by its ids, never by what people wrote, and by the request that it was enqueued for. */
export const logged = ({ id, kind, attempt, payload, requestId }: Omit<ClaimedJob, "lease" | "maxAttempts">) => ({
  ...(requestId !== null && { requestId }),
  job: { id, kind, attempt, ...(isRecord(payload) && typeof payload.id === "string" && { task: payload.id }) },
});

/** A finished job: its duration, its own report, and the ratio of its duration to that of its sound. */
export function loggedDone(job: ClaimedJob, { durationMs, facts }: JobDone) {
  const audioMs = facts?.audioMs;
  const factor = typeof audioMs === "number" && audioMs > 0 ? durationMs / audioMs : null;
  return {
    ...logged(job),
    durationMs,
    ...facts,
    ...(factor !== null && { realTimeFactor: Math.round(factor * 1000) / 1000 }),
  };
}

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === "object" && value !== null;

export interface RunnerTimes {
  /** A worker loses its job after this time without a renewal. */
  leaseSeconds: number;
  heartbeatMs: number;
  /** Pause before the second attempt; doubles with every further one. */
  backoffSeconds: number;
}

interface RunnerOptions {
  db: Db;
  queue: Queue;
  handlers: Record<string, JobHandler>;
  times: RunnerTimes;
  signal: AbortSignal;
  onError(error: unknown, job?: ClaimedJob): void;
  onDone(job: ClaimedJob, done: JobDone): void;
}

/** Duration and log fields of a successful job. */
export interface JobDone {
  /** From the claim to the commit. */
  durationMs: number;
  facts: Outcome["facts"];
}

type Stop = "cancelled" | "lost" | "shutdown";

const describe = (error: unknown) => (error instanceof Error ? `${error.name}: ${error.message}` : String(error));

/** Returns a function that runs one claimed job to its end and renews its lease. It never rejects. */
export function createRunner({ db, queue, handlers, times, signal, onError, onDone }: RunnerOptions) {
  const giveUp = (job: ClaimedJob, error: unknown, state: "failed" | "cancelled") =>
    db.transaction().execute(async (trx) => {
      if (await end(trx, job, { state, error: describe(error) })) {
        await handlers[job.kind]?.failed?.(trx, job.payload, error);
      }
    });

  const conclude = async (job: ClaimedJob, outcome: Outcome | undefined) => {
    const isWritten = await db.transaction().execute(async (trx) => {
      const isOurs = await end(trx, job, { state: "done" });
      if (isOurs) await outcome?.write(trx);
      return isOurs;
    });
    await (isWritten ? outcome?.written?.() : outcome?.discard?.())?.catch((error) => onError(error, job));
    return isWritten;
  };

  const release = async (job: ClaimedJob, error: unknown, stop: Stop | undefined) => {
    if (stop === "lost") return;
    if (stop === "shutdown") return giveBack(db, job);
    if (stop === "cancelled") return giveUp(job, error, "cancelled");
    // Not the job's fault. After a commit whose answer was lost the job is over, and this changes nothing.
    if (error instanceof DatabaseUnavailable) return giveBack(db, job);
    const isFinal = job.attempt >= job.maxAttempts || handlers[job.kind]?.isFinal?.(error);
    if (isFinal) return giveUp(job, error, "failed");
    const seconds = times.backoffSeconds * 2 ** (job.attempt - 1);
    return retryLater(db, job, { error: describe(error), seconds });
  };

  /** Repeats a step, which may be repeated safely, until the database is there or the worker stops. */
  const persist = async (job: ClaimedJob, step: () => Promise<void> | undefined): Promise<void> => {
    try {
      await step();
    } catch (failure) {
      if (!(failure instanceof DatabaseUnavailable) || signal.aborted) return onError(failure, job);
      await sleep(times.heartbeatMs, undefined, { signal }).catch(() => {});
      return persist(job, step);
    }
  };

  return async (job: ClaimedJob): Promise<void> => {
    const lease = keepLease({ db, queue, job, times, signal });
    const claimedAt = performance.now();
    let outcome: Outcome | undefined;
    try {
      const handler = handlers[job.kind];
      if (!handler) throw new Error(`no handler for ${job.kind}`);
      // A claim in flight at shutdown may return a job: its handler would wait for an abort that has already happened.
      lease.signal.throwIfAborted();
      const context = { id: job.id, attempt: job.attempt, signal: lease.signal };
      outcome = await handler.run(job.payload, context);
      if (!(await conclude(job, outcome))) return;
      onDone(job, { durationMs: Math.round(performance.now() - claimedAt), facts: outcome?.facts });
    } catch (error) {
      if (lease.stopped() === undefined) onError(error, job);
      // In this order: the job's row tells whether a commit whose answer was lost is still under way.
      await persist(job, () => release(job, error, lease.stopped()));
      await persist(job, () => outcome?.discard?.());
    } finally {
      lease.close();
    }
  };
}

interface LeaseOptions extends Pick<RunnerOptions, "db" | "queue" | "times" | "signal"> {
  job: ClaimedJob;
}

/** Renews the lease until closed, and aborts the job's signal when the job must stop. */
function keepLease({ db, queue, job, times, signal }: LeaseOptions) {
  const controller = new AbortController();
  let stop: Stop | undefined;
  let renewedAt = Date.now();
  const halt = (reason: Stop) => {
    stop ??= reason;
    controller.abort(new Error(`job ${reason}`));
  };
  const renewOnce = async () => {
    try {
      const state = await renew(db, job, times.leaseSeconds);
      if (state !== "held") return halt(state);
      renewedAt = Date.now();
    } catch {
      // The database is unreachable: other workers may claim the job after the lease has expired.
      if (Date.now() - renewedAt > times.leaseSeconds * 1000) halt("lost");
    }
  };
  let isRenewing = false;
  let isAsked = false;
  // One renewal at a time: a hundred simultaneous wakes cause one more renewal, not a hundred.
  const beat = async () => {
    isAsked = true;
    if (isRenewing) return;
    isRenewing = true;
    while (isAsked && stop === undefined) {
      isAsked = false;
      await renewOnce();
    }
    isRenewing = false;
  };
  const shutdown = () => halt("shutdown");
  const timer = setInterval(beat, times.heartbeatMs);
  const unsubscribe = queue.onWake(beat);
  signal.addEventListener("abort", shutdown, { once: true });
  if (signal.aborted) shutdown();
  return {
    signal: controller.signal,
    stopped: () => stop,
    close() {
      clearInterval(timer);
      unsubscribe();
      signal.removeEventListener("abort", shutdown);
    },
  };
}
