import { sql } from "kysely";
import type { Db } from "../db/database";
import type { Owner } from "../owner";
import type { PublishTask, TaskProgress } from "../task-status";
import { createEventPoller } from "./event-poller";

export interface TaskEvent {
  /** Larger than the id of every event that could be read before. */
  id: number;
  event: TaskProgress;
}

export interface TaskEvents {
  publish: PublishTask;
  /**
   * The owner's events after number `since`: stored events first, then new ones; ends with the signal and when the server
   * closes. Numbers grow, and no event is skipped, whatever order transactions commit in. Throws database errors.
   */
  follow(owner: Owner, since: number, signal: AbortSignal): AsyncIterable<TaskEvent>;
  handOver(trx: Db, from: Owner, to: Owner): Promise<void>;
  forget(trx: Db, owner: Owner): Promise<void>;
  /** Deletes events older than a day. */
  sweep(): Promise<void>;
  /** Ends all `follow` calls. */
  close(): void;
}

/** Any number that no other advisory lock of this database has. */
const numberingLock = 1_021_021;
const pageSize = 200;

/** Task events, stored for a day so that a page can continue after a reconnect. */
export function createTaskEvents({ db, onError }: { db: Db; onError(error: unknown): void }): TaskEvents {
  const poller = createEventPoller({ poll: (after, owners) => pollEvents(db, after, owners), onError });
  const closing = new AbortController();

  async function* follow(owner: Owner, since: number, requested: AbortSignal) {
    const signal = AbortSignal.any([requested, closing.signal]);
    const wakeUp = createWakeUp(signal);
    const unsubscribe = poller.subscribe(owner, wakeUp.wake);
    try {
      // A number of a replaced database can exceed the newest of this one.
      let after = Math.min(since, await newestNumber(db));
      while (!signal.aborted) {
        const events = await readEvents(db, owner, after);
        if (events.length === 0) await wakeUp.wait();
        for (const event of events) {
          if (signal.aborted) return;
          yield event;
          after = event.id;
        }
      }
    } finally {
      unsubscribe();
    }
  }

  return {
    async publish(trx, owner, progress) {
      await trx
        .insertInto("task_event")
        .values({ owner, data: JSON.stringify(progress) })
        .execute();
      poller.wake();
    },
    follow,
    async handOver(trx, from, to) {
      await trx.updateTable("task_event").set({ owner: to }).where("owner", "=", from).execute();
    },
    async forget(trx, owner) {
      await trx.deleteFrom("task_event").where("owner", "=", owner).execute();
    },
    async sweep() {
      await sql`delete from task_event where created_at < now() - interval '1 day'`.execute(db);
    },
    close: () => closing.abort(),
  };
}

/**
 * Numbers committed rows, one process at a time: an event of a transaction that commits late never gets a number below one
 * that was already read.
 */
async function numberEvents(db: Db) {
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
}

async function newestNumber(db: Db): Promise<number> {
  const newest = sql<{ last: number }>`select coalesce(max(number), 0)::float8 as last from task_event`;
  return (await newest.execute(db)).rows[0]?.last ?? 0;
}

/** The newest number, and which of these owners have events after `after`. */
async function pollEvents(db: Db, after: number, owners: string[]) {
  await numberEvents(db);
  const newest = await newestNumber(db);
  const { rows } = await sql<{ owner: string }>`
    select distinct owner from task_event
    where number > ${after} and number <= ${newest} and owner = any(${owners}::text[])`.execute(db);
  return { newest, owners: new Set(rows.map(({ owner }) => owner)) };
}

/** The owner's next events, oldest first. */
async function readEvents(db: Db, owner: Owner, after: number): Promise<TaskEvent[]> {
  const { rows } = await sql<TaskEvent>`
    select number::float8 as id, data as event from task_event
    where owner = ${owner} and number > ${after} order by number limit ${pageSize}`.execute(db);
  return rows;
}

/** A wake before `wait` ends that wait at once. */
function createWakeUp(signal: AbortSignal) {
  let isPending = false;
  let resume = () => {};
  const wake = () => {
    isPending = true;
    resume();
  };
  signal.addEventListener("abort", wake, { once: true });
  return {
    wake,
    async wait() {
      if (!isPending && !signal.aborted) {
        await new Promise<void>((resolve) => {
          resume = resolve;
        });
      }
      isPending = false;
    },
  };
}
