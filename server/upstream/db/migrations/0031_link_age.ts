import { type Kysely, type Migration, sql } from "kysely";

/** Some gateways' links can be opened for a few minutes only, so that their age must be known. */
export const linkAge: Migration = {
  async up(db: Kysely<unknown>) {
    await sql`alter table pay_attempt add column url_at timestamptz`.execute(db);
    await sql`update pay_attempt set url_at = created_at where url is not null`.execute(db);
  },
};
