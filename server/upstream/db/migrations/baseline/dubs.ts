import { sql } from "kysely";
import { deliveryColumns, repeatableColumns } from "./generations";

/** Dubs with their lines, videos, and pages that show a result. */
export const dubTables = [
  sql`create table dub (
    id uuid primary key default gen_random_uuid(),
    owner text not null,
    title text not null default '',
    format text,
    music jsonb,
    is_take boolean not null default false,
    version_of uuid,
    chapter jsonb,
    cost_char int not null,
    rendition_id uuid references rendition (id) on delete set null,
    ${repeatableColumns}
  )`,
  sql`create index dub_list on dub (owner, created_at desc, id) include (status, is_take)`,
  sql`create index dub_newest on dub (created_at) include (status)`,
  sql`create index dub_failed on dub (created_at desc, id) where status = 3`,
  sql`create index dub_book on dub (owner, (chapter ->> 'bookId')) where chapter is not null`,
  sql`create index dub_take on dub (created_at) where is_take`,
  sql`create index dub_fingerprint on dub (owner, fingerprint) where fingerprint is not null`,
  sql`create index dub_rendition on dub (rendition_id) where rendition_id is not null`,

  sql`create table dub_line (
    dub_id uuid not null references dub (id) on delete cascade,
    number int not null,
    role_id text not null,
    content text not null,
    speed float8 not null,
    speed_up_max float8,
    ${deliveryColumns},
    pause_after float8 not null default 0,
    start_ms int,
    end_ms int,
    line_key text not null,
    segments int not null default 1,
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
  sql`create index dub_line_role on dub_line (role_id, dub_id)`,
  sql`create index dub_line_tone on dub_line (tone_id) where tone_id is not null`,
  sql`create index dub_line_rendition on dub_line (rendition_id)`,

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
    style jsonb not null default '{}',
    pages jsonb not null default '[]',
    srt text not null default '',
    missing text not null default '',
    rendition_id uuid references rendition (id),
    ${repeatableColumns}
  )`,
  sql`create index video_list on video (owner, created_at desc, id) include (status)`,
  sql`create index video_newest on video (created_at) include (status)`,
  sql`create index video_failed on video (created_at desc, id) where status = 3`,
  sql`create index video_source on video (owner, source_id)`,
  sql`create index video_fingerprint on video (owner, fingerprint) where fingerprint is not null`,
  sql`create index video_rendition on video (rendition_id) where rendition_id is not null`,

  sql`create table video_use (task_id uuid primary key, account_id uuid not null, month text not null)`,
  sql`create index video_use_month on video_use (account_id, month)`,

  sql`create table video_template (
    account_id uuid not null references account (id) on delete cascade,
    name text not null,
    choices jsonb not null,
    created_at timestamptz not null default now(),
    primary key (account_id, name)
  )`,

  // A page outlives its result as a row without content, until the sweep.
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
  sql`create index share_revoked on share (revoked_at) where revoked_at is not null`,

  sql`create table share_report (
    share_id text not null references share (id) on delete cascade,
    reporter text not null,
    reason text not null,
    created_at timestamptz not null default now(),
    primary key (share_id, reporter)
  )`,
];
