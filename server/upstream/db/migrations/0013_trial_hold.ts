import { type Kysely, type Migration, sql } from "kysely";

/** Trials that generations of accounts without a tier hold until they end. */
export const trialHold: Migration = {
  async up(db: Kysely<unknown>) {
    await sql`create table trial_hold (
      task_id uuid primary key,
      account_id uuid not null,
      created_at timestamptz not null default now()
    )`.execute(db);
    await sql`create index trial_hold_account on trial_hold (account_id)`.execute(db);
  },
};
