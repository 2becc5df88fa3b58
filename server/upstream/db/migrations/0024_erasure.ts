import { type Kysely, type Migration, sql } from "kysely";

/** Recordings whose owner wants them gone, kept until what runs with them has ended; and in one place who is on the square. */
export const erasure: Migration = {
  async up(db: Kysely<unknown>) {
    await sql`alter table recording add column erase_asked boolean not null default false`.execute(db);
    await sql`create index recording_erase on recording (id) where erase_asked`.execute(db);
    await sql`alter table role add column is_shown boolean
      generated always as (is_public and coalesce(review, 'kept') = 'kept') stored`.execute(db);
  },
};
