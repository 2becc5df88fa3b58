import type { ColumnType, Generated } from "kysely";

type JobState = "ready" | "active" | "done" | "failed" | "cancelled";

export interface JobTable {
  id: Generated<string>;
  /** Which handler does it. */
  kind: string;
  /** Which workers take it; "" where any of its kind may. */
  lane: Generated<string>;
  /** One live job per kind and key. */
  key: string | null;
  payload: ColumnType<unknown, string, never>;
  priority: Generated<number>;
  state: Generated<JobState>;
  attempt: Generated<number>;
  max_attempts: Generated<number>;
  run_at: Generated<Date>;
  /** Drawn anew by every claim: only its holder may renew, finish or fail the job. */
  lease: string | null;
  lease_until: Date | null;
  cancel_asked: Generated<boolean>;
  /** The request that it was enqueued for, where there was one. */
  request_id: string | null;
  error: string | null;
  seq: Generated<string>;
  finished_at: Date | null;
}
