import type { Kysely } from "kysely";
import type { IdempotencyTable } from "./tables/idempotency";
import type { JobTable } from "./tables/job";
import type { RateTable } from "./tables/rate";
import type { RecordingTable } from "./tables/recording";
import type { RoleTable } from "./tables/role";
import type { SegmentTable } from "./tables/segment";
import type { TrialAllowanceTable, TrialTable } from "./tables/trial";

export interface Tables {
  job: JobTable;
  idempotency: IdempotencyTable;
  rate: RateTable;
  recording: RecordingTable;
  role: RoleTable;
  segment: SegmentTable;
  trial: TrialTable;
  trial_allowance: TrialAllowanceTable;
}

/** The database, or a transaction on it. Inside a transaction use only that: the embedded engine has one connection. */
export type Db = Kysely<Tables>;
