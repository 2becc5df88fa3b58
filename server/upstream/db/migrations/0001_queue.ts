import { type Kysely, type Migration, sql } from "kysely";

const statements = [
  sql`create table job (
    id uuid primary key default gen_random_uuid(),
    kind text not null,
    key text,
    payload jsonb not null,
    priority int not null default 0,
    state text not null default 'ready' check (state in ('ready', 'active', 'done', 'failed', 'cancelled')),
    attempt int not null default 0,
    max_attempts int not null default 3,
    run_at timestamptz not null default now(),
    lease uuid,
    lease_until timestamptz,
    cancel_asked boolean not null default false,
    error text,
    seq bigint generated always as identity,
    finished_at timestamptz
  )`,
  sql`create unique index job_key on job (kind, key) where key is not null and state in ('ready', 'active')`,
  sql`create index job_claim on job (priority desc, run_at, seq) where state in ('ready', 'active')`,
  sql`create index job_finished on job (finished_at) where finished_at is not null`,
  sql`create table idempotency (
    owner text not null,
    call text not null,
    key text not null,
    request text not null,
    answer jsonb,
    created_at timestamptz not null default now(),
    primary key (owner, call, key)
  )`,
  sql`create index idempotency_age on idempotency (created_at)`,
  sql`create table rate (
    key text not null,
    window_start bigint not null,
    hits int not null,
    expires_at timestamptz not null,
    primary key (key, window_start)
  )`,
  sql`create index rate_expiry on rate (expires_at)`,
];

export const queue: Migration = {
  async up(db: Kysely<unknown>) {
    for (const statement of statements) await statement.execute(db);
  },
};
