import { type Kysely, type Migration, sql } from "kysely";

export const jobOrigin: Migration = {
  async up(db: Kysely<unknown>) {
    await sql`alter table job add column request_id text`.execute(db);
  },
};
