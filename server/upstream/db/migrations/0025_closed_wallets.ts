import { type Kysely, type Migration, sql } from "kysely";

/** When the wallet's account was deleted: nothing is granted to it any more. */
export const closedWallets: Migration = {
  async up(db: Kysely<unknown>) {
    await sql`alter table wallet add column closed_at timestamptz`.execute(db);
    await sql`alter table pay_refund drop constraint pay_refund_reason_check`.execute(db);
    await sql`alter table pay_refund add constraint pay_refund_reason_check
      check (reason in ('double', 'ops', 'account-gone'))`.execute(db);
  },
};
