import { type Kysely, type Migration, sql } from "kysely";

/** Payments that the gateway has accepted and not confirmed. */
export const confirming: Migration = {
  async up(db: Kysely<unknown>) {
    await sql`alter table pay_attempt add column is_confirming boolean not null default false`.execute(db);
  },
};
