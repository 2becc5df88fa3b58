import { sql } from "kysely";
import { connectDatabase, placeOf } from "~server/upstream/db/database";

const changes = [
  // Spreads records over the past days.
  sql`update clone set created_at = created_at - (select count(*) from clone later where later.created_at > clone.created_at) * interval '7 hours'`,
  sql`update dub set created_at = created_at - (select count(*) from dub later where later.created_at > dub.created_at) * interval '9 hours'`,
  sql`update clone set status = 3, msg = 'synthesis-failed', rendition_id = null where content like '各位街坊%'`,
  sql`update dub set status = 3, msg = 'synthesis-failed', failed_at = 1, rendition_id = null where title = '五一促销口播'`,
  sql`update dub_line set status = 3 where number = 2 and dub_id in (select id from dub where status = 3)`,
];

/** Writes older dates and failed tasks into the database of a stopped product. */
export async function writeHistory(dataDir: string): Promise<void> {
  const { db, close } = await connectDatabase(placeOf({ databaseUrl: undefined, dataDir }));
  try {
    for (const change of changes) await change.execute(db);
  } finally {
    await close();
  }
}
