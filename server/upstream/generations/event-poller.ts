import { setTimeout as sleep } from "node:timers/promises";

interface PollerParts<Event extends { owner: string }> {
  /** The newest number, and all owners' events after `after`, oldest first; null if they are too many to hold. */
  poll(after: number | undefined): Promise<{ newest: number; events: Event[] | null }>;
  onError(error: unknown): void;
}

interface Subscriber<Event> {
  owner: string;
  /** Null: the owner may have events that were not passed on. */
  receive(events: Event[] | null): void;
  /** False until a poll has begun that covers it. */
  isCovered: boolean;
}

/** For events of other processes. */
const intervalMs = 400;
/** An event of this process becomes visible when its transaction commits, shortly after `wake`. */
const fastForMs = 300;
const fastIntervalMs = 40;

function groupByOwner<Event extends { owner: string }>(events: Event[]): Map<string, Event[]> {
  const groups = new Map<string, Event[]>();
  for (const event of events) groups.set(event.owner, [...(groups.get(event.owner) ?? []), event]);
  return groups;
}

/**
 * Polls once per process while there are subscribers, and passes on what it reads: one query serves all of them.
 */
export function createEventPoller<Event extends { owner: string }>({ poll, onError }: PollerParts<Event>) {
  const subscribers = new Set<Subscriber<Event>>();
  let fastUntil = 0;
  let endPause = () => {};
  let isRunning = false;

  const run = async () => {
    let after: number | undefined;
    while (subscribers.size > 0) {
      if (after !== undefined) for (const subscriber of subscribers) subscriber.isCovered = true;
      try {
        const { newest, events } = await poll(after);
        after = newest;
        const byOwner = events && groupByOwner(events);
        for (const { owner, receive, isCovered } of subscribers) {
          // One that came during the poll may have read its stored events too early.
          if (!byOwner || !isCovered) receive(null);
          else if (byOwner.has(owner)) receive(byOwner.get(owner) ?? []);
        }
      } catch (error) {
        onError(error);
      }
      await pause();
    }
    isRunning = false;
  };

  const pause = async () => {
    if (Date.now() < fastUntil) return sleep(fastIntervalMs);
    const ended = new AbortController();
    endPause = () => ended.abort();
    await sleep(intervalMs, undefined, { signal: ended.signal }).catch(() => {});
  };

  return {
    /** Polls soon, after this process published an event. */
    wake() {
      fastUntil = Date.now() + fastForMs;
      endPause();
    },
    /** Calls `receive` with null once at first, then with the owner's new events. Returns the function that unsubscribes. */
    subscribe(owner: string, receive: Subscriber<Event>["receive"]): () => void {
      const subscriber = { owner, receive, isCovered: false };
      subscribers.add(subscriber);
      if (!isRunning) {
        isRunning = true;
        void run();
      } else endPause();
      return () => {
        subscribers.delete(subscriber);
        if (subscribers.size === 0) endPause();
      };
    },
  };
}
