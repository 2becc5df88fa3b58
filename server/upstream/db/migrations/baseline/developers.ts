import { sql } from "kysely";

/** Projects, API keys, webhooks, and the states of engines in each process. */
export const developerTables = [
  sql`create table project (
    account_id uuid not null references account (id) on delete cascade,
    id text not null,
    kind text not null,
    title text not null,
    excerpt text not null,
    lines int not null,
    characters int not null,
    document text not null,
    revision int not null,
    updated_at timestamptz not null,
    deleted_at timestamptz,
    primary key (account_id, id)
  )`,
  sql`create index project_list on project (account_id, kind, updated_at desc, id desc)`,
  sql`create index project_deleted on project (deleted_at) where deleted_at is not null`,

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

  sql`create table engine_report (
    process text not null,
    engine text not null,
    role text not null,
    state text not null check (state in ('speaking', 'resting')),
    since timestamptz not null,
    seen_at timestamptz not null default now(),
    primary key (process, engine)
  )`,
];
