import { setTimeout as sleep } from "node:timers/promises";

interface LookoutParts {
  /** Who of these has something after a number, and the newest number. */
  look(after: number, names: string[]): Promise<{ last: number; owners: Set<string> }>;
  onError(error: unknown): void;
}

/** Other processes' events are found at the next look. */
const lookEveryMs = 400;
/** An event of this process becomes visible when its transaction commits, a moment after it was told. */
const soonMs = 300;
const lookSoonMs = 40;

/** One look at the database for everybody in this process who waits for events; none while nobody does. */
export function createLookout({ look, onError }: LookoutParts) {
  const bells = new Map<string, Set<() => void>>();
  let soonUntil = 0;
  let wakeUp = () => {};
  let running = false;

  const watch = async () => {
    let after: number | undefined;
    while (bells.size > 0) {
      const asked = new Set(after === undefined ? [] : bells.keys());
      try {
        const news = await look(after ?? 0, [...asked]);
        after = news.last;
        // Who came while it looked was not asked about, and may have read too early.
        for (const [name, mine] of bells)
          if (!asked.has(name) || news.owners.has(name)) for (const ring of mine) ring();
      } catch (error) {
        onError(error);
      }
      await pause();
    }
    running = false;
  };

  const pause = async () => {
    if (Date.now() < soonUntil) return sleep(lookSoonMs);
    const awake = new AbortController();
    wakeUp = () => awake.abort();
    await sleep(lookEveryMs, undefined, { signal: awake.signal }).catch(() => {});
  };

  return {
    /** Something was told in this process. */
    wake() {
      soonUntil = Date.now() + soonMs;
      wakeUp();
    },
    /** Rings once at first and whenever there may be news of this name; returns how to leave. */
    join(name: string, ring: () => void): () => void {
      const mine = bells.get(name) ?? new Set();
      bells.set(name, mine.add(ring));
      if (!running) {
        running = true;
        void watch();
      } else wakeUp();
      return () => {
        mine.delete(ring);
        if (mine.size === 0 && bells.get(name) === mine) bells.delete(name);
        if (bells.size === 0) wakeUp();
      };
    },
  };
}
