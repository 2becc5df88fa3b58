import { AppError } from "../errors";
import type { Owner, Stoppable } from "../voices/ports";

export interface Tasks {
  /** Stops what waits or runs and gives back what it holds; a task that has ended stays as it is. Throws not-found. */
  cancel(owner: Owner, taskId: string): Promise<void>;
  /** Runs a failed one again. Throws not-found, and entitlement where it cannot be paid for. */
  retry(owner: Owner, taskId: string): Promise<void>;
}

/** People's tasks of whatever kind, by id. */
export function createTasks({ nouns }: { nouns: Stoppable[] }): Tasks {
  const untilOneDoes = async (act: (noun: Stoppable) => Promise<boolean>) => {
    for (const noun of nouns) if (await act(noun)) return;
    throw new AppError("not-found", "no such task");
  };
  return {
    cancel: (owner, taskId) => untilOneDoes((noun) => noun.cancel(owner, taskId)),
    retry: (owner, taskId) => untilOneDoes((noun) => noun.retry(owner, taskId)),
  };
}
