import type { ClaimedJob } from "./claims";
import type { JobDone } from "./runner";

/** A job in a log line: by its ids, never by what people wrote, and by the request that it was enqueued for. */
export const logged = ({ id, kind, attempt, payload, requestId }: Omit<ClaimedJob, "lease" | "maxAttempts">) => ({
  ...(requestId !== null && { requestId }),
  job: { id, kind, attempt, ...(isRecord(payload) && typeof payload.id === "string" && { task: payload.id }) },
});

/** One that is done: how long it took, what it tells of itself, and its time over that of the sound it made. */
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
