import { setTimeout as sleep } from "node:timers/promises";

interface PollerParts {
  /** The newest number, and which of these owners have events after `after`. */
  poll(after: number, owners: string[]): Promise<{ newest: number; owners: Set<string> }>;
  onError(error: unknown): void;
}

/** For events of other processes. */
const intervalMs = 400;
/** An event of this process becomes visible when its transaction commits, shortly after `wake`. */
const fastForMs = 300;
const fastIntervalMs = 40;

/** Polls once per process while there are subscribers. */
export function createEventPoller({ poll, onError }: PollerParts) {
  const subscribers = new Map<string, Set<() => void>>();
  let fastUntil = 0;
  let endPause = () => {};
  let isRunning = false;

  const run = async () => {
    let after: number | undefined;
    while (subscribers.size > 0) {
      const polled = new Set(after === undefined ? [] : subscribers.keys());
      try {
        const { newest, owners } = await poll(after ?? 0, [...polled]);
        after = newest;
        // Subscribers that came during the poll were not part of it and may have read too early.
        for (const [owner, wakes] of subscribers)
          if (!polled.has(owner) || owners.has(owner)) for (const wake of wakes) wake();
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
    /** Calls `wake` once at first and whenever the owner may have new events. Returns the function that unsubscribes. */
    subscribe(owner: string, wake: () => void): () => void {
      const wakes = subscribers.get(owner) ?? new Set();
      subscribers.set(owner, wakes.add(wake));
      if (!isRunning) {
        isRunning = true;
        void run();
      } else endPause();
      return () => {
        wakes.delete(wake);
        if (wakes.size === 0 && subscribers.get(owner) === wakes) subscribers.delete(owner);
        if (subscribers.size === 0) endPause();
      };
    },
  };
}
