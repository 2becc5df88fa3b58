import { sql } from "kysely";

export const accountMigrations = {
  // Phones are stored encrypted; the keyed hash is for lookup only. Deletion receipts hold no personal data.
  "0011_accounts": [
    sql`create table account (
      id uuid primary key default gen_random_uuid(),
      phone_hash text not null unique,
      phone_sealed text not null,
      created_at timestamptz not null default now()
    )`,
    sql`create table login_token (
      hash text primary key,
      account_id uuid not null references account (id) on delete cascade,
      expires_at timestamptz not null,
      created_at timestamptz not null default now()
    )`,
    sql`create index login_token_account on login_token (account_id)`,
    sql`create index login_token_expiry on login_token (expires_at)`,
    sql`create table login_code (
      phone_hash text primary key,
      code_hash text not null,
      request_key text,
      wrong_tries int not null default 0 check (wrong_tries >= 0),
      sent_at timestamptz not null default now(),
      expires_at timestamptz not null,
      used_key text,
      nonce text
    )`,
    sql`create table account_deletion (
      id uuid primary key default gen_random_uuid(),
      asked_by text not null unique,
      removed jsonb not null,
      deleted_at timestamptz not null default now()
    )`,
    sql`alter table trial add column owner text`,
    sql`update trial set owner = 'visitor:' || visitor`,
    sql`alter table trial alter column owner set not null`,
    sql`drop index trial_visitor`,
    sql`alter table trial drop column visitor`,
    sql`alter table trial add column is_counted boolean not null default true`,
    sql`create index trial_owner on trial (owner, created_at)`,
  ],
  "0057_mark_agreements": [
    sql`create table mark_agreement (
      id uuid primary key default gen_random_uuid(),
      account_id uuid,
      owner_hash text not null,
      text_version int not null,
      text_sha256 text not null,
      agreed_at timestamptz not null default now(),
      address text not null,
      ended_at timestamptz,
      ended_address text
    )`,
    sql`create unique index mark_agreement_active on mark_agreement (account_id) where ended_at is null`,
    sql`create index mark_agreement_account on mark_agreement (account_id) where account_id is not null`,
    sql`create index mark_agreement_over on mark_agreement (ended_at) where ended_at is not null`,
  ],
};
