import { sql } from "kysely";
import type { Db } from "../db/database";
import type { Owner, TaskProgress } from "../voices/ports";

export interface TaskEvent {
  /** Larger than that of every event that could be read before. */
  id: number;
  event: TaskProgress;
}

interface News {
  /** Number of the newest event. */
  last: number;
  /** Who has events after the number asked for. */
  owners: Set<string>;
}

/** Any number no other lock of this database has. */
const numberingLock = 1_021_021;
const pageSize = 200;

/**
 * Events in the order in which they became visible. Rows get their number once they are committed, by whoever looks, one at
 * a time: an event of a transaction that ends late is never numbered before one that somebody has already read.
 */
export function createEventLog(db: Db) {
  const number = async () => {
    const fresh = await sql`select 1 from task_event where number is null limit 1`.execute(db);
    if (fresh.rows.length === 0) return;
    await db.transaction().execute(async (trx) => {
      await sql`select pg_advisory_xact_lock(${numberingLock}::bigint)`.execute(trx);
      await sql`
        update task_event set number = numbered.number
        from (select id, nextval('task_event_number') as number
          from (select id from task_event where number is null order by id) fresh) numbered
        where task_event.id = numbered.id`.execute(trx);
    });
  };

  const last = async () => {
    const { rows } = await sql<{
      last: number;
    }>`select coalesce(max(number), 0)::float8 as last from task_event`.execute(db);
    return rows[0]?.last ?? 0;
  };

  return {
    last,
    async add(trx: Db, owner: Owner, progress: TaskProgress) {
      await trx
        .insertInto("task_event")
        .values({ owner, data: JSON.stringify(progress) })
        .execute();
    },
    /** What there is after a number, for these owners. */
    async look(after: number, owners: string[]): Promise<News> {
      await number();
      const newest = await last();
      const { rows } = await sql<{ owner: string }>`
        select distinct owner from task_event
        where number > ${after} and number <= ${newest} and owner = any(${owners}::text[])`.execute(db);
      return { last: newest, owners: new Set(rows.map(({ owner }) => owner)) };
    },
    /** The next ones of this owner, oldest first; empty when there are none yet. */
    async read(owner: Owner, after: number): Promise<TaskEvent[]> {
      const { rows } = await sql<TaskEvent>`
        select number::float8 as id, data as event from task_event
        where owner = ${owner} and number > ${after} order by number limit ${pageSize}`.execute(db);
      return rows;
    },
    async handOver(trx: Db, from: Owner, to: Owner) {
      await trx.updateTable("task_event").set({ owner: to }).where("owner", "=", from).execute();
    },
    async forget(trx: Db, owner: Owner) {
      await trx.deleteFrom("task_event").where("owner", "=", owner).execute();
    },
    async sweep() {
      await sql`delete from task_event where created_at < now() - interval '1 day'`.execute(db);
    },
  };
}
