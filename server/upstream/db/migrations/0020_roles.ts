import { type Kysely, type Migration, sql } from "kysely";

// The statement's words are kept as their hash; a consent read aloud goes when its recording does.
const statements = [
  sql`alter table role
    add column recording_id uuid references recording (id) on delete set null,
    add column transcript text,
    add column status int not null default 2 check (status in (1, 2, 3)),
    add column reason text,
    add column measured jsonb,
    add column review text check (review in ('open', 'kept', 'withdrawn')),
    add column job_id uuid`,
  sql`create index role_owner on role (owner, created_at) where owner is not null`,
  sql`create index role_recording on role (recording_id) where recording_id is not null`,
  sql`create table role_consent (
    role_id text primary key references role (id) on delete cascade,
    account_id uuid not null,
    statement_id text not null,
    statement_version int not null,
    statement_sha256 text not null,
    agreed_at timestamptz not null default now(),
    address text not null,
    recording_id uuid references recording (id) on delete cascade
  )`,
  sql`create index role_consent_recording on role_consent (recording_id) where recording_id is not null`,
  sql`create table role_report (
    id uuid primary key default gen_random_uuid(),
    role_id text not null references role (id) on delete cascade,
    reporter text not null,
    address text not null,
    reason text not null,
    created_at timestamptz not null default now(),
    reviewed_at timestamptz,
    unique (role_id, reporter)
  )`,
  sql`create index role_report_open on role_report (created_at) where reviewed_at is null`,
  sql`create index role_report_reporter on role_report (reporter)`,
];

export const roles: Migration = {
  async up(db: Kysely<unknown>) {
    for (const statement of statements) await statement.execute(db);
  },
};
