import { bffPaths, call, createIdempotentCall, Refused, refusalOf } from "~/call";
import type { TrialProgress } from "~server/bff/trials.server";
import type { TrialCreated, TrialCreateRequest } from "~server/contract/calls/trials";
import { pollMs, subscribeToTasks } from "./task-events";

/** Starts a trial. Throws `Refused`. */
export const createTrial = createIdempotentCall<Partial<TrialCreateRequest>, TrialCreated>(bffPaths.trials);

const followedMaxMs = 300_000;
const toleratedFailures = 5;

/** How far a running trial is. */
export type TrialStep = Pick<TrialProgress, "progress" | "segDone" | "segTotal" | "queuePos">;

interface TrialFollower {
  /** The upstream has task events. */
  hasEvents: boolean;
  onProgress(step: TrialStep): void;
}

/**
 * Follows a trial by its task events until it ends. Its state is read at first, at its end and after a gap in the events;
 * without events at the upstream every 2 s. Null if `signal` aborts. Throws `Refused`, `timeout` after five minutes.
 */
export function followTrial(taskId: string, signal: AbortSignal, { hasEvents, onProgress }: TrialFollower) {
  return new Promise<TrialProgress | null>((resolve, reject) => {
    const ended = new AbortController();
    let retry: ReturnType<typeof setTimeout> | undefined;
    let failures = 0;
    let isPolled = !hasEvents;
    const end = (settle: () => void) => {
      ended.abort();
      settle();
    };
    const read = async () => {
      clearTimeout(retry);
      try {
        const trial = await call<TrialProgress>(bffPaths.trialResult(taskId), { signal: ended.signal });
        if (ended.signal.aborted) return;
        if (trial.state !== "running") return end(() => resolve(trial));
        failures = 0;
        onProgress(trial);
        if (!isPolled) return;
      } catch (error) {
        if (ended.signal.aborted) return;
        failures += 1;
        const isLasting = !/^(network|request-failed)$/.test(refusalOf(error).code);
        if (isLasting || failures > toleratedFailures) return end(() => reject(error));
      }
      retry = setTimeout(read, pollMs);
    };
    const onEvent = (event: TrialStep & { taskId: string; status: number }) => {
      if (event.taskId !== taskId) return;
      if (event.status === 1) return onProgress(event);
      isPolled = true;
      void read();
    };
    const unsubscribe = hasEvents ? subscribeToTasks({ onEvent, onStale: read }) : () => {};
    const late = setTimeout(() => end(() => reject(new Refused({ code: "timeout" }))), followedMaxMs);
    ended.signal.addEventListener("abort", () => {
      unsubscribe();
      clearTimeout(retry);
      clearTimeout(late);
    });
    const leave = () => end(() => resolve(null));
    if (signal.aborted) return leave();
    signal.addEventListener("abort", leave, { once: true });
    void read();
  });
}
