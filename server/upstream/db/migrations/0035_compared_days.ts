import { type Kysely, type Migration, sql } from "kysely";

/** The last day whose bill was compared with our books, for each gateway. */
export const comparedDays: Migration = {
  async up(db: Kysely<unknown>) {
    await sql`create table pay_comparison (gateway text primary key, day text not null)`.execute(db);
  },
};
