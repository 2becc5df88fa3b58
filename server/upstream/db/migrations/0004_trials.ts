import { type Kysely, type Migration, sql } from "kysely";

const statements = [
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
];

export const trials: Migration = {
  async up(db: Kysely<unknown>) {
    for (const statement of statements) await statement.execute(db);
  },
};
