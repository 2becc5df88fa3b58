import { setTimeout as sleep } from "node:timers/promises";
import type { Db } from "../db/database";
import { type ClaimedJob, claim, end, type Lanes, takeDead } from "./claims";
import type { JobHandler } from "./handler";
import type { Queue } from "./queue";
import { createRunner, type JobDone, type RunnerTimes } from "./runner";

interface Repeated {
  everyMs: number;
  act(): Promise<void>;
  onError(error: unknown): void;
}

/** Runs `act` now and at every interval, never concurrently. Resolves after the signal, when the last run has ended. */
export function repeatUntil(signal: AbortSignal, { everyMs, act, onError }: Repeated): Promise<void> {
  let last = Promise.resolve();
  const run = () => {
    last = last.then(act).catch(onError);
  };
  const timer = setInterval(run, everyMs);
  run();
  return new Promise((resolve) => {
    const end = () => {
      clearInterval(timer);
      last.then(resolve);
    };
    if (signal.aborted) end();
    else signal.addEventListener("abort", end, { once: true });
  });
}

/** Ends jobs whose worker died on the last attempt, and releases their reservations. Returns their number. */
export async function sweepDead(db: Db, handlers: Record<string, JobHandler>): Promise<number> {
  const kinds = Object.keys(handlers);
  for (let swept = 0; ; swept++) {
    const found = await db.transaction().execute(async (trx) => {
      const job = await takeDead(trx, kinds);
      if (!job) return false;
      const reason = job.cancelled ? "cancelled" : "worker died";
      await end(trx, job, { state: job.cancelled ? "cancelled" : "failed", error: reason });
      await handlers[job.kind]?.failed?.(trx, job.payload, new Error(reason));
      return true;
    });
    if (!found) return swept;
  }
}

export interface WorkerOptions extends Partial<RunnerTimes> {
  db: Db;
  queue: Queue;
  handlers: Record<string, JobHandler>;
  concurrency: number;
  /** All lanes when absent. */
  lanes?: Lanes;
  /** Stops the worker; running jobs are aborted and returned to the queue. */
  signal: AbortSignal;
  pollMs?: number;
  sweepMs?: number;
  onError?(error: unknown, job?: ClaimedJob): void;
  onDone?(job: ClaimedJob, done: JobDone): void;
}

/** Runs jobs until the signal; resolves when the last running job has stopped. */
export async function createWorker(options: WorkerOptions): Promise<void> {
  const { db, queue, handlers, concurrency, lanes, signal, pollMs = 400, sweepMs = 5000 } = options;
  const { onError = () => {}, onDone = () => {} } = options;
  const kinds = Object.keys(handlers);
  const times = {
    leaseSeconds: options.leaseSeconds ?? 20,
    heartbeatMs: options.heartbeatMs ?? 1000,
    backoffSeconds: options.backoffSeconds ?? 1,
  };
  const runner = createRunner({ db, queue, handlers, times, signal, onError, onDone });
  const running = new Set<Promise<void>>();
  const bell = createBell(queue, signal);
  let sweptAt = 0;

  const takeOne = async (): Promise<boolean> => {
    const job: ClaimedJob | undefined = await claim(db, kinds, times.leaseSeconds, lanes);
    if (!job) return false;
    const run: Promise<void> = runner(job).finally(() => {
      running.delete(run);
      bell.ring();
    });
    running.add(run);
    return true;
  };

  while (!signal.aborted) {
    try {
      if (Date.now() - sweptAt >= sweepMs) {
        sweptAt = Date.now();
        await sweepDead(db, handlers);
      }
      if (running.size < concurrency && (await takeOne())) continue;
    } catch (error) {
      onError(error);
    }
    await bell.wait(pollMs);
  }
  bell.close();
  await Promise.all(running);
}

/** Waits until rung or for the poll interval. A ring outside `wait` ends the next one at once. */
function createBell(queue: Queue, signal: AbortSignal) {
  let rung = false;
  let wakeUp = () => {};
  const ring = () => {
    rung = true;
    wakeUp();
  };
  const unsubscribe = queue.onWake(ring);
  // One listener: combining this signal with each sleep's would add a dependent signal per poll for the signal's lifetime.
  signal.addEventListener("abort", ring, { once: true });
  return {
    ring,
    close: unsubscribe,
    async wait(ms: number) {
      const awake = new AbortController();
      wakeUp = () => awake.abort();
      if (!rung) await sleep(ms, undefined, { signal: awake.signal }).catch(() => {});
      rung = false;
    },
  };
}
