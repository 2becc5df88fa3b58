import { sql } from "kysely";

export const deskMigrations = {
  // Codes are stored as hashes. An account redeems one code of a batch.
  "0140_redeem_codes": [
    sql`create table redeem_batch (
      id uuid primary key default gen_random_uuid(),
      tier text check (tier in ('vip', 'svip')),
      days int check (days > 0),
      characters int check (characters > 0),
      codes int not null check (codes > 0),
      note text not null,
      expires_at timestamptz not null,
      withdrawn_at timestamptz,
      created_at timestamptz not null default now(),
      check ((tier is null) = (days is null) and (tier is null) <> (characters is null))
    )`,
    sql`create index redeem_batch_newest on redeem_batch (created_at desc, id)`,
    sql`create table redeem_code (
      hash text primary key,
      batch_id uuid not null references redeem_batch (id),
      account_id text references wallet (account_id),
      redeemed_at timestamptz,
      check ((account_id is null) = (redeemed_at is null))
    )`,
    sql`create index redeem_code_batch on redeem_code (batch_id) where account_id is not null`,
    sql`create unique index redeem_code_account on redeem_code (account_id, batch_id) where account_id is not null`,
  ],
  // Long lists of the console in keyset order.
  "0141_console_pages": [
    sql`create index voice_takedown_newest on voice_takedown (requested_at desc, id)`,
    sql`drop index voice_proof_review`,
    sql`create index voice_proof_review on voice_proof (decided_at, id) where review = 'asked'`,
    sql`drop index role_report_open`,
    sql`create index role_report_open on role_report (created_at, id) where reviewed_at is null`,
  ],
};

/** After those of payments. */
export const invoiceMigrations = {
  "0149_invoices": [
    sql`create table pay_invoice (
      id uuid primary key default gen_random_uuid(),
      order_id uuid not null unique references pay_order (id),
      account_id text not null,
      buyer text not null check (buyer in ('person', 'company')),
      title text not null,
      tax_number text not null,
      email text not null,
      state text not null default 'ASKED' check (state in ('ASKED', 'ISSUED', 'DECLINED')),
      number text not null default '',
      created_at timestamptz not null,
      decided_at timestamptz,
      check ((state = 'ASKED') = (decided_at is null))
    )`,
    sql`create index pay_invoice_newest on pay_invoice (created_at desc, id)`,
    sql`create index pay_invoice_asked on pay_invoice (created_at desc, id) where state = 'ASKED'`,
    sql`create index pay_invoice_account on pay_invoice (account_id)`,
  ],
};

/** After invoices. */
export const messageMigrations = {
  "0151_messages_and_engines": [
    sql`create table engine_report (
      process text not null,
      engine text not null,
      role text not null,
      state text not null check (state in ('speaking', 'resting')),
      since timestamptz not null,
      seen_at timestamptz not null default now(),
      primary key (process, engine)
    )`,
    sql`alter table account add column messages_off_at timestamptz`,
    // When the end of the account's membership is to be looked at; at once for all that there are.
    sql`alter table wallet add column expiry_check_at timestamptz`,
    sql`update wallet set expiry_check_at = now()
      where account_id in (select account_id from membership_grant)`,
    sql`create index wallet_expiry_check on wallet (expiry_check_at) where expiry_check_at is not null`,
  ],
};
