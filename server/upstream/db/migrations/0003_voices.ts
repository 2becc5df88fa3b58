import { type Kysely, type Migration, sql } from "kysely";

const statements = [
  sql`create table rendition (
    id uuid primary key default gen_random_uuid(),
    owner text,
    play_id text not null unique,
    play_url text not null,
    mp3_url text,
    wav_url text,
    timeline_url text,
    duration_ms int not null,
    created_at timestamptz not null default now()
  )`,
  sql`create index rendition_owner on rendition (owner)`,
  sql`create table recording (
    id uuid primary key default gen_random_uuid(),
    file_id text not null unique,
    owner text not null,
    name text not null,
    url text not null,
    duration_ms int not null,
    quality jsonb not null,
    profile jsonb,
    profile_key text,
    created_at timestamptz not null default now()
  )`,
  sql`create index recording_owner on recording (owner, created_at)`,
  sql`create table role (
    id text primary key,
    owner text,
    name text not null,
    describe text not null,
    gender text not null check (gender in ('male', 'female', 'unknown')),
    category text not null,
    tags text[] not null default '{}',
    language text not null,
    avatar text not null default '',
    portrait jsonb,
    design jsonb,
    preview_text text not null,
    preview_id uuid references rendition (id) on delete set null,
    preview_key text,
    is_public boolean not null default false,
    use_num int not null default 0,
    home_rank int,
    created_at timestamptz not null default now()
  )`,
  sql`create index role_public on role (use_num desc, id) where is_public`,
];

export const voices: Migration = {
  async up(db: Kysely<unknown>) {
    for (const statement of statements) await statement.execute(db);
  },
};
