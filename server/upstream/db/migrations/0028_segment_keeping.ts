import { type Kysely, type Migration, sql } from "kysely";

/** Segments are written down before their bytes, and known by the voice that lends its tone too. */
export const segmentKeeping: Migration = {
  async up(db: Kysely<unknown>) {
    await sql`alter table segment add column keeping_since timestamptz`.execute(db);
    await sql`alter table segment add column tone text`.execute(db);
    await sql`create index segment_tone on segment (tone) where tone is not null`.execute(db);
  },
};
