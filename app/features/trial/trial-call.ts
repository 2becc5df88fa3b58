import { bffPaths, call, createIdempotentCall, type Refusal, refusalOf, toRefused } from "~/call";
import type { TrialProgress } from "~server/bff/trials.server";
import type { TrialCreateRequest } from "~server/contract/calls/trials";

interface CreatedTrial {
  trial: { taskId: string; tryNum: number; tryMax: number };
}

/** Starts a trial. Throws `Refused`. */
export const createTrial = createIdempotentCall<Partial<TrialCreateRequest>, CreatedTrial>(bffPaths.trials);

const pollMs = 1500;
const toleratedFailures = 5;

/**
 * Follows a trial by events until it ends; polls if the event stream fails. Null if `signal` aborts. Throws `Refused`.
 */
export async function followTrial(
  taskId: string,
  signal: AbortSignal,
  onProgress: (progress: TrialProgress) => void,
): Promise<TrialProgress | null> {
  const ended = await followByEvents(taskId, signal, onProgress);
  if (ended !== "lost") return ended;
  let failures = 0;
  while (!signal.aborted) {
    try {
      const { progress } = await call<{ progress: TrialProgress }>(bffPaths.trialResult(taskId), { signal });
      if (progress.state !== "running") return progress;
      failures = 0;
      onProgress(progress);
    } catch (error) {
      failures += 1;
      if (refusalOf(error).code !== "network" || failures > toleratedFailures) throw error;
    }
    await new Promise((resolve) => setTimeout(resolve, pollMs));
  }
  return null;
}

function followByEvents(taskId: string, signal: AbortSignal, onProgress: (progress: TrialProgress) => void) {
  return new Promise<TrialProgress | "lost" | null>((resolve, reject) => {
    const source = new EventSource(bffPaths.trialEvents(taskId));
    const end = (settle: () => void) => {
      source.close();
      settle();
    };
    signal.addEventListener("abort", () => end(() => resolve(null)), { once: true });
    source.addEventListener("progress", ({ data }) => {
      const progress = JSON.parse(data) as TrialProgress;
      if (progress.state === "running") onProgress(progress);
      else end(() => resolve(progress));
    });
    source.addEventListener("refusal", ({ data }) => end(() => reject(toRefused(JSON.parse(data) as Refusal))));
    source.onerror = () => end(() => resolve("lost"));
  });
}
