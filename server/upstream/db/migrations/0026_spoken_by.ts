import { type Kysely, type Migration, sql } from "kysely";

export const spokenBy: Migration = {
  async up(db: Kysely<unknown>) {
    await sql`alter table rendition add column spoken_by text`.execute(db);
  },
};
