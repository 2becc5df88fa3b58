import { sql } from "kysely";

/** Files, recordings, what voices have spoken, and roles. */
export const voiceTables = [
  sql`create table media_file (
    id text primary key,
    owner text,
    is_public boolean not null,
    kind text not null check (kind in ('recording', 'speech', 'image', 'picture', 'timeline', 'music')),
    mime text not null,
    bytes int not null check (bytes >= 0),
    storage_key text not null unique,
    format text not null,
    produce_id text unique,
    label_time timestamptz,
    created_at timestamptz not null default now(),
    expires_at timestamptz,
    check (kind <> 'recording' or (not is_public and owner is not null)),
    check (kind <> 'speech' or (produce_id is not null and label_time is not null))
  )`,
  sql`create index media_file_owner on media_file (owner) where owner is not null`,
  sql`create index media_file_expiry on media_file (expires_at) where expires_at is not null`,
  sql`create index media_file_music on media_file (created_at) where kind = 'music'`,
  sql`create index media_file_picture on media_file (created_at) where kind = 'picture'`,
  sql`create index media_file_storage on media_file (owner, kind, format) include (bytes)
    where owner is not null and expires_at is null`,
  sql`create index media_file_visitors on media_file (created_at) where owner like 'visitor:%' and expires_at is null`,

  // A further download format needs no further column.
  sql`create table rendition (
    id uuid primary key default gen_random_uuid(),
    owner text,
    play_id text not null unique,
    play_url text not null,
    downloads jsonb not null default '[]',
    timeline_url text,
    duration_ms int not null,
    spoken_by text,
    doubts jsonb,
    created_at timestamptz not null default now()
  )`,
  sql`create index rendition_owner on rendition (owner)`,
  sql`create index rendition_visitors on rendition (created_at) where owner like 'visitor:%'`,

  sql`create table recording (
    id uuid primary key default gen_random_uuid(),
    file_id text not null unique,
    owner text not null,
    name text not null,
    url text not null,
    duration_ms int not null,
    quality jsonb not null,
    profile_sealed bytea,
    profile_key text,
    voice_hash text,
    fee_accepted_at timestamptz,
    erase_asked boolean not null default false,
    created_at timestamptz not null default now()
  )`,
  sql`create index recording_owner on recording (owner, created_at)`,
  sql`create index recording_visitors on recording (created_at) where owner like 'visitor:%'`,
  sql`create index recording_erase on recording (id) where erase_asked`,

  // Voices at vendors, from before their creation until their deletion there; the recording ends them.
  sql`create table vendor_voice (
    name text primary key,
    engine text not null,
    recording_id uuid references recording (id) on delete set null,
    attempts int not null default 0,
    due_at timestamptz not null default now() + interval '10 minutes'
  )`,
  sql`create index vendor_voice_recording on vendor_voice (recording_id) where recording_id is not null`,
  sql`create index vendor_voice_due on vendor_voice (due_at) where recording_id is null`,

  // Segments are recorded before their bytes are stored.
  sql`create table segment (
    fingerprint text primary key,
    key text not null,
    chunks jsonb not null,
    voice text,
    tone text,
    keeping_since timestamptz,
    used_at timestamptz not null default now()
  )`,
  sql`create index segment_age on segment (used_at)`,
  sql`create index segment_voice on segment (voice) where voice is not null`,
  sql`create index segment_tone on segment (tone) where tone is not null`,
  sql`create index segment_keeping on segment (keeping_since) where keeping_since is not null`,

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
    avatar_id text generated always as
      (substring(avatar from '/api/v1/files/([A-Za-z0-9_-]+)(?:.[A-Za-z0-9_]+)?(?:\\?.*)?$')) stored,
    portrait jsonb,
    design jsonb,
    recording_id uuid references recording (id) on delete set null,
    transcript text,
    status int not null default 2 check (status in (1, 2, 3)),
    reason text,
    measured jsonb,
    preview_text text not null,
    preview_id uuid references rendition (id) on delete set null,
    preview_key text,
    is_public boolean not null default false,
    review text check (review in ('open', 'kept', 'withdrawn')),
    is_shown boolean generated always as (is_public and coalesce(review, 'kept') = 'kept') stored,
    job_id uuid,
    use_num int not null default 0,
    home_rank int,
    created_at timestamptz not null default now()
  )`,
  sql`create index role_list on role (owner, created_at desc, id) where owner is not null`,
  sql`create index role_recording on role (recording_id) where recording_id is not null`,
  sql`create index role_preview on role (preview_id) where preview_id is not null`,
  sql`create index role_avatar on role (avatar_id) where avatar_id is not null`,
  sql`create index role_designed on role (home_rank, id) where design is not null`,
  // The square: one index per order, one that covers its filters, and one for its search.
  sql`create index role_popular on role (use_num desc, home_rank, id) where is_shown`,
  sql`create index role_newest on role (created_at desc, id) where is_shown`,
  sql`create index role_name on role (name, id) where is_shown`,
  sql`create index role_filters on role (category, gender, language) where is_shown`,
  sql`create index role_home on role (home_rank) where is_shown and home_rank is not null`,
  // The characters and pairs of characters of the texts: pg_trgm needs three, and most Chinese words have two.
  sql`create function search_grams(texts text[]) returns text[] language sql immutable parallel safe cost 1000 as '
      select coalesce(array_agg(distinct gram), array[]::text[]) from (
        select unnest(array[letter, letter || lead(letter) over (order by place)]) as gram
        from unnest(string_to_array(lower(array_to_string(texts, '' '')), null)) with ordinality letters (letter, place)
      ) grams where gram is not null'`,
  sql`create index role_search on role using gin (search_grams(array[name, describe, category] || tags)) where is_shown`,
];
