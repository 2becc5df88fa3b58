import { sql } from "kysely";
import type { Db } from "../db/database";
import type { Owner } from "../owner";
import type { TaskProgress } from "../task-status";
import { createEventPoller } from "./event-poller";

export interface TaskEvent {
  /** Larger than the id of every event that could be read before. */
  id: number;
  event: TaskProgress;
}

export type TaskEvents = ReturnType<typeof createTaskEvents>;

/** Any number that no other advisory lock of this database has. */
const numberingLock = 1_021_021;
const pageSize = 200;

/** Task events, stored for a day so that a page can continue after a reconnect. */
export function createTaskEvents({ db, onError }: { db: Db; onError(error: unknown): void }) {
  const poller = createEventPoller({ poll: (after) => pollEvents(db, after), onError });
  const closing = new AbortController();

  /**
   * The owner's events after number `since`: stored events first, then new ones; ends with the signal and when the server
   * closes. Numbers grow, and no event is skipped, whatever order transactions commit in. Throws database errors.
   */
  async function* follow(owner: Owner, since: number, requested: AbortSignal): AsyncGenerator<TaskEvent> {
    const signal = AbortSignal.any([requested, closing.signal]);
    const inbox = createInbox(signal);
    const unsubscribe = poller.subscribe(owner, inbox.receive);
    try {
      // A number of a replaced database can exceed the newest of this one.
      let after = Math.min(since, await newestNumber(db));
      while (!signal.aborted) {
        const events = inbox.beginReading() ? await readEvents(db, owner, after) : inbox.take();
        if (events.length === pageSize) inbox.receive(null);
        if (events.length === 0) await inbox.wait();
        for (const event of events) {
          if (signal.aborted) return;
          // Passed on during the reading that returned it too.
          if (event.id <= after) continue;
          yield event;
          after = event.id;
        }
      }
    } finally {
      unsubscribe();
    }
  }

  return {
    async publish(trx: Db, owner: Owner, progress: TaskProgress) {
      await trx
        .insertInto("task_event")
        .values({ owner, data: JSON.stringify(progress) })
        .execute();
      poller.wake();
    },
    follow,
    async handOver(trx: Db, from: Owner, to: Owner) {
      await trx.updateTable("task_event").set({ owner: to }).where("owner", "=", from).execute();
    },
    async forget(trx: Db, owner: Owner) {
      await trx.deleteFrom("task_event").where("owner", "=", owner).execute();
    },
    /** Deletes events older than a day. */
    async sweep() {
      await sql`delete from task_event where created_at < now() - interval '1 day'`.execute(db);
    },
    /** Ends all `follow` calls. */
    close: () => closing.abort(),
  };
}

/**
 * Numbers committed rows, one process at a time: an event of a transaction that commits late never gets a number below one
 * that was already read.
 */
async function numberEvents(db: Db) {
  await db.transaction().execute(async (trx) => {
    await sql`select pg_advisory_xact_lock(${numberingLock}::bigint)`.execute(trx);
    await sql`
      update task_event set number = numbered.number
      from (select id, nextval('task_event_number') as number
        from (select id from task_event where number is null order by id) fresh) numbered
      where task_event.id = numbered.id`.execute(trx);
  });
}

async function newestNumber(db: Db): Promise<number> {
  const newest = sql<{ last: number }>`select coalesce(max(number), 0)::float8 as last from task_event`;
  return (await newest.execute(db)).rows[0]?.last ?? 0;
}

/** Events that one poll passes on. After a long failure more may have come; then each owner's are read. */
const passedOnMax = 5000;

interface OwnedEvent extends TaskEvent {
  owner: string;
}

/** One query where nothing is new. */
async function pollEvents(db: Db, after: number | undefined): Promise<{ newest: number; events: OwnedEvent[] | null }> {
  const { rows } = await sql<{ newest: number; hasFresh: boolean }>`
    select coalesce((select max(number) from task_event), 0)::float8 as newest,
      exists (select 1 from task_event where number is null) as "hasFresh"`.execute(db);
  let newest = rows[0]?.newest ?? 0;
  if (rows[0]?.hasFresh) {
    await numberEvents(db);
    newest = await newestNumber(db);
  }
  if (after === undefined || newest <= after) return { newest, events: [] };
  if (newest - after > passedOnMax) return { newest, events: null };
  const passedOn = sql<OwnedEvent>`
    select number::float8 as id, owner, data as event from task_event
    where number > ${after} and number <= ${newest} order by number`;
  return { newest, events: (await passedOn.execute(db)).rows };
}

/** The owner's next events, oldest first. */
async function readEvents(db: Db, owner: Owner, after: number): Promise<TaskEvent[]> {
  const { rows } = await sql<TaskEvent>`
    select number::float8 as id, data as event from task_event
    where owner = ${owner} and number > ${after} order by number limit ${pageSize}`.execute(db);
  return rows;
}

/** Events that were passed on and not yet taken; none while stored ones must be read, which include them. */
function createInbox(signal: AbortSignal) {
  let isBehind = true;
  let received: TaskEvent[] = [];
  let resume = () => {};
  signal.addEventListener("abort", () => resume(), { once: true });
  return {
    receive(events: TaskEvent[] | null) {
      isBehind ||= events === null || received.length + events.length > pageSize;
      received = isBehind ? [] : [...received, ...(events ?? [])];
      resume();
    },
    /** True where stored events must be read; what is passed on from now on is kept. */
    beginReading() {
      const wasBehind = isBehind;
      isBehind = false;
      return wasBehind;
    },
    take: () => received.splice(0),
    /** Resolves when events arrive or the signal aborts. */
    async wait() {
      if (isBehind || received.length > 0 || signal.aborted) return;
      await new Promise<void>((resolve) => {
        resume = resolve;
      });
    },
  };
}
