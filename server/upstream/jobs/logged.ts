import type { ClaimedJob } from "./claims";

/** A job in a log line: by its ids, never by what people wrote. */
export const logged = ({ id, kind, attempt, payload }: Pick<ClaimedJob, "id" | "kind" | "attempt" | "payload">) => ({
  id,
  kind,
  attempt,
  ...(isRecord(payload) && typeof payload.id === "string" && { task: payload.id }),
});

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === "object" && value !== null;
