import { type Kysely, type Migration, sql } from "kysely";

const statements = [
  sql`alter table segment add column voice text`,
  sql`create index segment_voice on segment (voice) where voice is not null`,
];

export const segmentVoices: Migration = {
  async up(db: Kysely<unknown>) {
    for (const statement of statements) await statement.execute(db);
  },
};
