import { sql } from "kysely";

export const payerMigrations = {
  "0145_payers": [
    // The contract's table of pay methods says which there are.
    sql`alter table pay_attempt drop constraint pay_attempt_platform_check,
      drop constraint pay_attempt_trade_type_check`,
    sql`alter table pay_attempt add check (trade_type in ('native', 'h5', 'jsapi')),
      add column payer text not null default ''`,
  ],
  "0146_pay_handovers": [
    sql`create table pay_handover (
      hash text primary key,
      order_id uuid not null references pay_order (id),
      opened_at timestamptz,
      expires_at timestamptz not null
    )`,
    sql`create index pay_handover_age on pay_handover (expires_at)`,
  ],
};
