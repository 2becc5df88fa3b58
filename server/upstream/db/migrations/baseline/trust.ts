import { sql } from "kysely";

/** Consents, proofs, revocations and reports, and what AI-content labels are checked by. */
export const trustTables = [
  // Only the hash of a statement is stored. A spoken consent is deleted with its recording.
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

  sql`create table recording_consent (
    recording_id uuid not null references recording (id) on delete cascade,
    kind text not null default 'confirmed' check (kind in ('confirmed', 'link')),
    statement_id text not null,
    statement_version int not null,
    statement_sha256 text not null,
    agreed_at timestamptz not null default now(),
    address text not null,
    primary key (recording_id, kind)
  )`,

  // A prompt without a voice: its reading becomes the recording.
  sql`create table voice_proof (
    id uuid primary key default gen_random_uuid(),
    owner text not null,
    recording_id uuid references recording (id) on delete cascade,
    statement_id text not null,
    statement_version int not null,
    statement_sha256 text not null,
    lines text[] not null,
    prompt_sha256 text not null,
    address text not null,
    created_at timestamptz not null default now(),
    expires_at timestamptz not null,
    submitted_at timestamptz,
    spoken_id uuid references recording (id) on delete set null,
    outcome text check (outcome in ('yes', 'no', 'unclear', 'unusable')),
    reason text,
    measures jsonb,
    decided_at timestamptz,
    review text check (review in ('asked', 'accepted', 'refused')),
    reviewed_by text,
    reviewed_at timestamptz,
    review_reason text
  )`,
  sql`create index voice_proof_owner on voice_proof (owner, submitted_at)`,
  sql`create index voice_proof_recording on voice_proof (recording_id)`,
  sql`create index voice_proof_spoken on voice_proof (spoken_id) where spoken_id is not null`,
  sql`create index voice_proof_judging on voice_proof (submitted_at) where outcome is null`,
  sql`create index voice_proof_review on voice_proof (decided_at, id) where review = 'asked'`,

  sql`create table consent_link (
    id uuid primary key,
    account_id text not null,
    role_id text not null,
    role_name text not null,
    recording_id uuid references recording (id) on delete set null,
    asker_name text not null,
    token_sha256 text not null unique,
    token_sealed bytea not null,
    created_at timestamptz not null default now(),
    expires_at timestamptz not null,
    proof_id uuid references voice_proof (id) on delete set null,
    answer_address text,
    declined_at timestamptz,
    withdrawn_at timestamptz,
    receipt jsonb,
    is_listed boolean not null default true
  )`,
  sql`create index consent_link_account on consent_link (account_id, created_at)`,
  sql`create index consent_link_role on consent_link (role_id)`,
  sql`create index consent_link_recording on consent_link (recording_id) where recording_id is not null`,
  sql`create index consent_link_expiry on consent_link (expires_at)`,
  sql`create index consent_link_proof on consent_link (proof_id) where proof_id is not null`,

  sql`create table voice_revocation (
    id uuid primary key,
    revoked_by text not null check (revoked_by in ('owner', 'speaker', 'operator')),
    removed jsonb not null,
    revoked_at timestamptz not null default now(),
    erased_at timestamptz
  )`,

  // Voices that operators take down. The voiceprint blocks the voice until it is lifted.
  sql`create table voice_takedown (
    id uuid primary key default gen_random_uuid(),
    role_id text not null,
    operator text not null,
    reason text not null,
    requested_at timestamptz not null default now(),
    done_at timestamptz,
    failure text,
    receipt_id uuid,
    model text,
    voiceprint_sealed bytea,
    refusals int not null default 0,
    lifted_at timestamptz
  )`,
  sql`create index voice_takedown_newest on voice_takedown (requested_at desc, id)`,
  sql`create index voice_takedown_blocking on voice_takedown (model) where voiceprint_sealed is not null`,
  sql`create unique index voice_takedown_open on voice_takedown (role_id) where done_at is null`,

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
  sql`create index role_report_open on role_report (created_at, id) where reviewed_at is null`,
  sql`create index role_report_reporter on role_report (reporter)`,

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
    is_evidence boolean not null default true,
    created_at timestamptz not null default now()
  )`,
  sql`create index content_fingerprint on content (fingerprint_id, created_at) where fingerprint_id is not null`,
  sql`create index content_unknown on content (created_at) where fingerprint_id is null`,
  sql`create index content_no_evidence on content (fingerprint_id) where not is_evidence`,

  // Every public key that has signed, so that a replaced key stays valid.
  sql`create table signing_key (
    id text primary key,
    public_key bytea not null,
    created_at timestamptz not null default now()
  )`,
];
