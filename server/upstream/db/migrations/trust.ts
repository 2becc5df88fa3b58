import { sql } from "kysely";

export const trustMigrations = {
  // Roles that exist keep their voices, and are proven when they are published next.
  "0053_voice_proofs": [
    sql`create table recording_consent (
      recording_id uuid primary key references recording (id) on delete cascade,
      statement_id text not null,
      statement_version int not null,
      statement_sha256 text not null,
      agreed_at timestamptz not null default now(),
      address text not null
    )`,
    sql`insert into recording_consent
      select distinct on (role.recording_id)
        role.recording_id, statement_id, statement_version, statement_sha256, agreed_at, address
      from role join role_consent on role_consent.role_id = role.id
      where role.recording_id is not null order by role.recording_id, agreed_at`,
    sql`create table voice_proof (
      id uuid primary key default gen_random_uuid(),
      owner text not null,
      recording_id uuid not null references recording (id) on delete cascade,
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
      reviewed_at timestamptz
    )`,
    sql`create index voice_proof_owner on voice_proof (owner, submitted_at)`,
    sql`create index voice_proof_recording on voice_proof (recording_id)`,
    sql`create index voice_proof_spoken on voice_proof (spoken_id) where spoken_id is not null`,
    sql`create index voice_proof_review on voice_proof (decided_at) where review = 'asked'`,
    sql`alter table role add column proof_due_at timestamptz`,
    sql`create index role_proof_due on role (proof_due_at) where proof_due_at is not null`,
  ],
  // Every public key that has signed, so that a replaced key stays valid.
  "0056_signing_keys": [
    sql`create table signing_key (
      id text primary key,
      public_key bytea not null,
      created_at timestamptz not null default now()
    )`,
  ],
  "0058_voice_revocations": [
    sql`create table voice_revocation (
      id uuid primary key,
      revoked_by text not null check (revoked_by in ('owner', 'operator')),
      removed jsonb not null,
      revoked_at timestamptz not null default now(),
      erased_at timestamptz
    )`,
  ],
  // Voices that operators take down. The voiceprint blocks the voice until it is lifted.
  "0059_voice_takedowns": [
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
    sql`create index voice_takedown_blocking on voice_takedown (model)
      where voiceprint_sealed is not null`,
    sql`create unique index voice_takedown_open on voice_takedown (role_id) where done_at is null`,
  ],
  "0065_proof_reviews": [sql`alter table voice_proof add column review_reason text`],
  // Consent of the speaker, asked for by a link.
  "0066_consent_links": [
    sql`alter table recording_consent
      add column kind text not null default 'confirmed' check (kind in ('confirmed', 'link'))`,
    sql`alter table recording_consent drop constraint recording_consent_pkey, add primary key (recording_id, kind)`,
    sql`alter table voice_revocation drop constraint voice_revocation_revoked_by_check,
      add constraint voice_revocation_revoked_by_check check (revoked_by in ('owner', 'speaker', 'operator'))`,
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
  ],
  // A submitted proof without an outcome is judged by a job from now on; the earlier ones have none.
  "0083_proof_judging": [
    sql`update voice_proof set outcome = 'unusable' where submitted_at is not null and outcome is null`,
    sql`create index voice_proof_judging on voice_proof (submitted_at) where outcome is null`,
  ],
  // A dub with a file of music, and its film, contain sound that was not made here, perhaps a person's recording.
  "0097_content_evidence": [
    sql`alter table content add column is_evidence boolean not null default true`,
    sql`update content set is_evidence = false where fingerprint_id in (
      select played.fingerprint_id from content played
      join media_file on media_file.produce_id = played.content_id
      join rendition on rendition.play_id = media_file.id
      where rendition.id in (
        select rendition_id from dub where music ->> 'track' = 'own'
        union select video.rendition_id from video join dub on video.source_id = dub.id::text
          where video.source_kind = 'dub' and dub.music ->> 'track' = 'own'))`,
    sql`create index content_no_evidence on content (fingerprint_id) where not is_evidence`,
  ],
  // A private voice is kept without a proof. The column stays for servers of the previous version during a roll-out.
  "0101_private_voices": [sql`update role set proof_due_at = null where proof_due_at is not null`],
  "0103_one_reading": [sql`alter table voice_proof alter column recording_id drop not null`],
};
