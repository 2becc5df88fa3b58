import { type Kysely, type Migration, sql } from "kysely";

/** Jobs of one kind that wait for different outside services have workers of their own. */
export const jobLane: Migration = {
  async up(db: Kysely<unknown>) {
    await sql`alter table job add column lane text not null default ''`.execute(db);
  },
};
