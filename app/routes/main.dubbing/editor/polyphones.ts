import { useEffect, useRef, useSyncExternalStore } from "react";
import { countCharacters } from "~server/contract/characters";
import { movedPolyphones, type Polyphone } from "./pieces";

export type FindPolyphones = (content: string) => Promise<Polyphone[] | null>;

const batchMs = 350;
const retryMs = 10_000;
const none: readonly Polyphone[] = [];

export interface PolyphoneStore {
  get(content: string): readonly Polyphone[] | undefined;
  /** Asks for it soon, together with what else is wanted. */
  want(content: string): void;
  /** Everything may be read otherwise now: the dictionary changed. */
  forget(): void;
  subscribe(watch: () => void): () => void;
}

/** Polyphones by content; lines wanted at the same time are asked for in one call, and none while nobody shows them.
 * `batchMax`: characters that one call takes at present; a longer line shows none. */
export function createPolyphoneStore(find: FindPolyphones, batchMax: () => number): PolyphoneStore {
  const known = new Map<string, readonly Polyphone[]>();
  const wanted = new Set<string>();
  const watchers = new Set<() => void>();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isAsking = false;
  let timesForgotten = 0;

  const tellAll = () => {
    for (const watch of watchers) watch();
  };

  function plan(inMs: number) {
    if (isAsking || timer || wanted.size === 0 || watchers.size === 0) return;
    timer = setTimeout(ask, inMs);
  }

  async function ask() {
    timer = undefined;
    isAsking = true;
    const batch = firstOf(wanted, batchMax());
    const before = timesForgotten;
    const found = await find(batch.join("\n"));
    isAsking = false;
    // Found by the dictionary as it was.
    if (before !== timesForgotten) return plan(0);
    if (!found) return plan(retryMs);
    keep(batch, found);
    tellAll();
    plan(0);
  }

  function keep(batch: readonly string[], found: readonly Polyphone[]) {
    let from = 0;
    for (const content of batch) {
      const start = from;
      const to = start + content.length;
      const own = found.filter(({ offset }) => offset >= start && offset < to);
      known.set(content, own.length === 0 ? none : own.map((one) => ({ ...one, offset: one.offset - start })));
      wanted.delete(content);
      from = to + 1;
    }
  }

  return {
    get: (content) => known.get(content),
    want(content) {
      if (known.has(content) || wanted.has(content)) return;
      if (!/\p{Script=Han}/u.test(content) || countCharacters(content) > batchMax()) {
        known.set(content, none);
        return;
      }
      wanted.add(content);
      plan(batchMs);
    },
    forget() {
      known.clear();
      timesForgotten++;
      tellAll();
    },
    subscribe(watch) {
      watchers.add(watch);
      plan(batchMs);
      return () => {
        watchers.delete(watch);
        if (watchers.size > 0) return;
        clearTimeout(timer);
        timer = undefined;
      };
    },
  };
}

/** As many as one call takes. */
function firstOf(wanted: ReadonlySet<string>, batchMax: number): string[] {
  const batch: string[] = [];
  let size = 0;
  for (const content of wanted) {
    if (batch.length > 0 && size + countCharacters(content) > batchMax) break;
    batch.push(content);
    size += countCharacters(content);
  }
  return batch;
}

const settleMs = 500;

/** A line's polyphones: those known from before an edit stay underlined until the new ones are found. */
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
    last.current = { content, polyphones: movedPolyphones(polyphones, before, content) };
  }
  const isKnown = found !== undefined;
  useEffect(() => {
    if (isKnown) return;
    const timer = setTimeout(() => store.want(content), settleMs);
    return () => clearTimeout(timer);
  }, [store, content, isKnown]);
  return last.current.polyphones;
}
