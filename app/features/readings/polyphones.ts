import { useEffect, useRef, useSyncExternalStore } from "react";
import { callApi } from "~/call";
import { countCharacters } from "~server/contract/marks";
import { type Polyphone, shiftPolyphones } from "./pieces";

/** Null if the call fails. */
export const findPolyphones = (content: string): Promise<Polyphone[] | null> =>
  callApi("readings", { content }).then(
    ({ list }) => list,
    () => null,
  );

type FindPolyphones = (content: string) => Promise<Polyphone[] | null>;

const batchMs = 350;
const retryMs = 10_000;
const none: readonly Polyphone[] = [];

export interface PolyphoneStore {
  get(content: string): readonly Polyphone[] | undefined;
  /** Requests the content's polyphones with the next batch. */
  request(content: string): void;
  /** Discards all results, after the dictionary has changed. */
  reset(): void;
  subscribe(listener: () => void): () => void;
}

/**
 * Caches polyphones by content. Contents requested within `batchMs` share one call; no calls without subscribers.
 * `batchMax`: characters per call; a longer line has no polyphones.
 */
export function createPolyphoneStore(find: FindPolyphones, batchMax: () => number): PolyphoneStore {
  const known = new Map<string, readonly Polyphone[]>();
  const requested = new Set<string>();
  const listeners = new Set<() => void>();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isFetching = false;
  let resets = 0;

  const notify = () => {
    for (const listener of listeners) listener();
  };

  function schedule(inMs: number) {
    if (isFetching || timer || requested.size === 0 || listeners.size === 0) return;
    timer = setTimeout(fetchBatch, inMs);
  }

  async function fetchBatch() {
    timer = undefined;
    isFetching = true;
    const batch = nextBatch(requested, batchMax());
    const resetsBefore = resets;
    const found = await find(batch.join("\n"));
    isFetching = false;
    // The dictionary changed during the call.
    if (resetsBefore !== resets) return schedule(0);
    if (!found) return schedule(retryMs);
    save(batch, found);
    notify();
    schedule(0);
  }

  function save(batch: readonly string[], found: readonly Polyphone[]) {
    let from = 0;
    for (const content of batch) {
      const start = from;
      const to = start + content.length;
      const own = found.filter(({ offset }) => offset >= start && offset < to);
      known.set(content, own.length === 0 ? none : own.map((one) => ({ ...one, offset: one.offset - start })));
      requested.delete(content);
      from = to + 1;
    }
  }

  return {
    get: (content) => known.get(content),
    request(content) {
      if (known.has(content) || requested.has(content)) return;
      if (!/\p{Script=Han}/u.test(content) || countCharacters(content) > batchMax()) {
        known.set(content, none);
        return;
      }
      requested.add(content);
      schedule(batchMs);
    },
    reset() {
      known.clear();
      resets++;
      notify();
    },
    subscribe(listener) {
      listeners.add(listener);
      schedule(batchMs);
      return () => {
        listeners.delete(listener);
        if (listeners.size > 0) return;
        clearTimeout(timer);
        timer = undefined;
      };
    },
  };
}

function nextBatch(requested: ReadonlySet<string>, batchMax: number): string[] {
  const batch: string[] = [];
  let size = 0;
  for (const content of requested) {
    size += countCharacters(content);
    if (batch.length > 0 && size > batchMax) break;
    batch.push(content);
  }
  return batch;
}

const settleMs = 500;

/** A line's polyphones. Those outside an edit stay until the new ones arrive. */
export function usePolyphones(store: PolyphoneStore, content: string): readonly Polyphone[] {
  const found = useSyncExternalStore(
    store.subscribe,
    () => store.get(content),
    () => undefined,
  );
  const last = useRef<{ content: string; polyphones: readonly Polyphone[] }>({ content: "", polyphones: none });
  if (found) last.current = { content, polyphones: found };
  else if (last.current.content !== content) {
    const { content: before, polyphones } = last.current;
    last.current = { content, polyphones: shiftPolyphones(polyphones, before, content) };
  }
  const isKnown = found !== undefined;
  useEffect(() => {
    if (isKnown) return;
    const timer = setTimeout(() => store.request(content), settleMs);
    return () => clearTimeout(timer);
  }, [store, content, isKnown]);
  return last.current.polyphones;
}
