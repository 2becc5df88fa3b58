import { sql } from "kysely";

/** Wallets, packages, orders with their payments, and the books. */
export const billingTables = [
  // Accounts are referenced by id without a foreign key: payments outlive the account.
  sql`create table wallet (
    account_id text primary key,
    created_at timestamptz not null default now(),
    closed_at timestamptz,
    -- When the end of the membership is to be looked at.
    expiry_check_at timestamptz
  )`,
  sql`create index wallet_expiry_check on wallet (expiry_check_at) where expiry_check_at is not null`,

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
    refund_asked_at timestamptz,
    created_at timestamptz not null,
    check ((state in ('PAID', 'REFUNDED')) = (paid_by is not null))
  )`,
  sql`create unique index pay_order_open on pay_order (account_id, product_code) where state = 'OPEN'`,
  sql`create index pay_order_list on pay_order (account_id, created_at desc, id)`,
  sql`create index pay_order_newest on pay_order (created_at desc, id)`,
  sql`create index pay_order_state on pay_order (state, created_at desc, id)`,
  sql`create index pay_order_paid_at on pay_order (paid_at) where paid_at is not null`,
  sql`create index pay_order_refund_asked on pay_order (refund_asked_at) where refund_asked_at is not null`,
  sql`create index pay_order_payer on pay_order (paid_by) where paid_by is not null`,

  sql`create table pay_attempt (
    id uuid primary key default gen_random_uuid(),
    order_id uuid not null references pay_order (id),
    gateway text not null,
    -- The contract's table of pay methods says which there are.
    platform smallint not null,
    trade_type text not null check (trade_type in ('native', 'h5', 'jsapi')),
    payer text not null default '',
    out_trade_no text not null unique,
    state text not null default 'INIT' check (state in
      ('INIT', 'PENDING', 'PAID', 'CLOSED', 'REFUND_DUE', 'REFUNDING', 'REFUNDED', 'SUSPENSE')),
    url text,
    url_at timestamptz,
    transaction_id text,
    paid_fen int,
    paid_at timestamptz,
    asking_until timestamptz,
    asked_at timestamptz,
    is_confirming boolean not null default false,
    created_at timestamptz not null
  )`,
  sql`create index pay_attempt_order on pay_attempt (order_id)`,
  sql`create index pay_attempt_paid on pay_attempt (gateway, paid_at) where paid_at is not null`,
  sql`create index pay_attempt_state on pay_attempt (gateway, state)`,
  sql`create index pay_attempt_transaction on pay_attempt (transaction_id) where transaction_id is not null`,
  sql`alter table pay_order add foreign key (paid_by) references pay_attempt (id)`,

  sql`create table pay_refund (
    number text primary key,
    attempt_id uuid not null references pay_attempt (id),
    amount_fen int not null check (amount_fen > 0),
    reason text not null check (reason in ('double', 'ops', 'account-gone', 'suspense', 'conflict', 'console')),
    state text not null default 'DUE' check (state in ('DUE', 'SENT', 'DONE', 'STUCK', 'CANCELLED')),
    transaction_id text,
    sending_until timestamptz,
    fault text,
    created_at timestamptz not null,
    done_at timestamptz
  )`,
  sql`create index pay_refund_attempt on pay_refund (attempt_id)`,
  sql`create index pay_refund_done_at on pay_refund (done_at) where done_at is not null`,
  sql`create index pay_refund_transaction on pay_refund (transaction_id) where transaction_id is not null`,

  sql`create table pay_anomaly (
    id uuid primary key default gen_random_uuid(),
    kind text not null,
    gateway text not null,
    ref text not null,
    order_id uuid references pay_order (id),
    detail jsonb not null,
    created_at timestamptz not null,
    resolved_at timestamptz,
    resolved_by text,
    resolution text,
    unique (kind, ref)
  )`,
  sql`create index pay_anomaly_newest on pay_anomaly (created_at desc, id)`,
  sql`create index pay_anomaly_open on pay_anomaly (created_at) where resolved_at is null`,
  sql`create index pay_anomaly_order on pay_anomaly (order_id) where order_id is not null`,
  sql`create index pay_anomaly_detail on pay_anomaly using gin (detail jsonb_path_ops)`,

  // The last compared day of each gateway.
  sql`create table pay_comparison (gateway text primary key, day text not null)`,

  sql`create table notification_count (
    gateway text not null,
    outcome text not null,
    day text not null,
    hits int not null,
    primary key (gateway, outcome, day)
  )`,

  // A cancelled refund returns its membership time: a positive row that references the same grant.
  sql`create table membership_grant (
    seq bigint generated always as identity primary key,
    account_id text not null references wallet (account_id),
    order_id uuid references pay_order (id),
    tier text not null check (tier in ('vip', 'svip')),
    seconds int not null check (seconds <> 0 and (shortens is not null or seconds > 0)),
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
    period text not null default '',
    characters int not null default 0,
    amount_fen int not null default 0,
    order_id uuid references pay_order (id),
    ref text not null,
    created_at timestamptz not null
  )`,
  sql`create index ledger_account on ledger (account_id, id)`,
  // Equal keys share an entry, which halves the time of a count.
  sql`create index ledger_count on ledger (account_id)`,
  // A payment or refund is booked once; an order that was paid twice has several.
  sql`create unique index ledger_once on ledger (order_id, kind, ref, bucket) where order_id is not null`,

  sql`create table audit (
    id uuid primary key default gen_random_uuid(),
    operator text not null,
    action text not null,
    target text not null,
    detail jsonb not null,
    created_at timestamptz not null default now()
  )`,
  sql`create index audit_newest on audit (created_at desc, id)`,
  sql`create index audit_target on audit (target)`,

  sql`create function refuse_change() returns trigger language plpgsql as
    'begin raise exception ''% is append-only'', tg_table_name; end'`,
  ...["ledger", "membership_grant", "audit"].map(
    (table) => sql`create trigger append_only before update or delete on ${sql.table(table)}
    for each row execute function refuse_change()`,
  ),

  // Characters by steps of 30 days from the purchase; each step is a period.
  sql`create table quota_bucket (
    account_id text not null references wallet (account_id),
    period text not null,
    bucket text not null check (bucket in ('svip', 'vip', 'pack')),
    total int not null,
    used int not null default 0 check (used >= 0),
    reserved int not null default 0 check (reserved >= 0),
    ends_at timestamptz,
    primary key (account_id, period, bucket),
    check (used + reserved <= total)
  )`,

  sql`create table quota_reservation (
    id bigint generated always as identity primary key,
    account_id text not null references wallet (account_id),
    task_id text not null,
    part smallint not null,
    bucket text not null check (bucket in ('svip', 'vip', 'pack')),
    period text not null,
    characters int not null check (characters > 0),
    state text not null default 'reserved' check (state in ('reserved', 'settled', 'released')),
    created_at timestamptz not null
  )`,
  sql`create unique index quota_reservation_live on quota_reservation (task_id, part) where state = 'reserved'`,
];
