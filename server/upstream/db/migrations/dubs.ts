import { sql } from "kysely";

export const dubMigrations = {
  // Dubs with their lines, and the dictionary of an account.
  "0022_dubs": [
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
  ],
  "0034_line_segments": [sql`alter table dub_line add column segments integer not null default 1`],
  "0046_videos": [
    sql`create table video (
      id uuid primary key default gen_random_uuid(),
      owner text not null,
      source_kind text not null check (source_kind in ('clone', 'dub', 'preview')),
      source_id text not null,
      role_ids text[] not null,
      title text not null,
      size text not null,
      height int not null,
      format text not null,
      captions text not null,
      background text not null,
      srt text not null default '',
      missing text not null default '',
      status int not null default 1 check (status in (1, 2, 3)),
      seg_done int not null default 0,
      seg_total int not null default 0,
      msg text,
      failed_at int,
      turn int not null default 1,
      job_id uuid,
      rendition_id uuid references rendition (id),
      created_at timestamptz not null default now(),
      settled_at timestamptz
    )`,
    sql`create index video_list on video (owner, created_at desc, id) include (status)`,
    sql`create index video_source on video (owner, source_id)`,
    sql`create index video_rendition on video (rendition_id) where rendition_id is not null`,
    sql`create table video_use (task_id uuid primary key, account_id uuid not null, month text not null)`,
    sql`create index video_use_month on video_use (account_id, month)`,
  ],
  // A page outlives its result as a row without content, until the sweep.
  "0048_shares": [
    sql`create table share (
      id text primary key,
      owner text not null,
      kind text not null,
      work_id uuid not null,
      is_listed boolean not null default false,
      is_hidden boolean not null default false,
      created_at timestamptz not null default now(),
      revoked_at timestamptz
    )`,
    sql`create unique index share_work on share (kind, work_id) where revoked_at is null`,
    sql`create index share_owner on share (owner, created_at)`,
    sql`create table share_report (
      share_id text not null references share (id) on delete cascade,
      reporter text not null,
      reason text not null,
      created_at timestamptz not null default now(),
      primary key (share_id, reporter)
    )`,
  ],
  "0049_share_revoked_index": [sql`create index share_revoked on share (revoked_at) where revoked_at is not null`],
  "0071_dub_music": [
    sql`alter table dub add column music jsonb`,
    sql`alter table media_file drop constraint media_file_kind_check`,
    sql`alter table media_file add constraint media_file_kind_check
      check (kind in ('recording', 'speech', 'image', 'timeline', 'music'))`,
    sql`create index media_file_music on media_file (created_at) where kind = 'music'`,
  ],
  // A request finds the equal task of its owner.
  "0095_task_fingerprints": [
    sql`alter table clone add column fingerprint text, add column repetition int not null default 0`,
    ...["trial", "dub", "video"].map((table) => sql`alter table ${sql.table(table)} add column fingerprint text`),
    ...["clone", "trial", "dub", "video"].map(
      (table) => sql`create index ${sql.id(`${table}_fingerprint`)} on ${sql.table(table)} (owner, fingerprint)
        where fingerprint is not null`,
    ),
  ],
};
