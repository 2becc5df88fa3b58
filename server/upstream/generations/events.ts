import type { Db } from "../db/database";
import type { Owner, TellTask } from "../voices/ports";
import { createEventLog, type TaskEvent } from "./event-log";
import { createLookout } from "./event-poller";

export interface TaskEvents {
  tell: TellTask;
  /**
   * The owner's events after number `since`, kept ones first, then as they come; ends with the signal and when the server
   * closes. Numbers grow; nothing is left out, whatever order transactions commit in. Throws what the database throws.
   */
  follow(owner: Owner, since: number, signal: AbortSignal): AsyncIterable<TaskEvent>;
  handOver(trx: Db, from: Owner, to: Owner): Promise<void>;
  forget(trx: Db, owner: Owner): Promise<void>;
  /** Forgets events older than a day. */
  sweep(): Promise<void>;
  /** Ends everybody's following. */
  close(): void;
}

/** What is told of tasks, kept for a day so that pages may come back to where they were. */
export function createTaskEvents({ db, onError }: { db: Db; onError(error: unknown): void }): TaskEvents {
  const log = createEventLog(db);
  const lookout = createLookout({ look: log.look, onError });
  const closing = new AbortController();

  async function* follow(owner: Owner, since: number, asked: AbortSignal) {
    const signal = AbortSignal.any([asked, closing.signal]);
    const bell = createBell(signal);
    const leave = lookout.join(owner, bell.ring);
    try {
      // Numbers of another database's life say nothing here.
      let after = Math.min(since, await log.last());
      while (!signal.aborted) {
        const events = await log.read(owner, after);
        if (events.length === 0) await bell.wait();
        for (const event of events) {
          if (signal.aborted) return;
          yield event;
          after = event.id;
        }
      }
    } finally {
      leave();
    }
  }

  return {
    async tell(trx, owner, progress) {
      await log.add(trx, owner, progress);
      lookout.wake();
    },
    follow,
    handOver: log.handOver,
    forget: log.forget,
    sweep: log.sweep,
    close: () => closing.abort(),
  };
}

/** A ring while nobody waits is kept. */
function createBell(signal: AbortSignal) {
  let rung = false;
  let wakeUp = () => {};
  const ring = () => {
    rung = true;
    wakeUp();
  };
  signal.addEventListener("abort", ring, { once: true });
  return {
    ring,
    async wait() {
      if (!rung && !signal.aborted) {
        await new Promise<void>((resolve) => {
          wakeUp = resolve;
        });
      }
      rung = false;
    },
  };
}
