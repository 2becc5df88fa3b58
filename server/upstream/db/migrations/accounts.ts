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
};
