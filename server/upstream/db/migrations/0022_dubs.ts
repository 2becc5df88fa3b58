import { type Kysely, type Migration, sql } from "kysely";

const statements = [
  sql`create table dictionary_word (
    account_id uuid not null,
    word text not null,
    pinyin text not null,
    created_at timestamptz not null default now(),
    primary key (account_id, word)
  )`,
  sql`create table script_sample (
    rendition_id uuid primary key references rendition (id) on delete cascade,
    expires_at timestamptz not null
  )`,
  sql`create index script_sample_expiry on script_sample (expires_at)`,
  sql`create table dub (
    id uuid primary key default gen_random_uuid(),
    owner text not null,
    title text not null default '',
    format text,
    is_take boolean not null default false,
    turn int not null default 1,
    status int not null default 1 check (status in (1, 2, 3)),
    seg_done int not null default 0,
    seg_total int not null default 0,
    cost_char int not null,
    msg text,
    failed_at int,
    job_id uuid,
    rendition_id uuid references rendition (id) on delete set null,
    created_at timestamptz not null default now(),
    settled_at timestamptz
  )`,
  sql`create index dub_owner on dub (owner, created_at desc)`,
  sql`create index dub_take on dub (created_at) where is_take`,
  sql`create table dub_line (
    dub_id uuid not null references dub (id) on delete cascade,
    number int not null,
    role_id text not null,
    content text not null,
    speed float8 not null,
    pitch float8,
    volume float8,
    genre int not null check (genre in (0, 1, 2)),
    ext jsonb,
    emotion_path text not null default '',
    tone_id uuid references recording (id) on delete set null,
    pause_after float8 not null default 0,
    start_ms int,
    end_ms int,
    line_key text not null,
    status int not null default 1 check (status in (1, 2, 3)),
    sound_key text,
    spoken_speed float8,
    natural_ms int,
    samples int,
    sample_rate int,
    begins_ms int,
    overrun_ms int not null default 0,
    rendition_id uuid references rendition (id),
    primary key (dub_id, number)
  )`,
  sql`create index dub_line_key on dub_line (line_key)`,
  sql`create index dub_line_sound on dub_line (sound_key) where rendition_id is not null`,
  sql`create index dub_line_rendition on dub_line (rendition_id)`,
  sql`create index dub_line_role on dub_line (role_id)`,
];

/** Dubs line by line, and the words an account has read its own way. */
export const dubs: Migration = {
  async up(db: Kysely<unknown>) {
    for (const statement of statements) await statement.execute(db);
  },
};
