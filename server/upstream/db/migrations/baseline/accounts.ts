import { sql } from "kysely";

/** Accounts with their logins and agreements, and what protects every call: idempotency and rate limits. */
export const accountTables = [
  // Phones are stored encrypted; the keyed hash is for lookup only.
  sql`create table account (
    id uuid primary key default gen_random_uuid(),
    phone_hash text not null unique,
    phone_sealed text not null,
    created_at timestamptz not null default now(),
    banned_at timestamptz,
    messages_off_at timestamptz
  )`,
  sql`create index account_newest on account (created_at desc, id)`,

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
    wrong_tries int not null default 0 check (wrong_tries >= 0),
    sent_at timestamptz not null default now(),
    expires_at timestamptz not null,
    used_key text,
    nonce text
  )`,
  sql`create index login_code_expiry on login_code (expires_at)`,

  // Receipts of deleted accounts hold no personal data.
  sql`create table account_deletion (
    id uuid primary key default gen_random_uuid(),
    asked_by text not null unique,
    removed jsonb not null,
    deleted_at timestamptz not null default now()
  )`,

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

  // Operators of the console.
  sql`create table operator (
    id uuid primary key default gen_random_uuid(),
    account_id uuid not null unique references account (id) on delete cascade,
    name text not null,
    role text not null check (role in ('owner', 'support', 'finance', 'moderator')),
    totp_sealed text,
    totp_counter bigint not null default 0,
    is_enrolled boolean not null default false,
    recovery_hashes text[] not null default '{}',
    created_at timestamptz not null default now()
  )`,

  sql`create table operator_login (
    hash text primary key,
    operator_id uuid not null references operator (id) on delete cascade,
    seen_at timestamptz not null default now(),
    fresh_at timestamptz
  )`,
  sql`create index operator_login_operator on operator_login (operator_id)`,
  sql`create table operator_request (
    id uuid primary key default gen_random_uuid(),
    operation text not null,
    input jsonb not null,
    reason text not null,
    asked_by uuid not null references operator (id) on delete cascade,
    created_at timestamptz not null default now()
  )`,
  sql`create index operator_request_asker on operator_request (asked_by)`,

  sql`create table idempotency (
    owner text not null,
    call text not null,
    key text not null,
    request text not null,
    answer jsonb,
    created_at timestamptz not null default now(),
    primary key (owner, call, key)
  )`,
  sql`create index idempotency_age on idempotency (created_at)`,

  sql`create table rate (
    key text not null,
    window_start bigint not null,
    hits int not null,
    expires_at timestamptz not null,
    primary key (key, window_start)
  )`,
  sql`create index rate_expiry on rate (expires_at)`,
];
