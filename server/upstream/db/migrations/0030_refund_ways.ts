import { type Kysely, type Migration, sql } from "kysely";

const statements = [
  sql`alter table pay_refund drop constraint pay_refund_state_check`,
  sql`alter table pay_refund add constraint pay_refund_state_check
    check (state in ('DUE', 'SENT', 'DONE', 'STUCK', 'CANCELLED'))`,
  sql`alter table pay_refund drop constraint pay_refund_reason_check`,
  sql`alter table pay_refund add constraint pay_refund_reason_check
    check (reason in ('double', 'ops', 'account-gone', 'suspense', 'conflict', 'console'))`,
  sql`alter table pay_refund add column transaction_id text`,
  sql`alter table pay_refund add column sending_until timestamptz`,
  sql`alter table pay_refund add column fault text`,
  // A cancelled refund returns the time it had taken: a positive row that points at the same grant.
  sql`alter table membership_grant drop constraint membership_grant_check`,
  sql`alter table membership_grant add constraint membership_grant_check
    check (seconds <> 0 and (shortens is not null or seconds > 0))`,
  sql`alter table pay_mistake add column resolved_at timestamptz`,
  sql`alter table pay_mistake add column resolved_by text`,
  sql`alter table pay_mistake add column resolution text`,
  sql`create index pay_mistake_open on pay_mistake (created_at) where resolved_at is null`,
  sql`create index pay_attempt_transaction on pay_attempt (transaction_id) where transaction_id is not null`,
  // The second payment of a trade that the sandbox plays to be paid twice.
  sql`alter table sandbox_trade add column second_transaction_id text`,
  sql`alter table sandbox_trade add column second_paid_fen int`,
  sql`alter table sandbox_refund add column transaction_id text`,
];

/** Ways out for refunds and mistakes: cancelled refunds, returned payments, resolutions. */
export const refundWays: Migration = {
  async up(db: Kysely<unknown>) {
    for (const statement of statements) await statement.execute(db);
  },
};
