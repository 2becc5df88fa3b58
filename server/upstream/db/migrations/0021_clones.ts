import { type Kysely, type Migration, sql } from "kysely";

const statements = [
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
];

/** Voice clones, and what is told of every task. */
export const clones: Migration = {
  async up(db: Kysely<unknown>) {
    for (const statement of statements) await statement.execute(db);
  },
};
