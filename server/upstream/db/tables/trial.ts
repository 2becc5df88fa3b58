import type { Generated } from "kysely";

export interface TrialTable {
  id: Generated<string>;
  /** `account:<id>` or `visitor:<id>`. */
  owner: string;
  /** False for a member's: it took no trial and gives none back. */
  is_counted: Generated<boolean>;
  address: string;
  /** Day in Asia/Shanghai that the address' share was taken from, `YYYY-MM-DD`; "" where none was. */
  day: string;
  content: string;
  transcript: string | null;
  recording_id: string | null;
  role_id: string | null;
  /** 1 running, 2 done, 3 failed. */
  status: Generated<1 | 2 | 3>;
  seg_done: Generated<number>;
  seg_total: Generated<number>;
  /** ErrorCode of a failed one. */
  msg: string | null;
  job_id: string | null;
  rendition_id: string | null;
  created_at: Generated<Date>;
  settled_at: Date | null;
}

/** A trial that a generation of an account without a tier holds until it ends. */
export interface TrialHoldTable {
  task_id: string;
  account_id: string;
  created_at: Generated<Date>;
}

/** Trials taken, failed ones given back: scope is `account:<id>`, `visitor:<id>`, `phone:<hash>`, or `address:<address>:<day>`. */
export interface TrialAllowanceTable {
  scope: string;
  used: number;
  expires_at: Date | null;
}
