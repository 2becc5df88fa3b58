import { sql } from "kysely";

export const voiceMigrations = {
  "0002_media": [
    sql`create table media_file (
      id text primary key,
      owner text,
      is_public boolean not null,
      kind text not null check (kind in ('recording', 'speech', 'image', 'timeline')),
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
  ],
  "0003_voices": [
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
  ],
  "0012_segment_voices": [
    sql`alter table segment add column voice text`,
    sql`create index segment_voice on segment (voice) where voice is not null`,
  ],
  // Only the hash of the consent statement is stored. A spoken consent is deleted with its recording.
  "0020_roles": [
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
  ],
  // Existing labelled files get a content row here; the sweep computes their fingerprints.
  "0023_fingerprints": [
    sql`create table fingerprint (
      id int generated always as identity primary key,
      digest text not null unique,
      words bytea not null,
      created_at timestamptz not null default now()
    )`,
    sql`create table fingerprint_key (
      key int not null,
      fingerprint_id int not null references fingerprint (id) on delete cascade,
      place int not null,
      primary key (key, fingerprint_id, place)
    )`,
    sql`create table content (
      content_id text primary key,
      fingerprint_id int references fingerprint (id) on delete set null,
      created_at timestamptz not null default now()
    )`,
    sql`create index content_fingerprint on content (fingerprint_id, created_at) where fingerprint_id is not null`,
    sql`create index content_unknown on content (created_at) where fingerprint_id is null`,
    sql`insert into content (content_id, created_at)
      select produce_id, label_time from media_file where kind = 'speech'`,
  ],
  // Recordings to erase once no running job uses them; `is_shown` decides what the square lists.
  "0024_erasure": [
    sql`alter table recording add column erase_asked boolean not null default false`,
    sql`create index recording_erase on recording (id) where erase_asked`,
    sql`alter table role add column is_shown boolean
      generated always as (is_public and coalesce(review, 'kept') = 'kept') stored`,
  ],
  "0026_spoken_by": [sql`alter table rendition add column spoken_by text`],
  // Segments are recorded before their bytes are stored, and are indexed by tone voice as well.
  "0028_segment_keeping": [
    sql`alter table segment add column keeping_since timestamptz`,
    sql`alter table segment add column tone text`,
    sql`create index segment_tone on segment (tone) where tone is not null`,
  ],
  // The file id of an avatar, taken from the stored address: older versions stored what the caller had sent and still write
  // `avatar` during a rolling deployment.
  "0029_avatar_ids": [
    sql`alter table role add column avatar_id text generated always as
      (substring(avatar from '/api/v1/files/([A-Za-z0-9_-]+)(?:\.[A-Za-z0-9_]+)?(?:\\?.*)?$')) stored`,
    sql`create index role_avatar on role (avatar_id) where avatar_id is not null`,
  ],
  // A further download format needs no further column.
  "0036_downloads": [
    sql`alter table rendition add column downloads jsonb not null default '[]'`,
    sql`update rendition set downloads = (
      select coalesce(jsonb_agg(jsonb_build_object('format', format, 'url', url)), '[]')
      from (values ('mp3', mp3_url), ('wav', wav_url)) files (format, url) where url is not null)`,
    // mp3_url and wav_url stay for servers of the previous version.
  ],
  // Plain profiles are dropped, and learned again from their recordings at the next use. Their segments can no longer be
  // found by the voice: they are left to the next sweep. The column stays for servers of the previous version.
  "0040_sealed_profiles": [
    sql`alter table recording add column profile_sealed bytea, add column voice_hash text`,
    sql`update recording set profile = null, profile_key = null where profile is not null`,
    sql`update segment set used_at = 'epoch' where voice is not null`,
    sql`create index recording_plain on recording (id) where profile is not null`,
  ],
  // Voices at vendors, from before their creation until their deletion there; the recording ends them.
  "0045_vendor_voices": [
    sql`create table vendor_voice (
      name text primary key,
      engine text not null,
      recording_id uuid references recording (id) on delete set null,
      attempts int not null default 0,
      due_at timestamptz not null default now() + interval '10 minutes'
    )`,
    sql`create index vendor_voice_recording on vendor_voice (recording_id) where recording_id is not null`,
    sql`create index vendor_voice_due on vendor_voice (due_at) where recording_id is null`,
  ],
  // Words that the speech check still heard wrong: [{kind, text, offset, heard}]; null without any.
  "0064_spoken_doubts": [sql`alter table rendition add column doubts jsonb`],
  // When the owner accepted what a vendor bills once per voice; without it a clone of MiniMax is never used.
  "0074_vendor_fee": [sql`alter table recording add column fee_accepted_at timestamptz`],
};
