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
  "0122_webhooks": [
    sql`create table webhook (
      account_id uuid primary key references account (id) on delete cascade,
      url text not null,
      nonce text not null,
      created_at timestamptz not null default now()
    )`,
    // Without a foreign key: the end of a task would wait for the deletion of its account, which waits for the task.
    sql`create table webhook_delivery (
      id uuid primary key default gen_random_uuid(),
      account_id uuid not null,
      event text not null,
      task_id text not null,
      body text not null,
      state text not null default 'waiting' check (state in ('waiting', 'delivered', 'failed')),
      attempts int not null default 0,
      outcome text not null default '',
      created_at timestamptz not null default now()
    )`,
    sql`create index webhook_delivery_account on webhook_delivery (account_id, created_at desc)`,
    sql`create index webhook_delivery_age on webhook_delivery (created_at)`,
  ],
};
