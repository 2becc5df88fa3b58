import { sql } from "kysely";

export const consoleMigrations = {
  // Operators of the console, bans, and the order in which the console reads long tables.
  "0110_console": [
    sql`alter table account add column banned_at timestamptz`,
    sql`create table operator (
      id uuid primary key default gen_random_uuid(),
      account_id uuid not null unique references account (id) on delete cascade,
      name text not null,
      role text not null check (role in ('owner', 'support', 'finance', 'moderator')),
      totp_sealed text,
      totp_counter bigint not null default 0,
      is_enrolled boolean not null default false,
      recovery_hashes text[] not null default '{}',
      created_at timestamptz not null default now()
    )`,
    sql`create table operator_login (
      hash text primary key,
      operator_id uuid not null references operator (id) on delete cascade,
      seen_at timestamptz not null default now(),
      fresh_at timestamptz
    )`,
    sql`create index operator_login_operator on operator_login (operator_id)`,
    sql`create table operator_request (
      id uuid primary key default gen_random_uuid(),
      operation text not null,
      input jsonb not null,
      reason text not null,
      asked_by uuid not null references operator (id) on delete cascade,
      created_at timestamptz not null default now()
    )`,
    sql`create index operator_request_asker on operator_request (asked_by)`,
    sql`create index audit_newest on audit (created_at desc, id)`,
    sql`create index pay_anomaly_newest on pay_anomaly (created_at desc, id)`,
    sql`create index pay_order_paid_at on pay_order (paid_at) where paid_at is not null`,
    sql`create index pay_refund_done_at on pay_refund (done_at) where done_at is not null`,
    sql`create index clone_newest on clone (created_at) include (status)`,
    sql`create index dub_newest on dub (created_at) include (status)`,
    sql`create index video_newest on video (created_at) include (status)`,
    sql`create index trial_newest on trial (created_at) include (status)`,
    sql`create index clone_failed on clone (created_at desc, id) where status = 3`,
    sql`create index dub_failed on dub (created_at desc, id) where status = 3`,
    sql`create index video_failed on video (created_at desc, id) where status = 3`,
  ],
};
