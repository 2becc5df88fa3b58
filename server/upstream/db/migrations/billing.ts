import { sql } from "kysely";

export const billingMigrations = {
  // Accounts are referenced by id without a foreign key: payments outlive the account.
  "0010_billing": [
    sql`create table wallet (account_id text primary key, created_at timestamptz not null default now())`,
    sql`create table product (
      code text primary key,
      number int not null unique,
      package_type smallint not null check (package_type in (1, 2, 3)),
      name text not null,
      description text not null,
      badge text not null,
      price_fen int not null check (price_fen > 0),
      original_fen int,
      days int not null check (days >= 0),
      monthly boolean not null,
      withdrawn_at timestamptz
    )`,
    sql`create table pay_order (
      id uuid primary key default gen_random_uuid(),
      account_id text not null references wallet (account_id),
      product_code text not null,
      snapshot jsonb not null,
      amount_fen int not null check (amount_fen > 0),
      state text not null default 'OPEN' check (state in ('OPEN', 'PAID', 'CLOSED', 'REFUNDED')),
      paid_by uuid,
      paid_at timestamptz,
      refunded_fen int not null default 0 check (refunded_fen between 0 and amount_fen),
      expires_at timestamptz not null,
      closed_at timestamptz,
      created_at timestamptz not null,
      check ((state in ('PAID', 'REFUNDED')) = (paid_by is not null))
    )`,
    sql`create unique index pay_order_open on pay_order (account_id, product_code) where state = 'OPEN'`,
    sql`create index pay_order_account on pay_order (account_id, created_at)`,
    sql`create table pay_attempt (
      id uuid primary key default gen_random_uuid(),
      order_id uuid not null references pay_order (id),
      gateway text not null,
      platform smallint not null check (platform in (1, 2)),
      trade_type text not null check (trade_type in ('native', 'h5')),
      out_trade_no text not null unique,
      state text not null default 'INIT' check (state in
      ('INIT', 'PENDING', 'PAID', 'CLOSED', 'REFUND_DUE', 'REFUNDING', 'REFUNDED', 'SUSPENSE')),
      url text,
      transaction_id text,
      paid_fen int,
      paid_at timestamptz,
      asking_until timestamptz,
      asked_at timestamptz,
      created_at timestamptz not null
    )`,
    sql`create index pay_attempt_order on pay_attempt (order_id)`,
    sql`create index pay_attempt_paid on pay_attempt (gateway, paid_at) where paid_at is not null`,
    sql`alter table pay_order add foreign key (paid_by) references pay_attempt (id)`,
    sql`create table pay_refund (
      number text primary key,
      attempt_id uuid not null references pay_attempt (id),
      amount_fen int not null check (amount_fen > 0),
      reason text not null check (reason in ('double', 'ops')),
      state text not null default 'DUE' check (state in ('DUE', 'SENT', 'DONE', 'STUCK')),
      created_at timestamptz not null,
      done_at timestamptz
    )`,
    sql`create index pay_refund_attempt on pay_refund (attempt_id)`,
    sql`create table pay_mistake (
      id uuid primary key default gen_random_uuid(),
      kind text not null,
      gateway text not null,
      ref text not null,
      order_id uuid references pay_order (id),
      detail jsonb not null,
      created_at timestamptz not null,
      unique (kind, ref)
    )`,
    sql`create table notification_count (
      gateway text not null,
      outcome text not null,
      day text not null,
      hits int not null,
      primary key (gateway, outcome, day)
    )`,
    sql`create table audit (
      id uuid primary key default gen_random_uuid(),
      operator text not null,
      action text not null,
      target text not null,
      detail jsonb not null,
      created_at timestamptz not null default now()
    )`,
    sql`create table membership_grant (
      seq bigint generated always as identity primary key,
      account_id text not null references wallet (account_id),
      order_id uuid references pay_order (id),
      tier text not null check (tier in ('vip', 'svip')),
      seconds int not null check ((shortens is null and seconds > 0) or (shortens is not null and seconds < 0)),
      monthly boolean not null,
      shortens bigint references membership_grant (seq),
      granted_at timestamptz not null
    )`,
    sql`create index membership_grant_account on membership_grant (account_id)`,
    sql`create unique index membership_grant_once on membership_grant (order_id) where shortens is null`,
    sql`create table ledger (
      id bigint generated always as identity primary key,
      account_id text not null references wallet (account_id),
      kind text not null check (kind in ('grant', 'reserve', 'settle', 'release', 'payment', 'refund')),
      bucket text not null default '',
      month text not null default '',
      characters int not null default 0,
      amount_fen int not null default 0,
      order_id uuid references pay_order (id),
      ref text not null,
      created_at timestamptz not null
    )`,
    sql`create index ledger_account on ledger (account_id, id)`,
    // A payment or refund is booked once; an order that was paid twice has several.
    sql`create unique index ledger_once on ledger (order_id, kind, ref, bucket) where order_id is not null`,
    sql`create function refuse_change() returns trigger language plpgsql as
      'begin raise exception ''% is append-only'', tg_table_name; end'`,
    ...["ledger", "membership_grant", "audit"].map(
      (table) => sql`create trigger append_only before update or delete on ${sql.table(table)}
      for each row execute function refuse_change()`,
    ),
    sql`create table quota_bucket (
      account_id text not null references wallet (account_id),
      month text not null,
      bucket text not null check (bucket in ('svip', 'vip', 'pack')),
      total int not null,
      used int not null default 0 check (used >= 0),
      reserved int not null default 0 check (reserved >= 0),
      primary key (account_id, month, bucket),
      check (used + reserved <= total)
    )`,
    sql`create table quota_reservation (
      id bigint generated always as identity primary key,
      account_id text not null references wallet (account_id),
      task_id text not null,
      month text not null,
      svip int not null check (svip >= 0),
      vip int not null check (vip >= 0),
      pack int not null check (pack >= 0),
      state text not null default 'reserved' check (state in ('reserved', 'settled', 'released')),
      created_at timestamptz not null
    )`,
    sql`create unique index quota_reservation_live on quota_reservation (task_id) where state = 'reserved'`,
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
      hidden_until timestamptz,
      expires_at timestamptz not null
    )`,
    sql`create index sandbox_trade_attached on sandbox_trade (attached)`,
    sql`create table sandbox_refund (
      number text primary key,
      out_trade_no text not null references sandbox_trade (out_trade_no),
      amount_fen int not null,
      created_at timestamptz not null
    )`,
  ],
  // A wallet whose account was deleted receives no more grants.
  "0025_closed_wallets": [
    sql`alter table wallet add column closed_at timestamptz`,
    sql`alter table pay_refund drop constraint pay_refund_reason_check`,
    sql`alter table pay_refund add constraint pay_refund_reason_check
      check (reason in ('double', 'ops', 'account-gone'))`,
  ],
  // Cancelled refunds, refunds of unmatched payments, and resolutions of payment mistakes.
  "0030_refund_ways": [
    sql`alter table pay_refund drop constraint pay_refund_state_check`,
    sql`alter table pay_refund add constraint pay_refund_state_check
      check (state in ('DUE', 'SENT', 'DONE', 'STUCK', 'CANCELLED'))`,
    sql`alter table pay_refund drop constraint pay_refund_reason_check`,
    sql`alter table pay_refund add constraint pay_refund_reason_check
      check (reason in ('double', 'ops', 'account-gone', 'suspense', 'conflict', 'console'))`,
    sql`alter table pay_refund add column transaction_id text`,
    sql`alter table pay_refund add column sending_until timestamptz`,
    sql`alter table pay_refund add column fault text`,
    // A cancelled refund returns its membership time: a positive row that references the same grant.
    sql`alter table membership_grant drop constraint membership_grant_check`,
    sql`alter table membership_grant add constraint membership_grant_check
      check (seconds <> 0 and (shortens is not null or seconds > 0))`,
    sql`alter table pay_mistake add column resolved_at timestamptz`,
    sql`alter table pay_mistake add column resolved_by text`,
    sql`alter table pay_mistake add column resolution text`,
    sql`create index pay_mistake_open on pay_mistake (created_at) where resolved_at is null`,
    sql`create index pay_attempt_transaction on pay_attempt (transaction_id) where transaction_id is not null`,
    // The second payment of a trade that the sandbox simulates as paid twice.
    sql`alter table sandbox_trade add column second_transaction_id text`,
    sql`alter table sandbox_trade add column second_paid_fen int`,
    sql`alter table sandbox_refund add column transaction_id text`,
  ],
  // Some payment links expire within minutes, so that their age is needed.
  "0031_link_age": [
    sql`alter table pay_attempt add column url_at timestamptz`,
    sql`update pay_attempt set url_at = created_at where url is not null`,
  ],
  // Payments that the gateway has accepted and not confirmed.
  "0032_confirming": [sql`alter table pay_attempt add column is_confirming boolean not null default false`],
  // The last compared day of each gateway.
  "0035_compared_days": [sql`create table pay_comparison (gateway text primary key, day text not null)`],
};
