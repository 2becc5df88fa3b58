import { type Kysely, type Migration, sql } from "kysely";

export const lineSegments: Migration = {
  async up(db: Kysely<unknown>) {
    await sql`alter table dub_line add column segments integer not null default 1`.execute(db);
  },
};
