import { sql } from "kysely";

/** What accompanies orders: links to pay on another device, invoices, referrals, redeem codes, and the sandbox gateway. */
export const saleTables = [
  sql`create table pay_handover (
    hash text primary key,
    order_id uuid not null references pay_order (id),
    opened_at timestamptz,
    expires_at timestamptz not null
  )`,
  sql`create index pay_handover_age on pay_handover (expires_at)`,

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

  // Without foreign keys: payments outlive the account, and the phone's hash keeps it from being referred again.
  sql`create table referral_code (account_id text primary key, code text not null unique)`,
  sql`create table referral (
    referred text primary key,
    referrer text not null,
    phone_hash text not null unique,
    order_id uuid unique references pay_order (id),
    rewarded_at timestamptz,
    has_paid_referrer boolean not null default false,
    created_at timestamptz not null
  )`,
  sql`create index referral_referrer on referral (referrer, rewarded_at)`,

  // Codes are stored as hashes. An account redeems one code of a batch.
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

  sql`create table sandbox_key (id int primary key check (id = 1), secret text not null)`,

  sql`create table sandbox_trade (
    id uuid primary key default gen_random_uuid(),
    out_trade_no text not null unique,
    attached text not null,
    subject text not null,
    amount_fen int not null,
    platform smallint not null,
    state text not null default 'open' check (state in ('open', 'paid', 'closed', 'refunded')),
    paid_fen int,
    transaction_id text,
    paid_at timestamptz,
    second_paid_fen int,
    second_transaction_id text,
    hidden_until timestamptz,
    expires_at timestamptz not null
  )`,
  sql`create index sandbox_trade_attached on sandbox_trade (attached)`,

  sql`create table sandbox_refund (
    number text primary key,
    out_trade_no text not null references sandbox_trade (out_trade_no),
    amount_fen int not null,
    transaction_id text,
    created_at timestamptz not null
  )`,
];
