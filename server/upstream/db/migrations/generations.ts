import { sql } from "kysely";

export const generationMigrations = {
  "0001_queue": [
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
  ],
  "0004_trials": [
    sql`create table trial (
      id uuid primary key default gen_random_uuid(),
      visitor text not null,
      address text not null,
      day text not null,
      content text not null,
      transcript text,
      recording_id uuid references recording (id) on delete set null,
      role_id text references role (id) on delete set null,
      status int not null default 1 check (status in (1, 2, 3)),
      seg_done int not null default 0,
      seg_total int not null default 0,
      msg text,
      job_id uuid,
      rendition_id uuid references rendition (id) on delete set null,
      created_at timestamptz not null default now(),
      settled_at timestamptz
    )`,
    sql`create index trial_visitor on trial (visitor, created_at)`,
    sql`create table trial_allowance (
      scope text primary key,
      used int not null check (used >= 0),
      expires_at timestamptz
    )`,
    sql`create table segment (
      fingerprint text primary key,
      key text not null,
      chunks jsonb not null,
      used_at timestamptz not null default now()
    )`,
    sql`create index segment_age on segment (used_at)`,
  ],
  // Trials held by generations of accounts without a tier until the generation ends.
  "0013_trial_hold": [
    sql`create table trial_hold (
      task_id uuid primary key,
      account_id uuid not null,
      created_at timestamptz not null default now()
      )`,
    sql`create index trial_hold_account on trial_hold (account_id)`,
  ],
  // Clones and task events.
  "0021_clones": [
    sql`create sequence task_event_number`,
    sql`create table task_event (
      id bigint generated always as identity primary key,
      number bigint unique,
      owner text not null,
      data jsonb not null,
      created_at timestamptz not null default now()
    )`,
    sql`create index task_event_fresh on task_event (id) where number is null`,
    sql`create index task_event_owner on task_event (owner, number)`,
    sql`create index task_event_age on task_event (created_at)`,
    sql`create table clone (
      id uuid primary key default gen_random_uuid(),
      owner text not null,
      content text not null,
      transcript text,
      recording_id uuid references recording (id) on delete set null,
      voice_path text not null default '',
      role_id text references role (id) on delete set null,
      style text not null default '',
      speed float8 not null,
      pitch float8,
      volume float8,
      genre int not null check (genre in (0, 1, 2)),
      ext jsonb,
      tone_id uuid references recording (id) on delete set null,
      emotion_path text not null default '',
      characters int not null,
      status int not null default 1 check (status in (1, 2, 3)),
      seg_done int not null default 0,
      seg_total int not null default 0,
      msg text,
      failed_at int,
      turn int not null default 1,
      job_id uuid,
      rendition_id uuid references rendition (id) on delete set null,
      created_at timestamptz not null default now(),
      settled_at timestamptz
    )`,
    sql`create index clone_owner on clone (owner, created_at desc)`,
    sql`create index clone_role on clone (role_id)`,
    sql`create index clone_recording on clone (recording_id)`,
  ],
  "0027_job_origin": [sql`alter table job add column request_id text`],
  // Jobs of one kind that wait for different services have separate workers.
  "0033_job_lane": [sql`alter table job add column lane text not null default ''`],
  "0096_job_turns": [
    sql`drop index job_claim`,
    sql`create index job_claim on job (kind, (-priority), run_at, seq) where state in ('ready', 'active')`,
    sql`create index job_turn on job ((-priority), run_at, seq) where state = 'ready'`,
    sql`create index job_active on job (kind) where state = 'active'`,
  ],
};
