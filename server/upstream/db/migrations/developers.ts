import { sql } from "kysely";

export const developerMigrations = {
  "0120_api_keys": [
    sql`create table api_key (
      id uuid primary key default gen_random_uuid(),
      account_id uuid not null references account (id) on delete cascade,
      name text not null,
      hash text not null unique,
      hint text not null,
      month_limit int check (month_limit > 0),
      created_at timestamptz not null default now(),
      used_at timestamptz
    )`,
    sql`create index api_key_account on api_key (account_id, created_at)`,
    sql`create table api_key_use (
      task_id text primary key,
      key_id uuid not null references api_key (id) on delete cascade,
      characters int not null check (characters >= 0),
      created_at timestamptz not null default now()
    )`,
    sql`create index api_key_use_month on api_key_use (key_id, created_at)`,
  ],
  "0121_streamed_clones": [sql`alter table clone add column is_streamed boolean not null default false`],
};
