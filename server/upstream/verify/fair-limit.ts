import pLimit, { type LimitFunction } from "p-limit";
import { AppError } from "../errors";

interface FairLimits {
  /** At a time, for all callers. */
  concurrency: number;
  /** Of one caller. */
  waitingMax: number;
}

/**
 * Runs work of several callers: one piece of each at a time, and in turns. Throws too-many (429) for a caller with
 * `waitingMax` waiting pieces.
 */
export function createFairLimit({ concurrency, waitingMax }: FairLimits) {
  const all = pLimit(concurrency);
  const callers = new Map<string, LimitFunction>();

  return async <T>(caller: string, work: () => Promise<T>): Promise<T> => {
    const own = callers.get(caller) ?? pLimit(1);
    if (own.pendingCount >= waitingMax) {
      throw new AppError("too-many", "too much waiting work", { status: 429, retryAfterSeconds: 10 });
    }
    callers.set(caller, own);
    try {
      return await own(() => all(work));
    } finally {
      if (own.activeCount + own.pendingCount === 0) callers.delete(caller);
    }
  };
}
