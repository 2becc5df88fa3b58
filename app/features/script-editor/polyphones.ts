import { useEffect, useRef, useSyncExternalStore } from "react";
import { movedPolyphones, type Polyphone } from "./model/pieces";

export type FindPolyphones = (content: string) => Promise<Polyphone[] | null>;

const batchMs = 350;
const batchMax = 4000;
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

/** Polyphones by content; lines wanted at the same time are asked for in one call. */
export function createPolyphoneStore(find: FindPolyphones): PolyphoneStore {
  const known = new Map<string, readonly Polyphone[]>();
  const wanted = new Set<string>();
  const watchers = new Set<() => void>();
  let isAsking = false;

  async function ask() {
    const batch: string[] = [];
    let size = 0;
    for (const content of wanted) {
      if (batch.length > 0 && size + content.length > batchMax) break;
      batch.push(content);
      size += content.length + 1;
    }
    const found = await find(batch.join("\n"));
    if (!found) {
      setTimeout(ask, retryMs);
      return;
    }
    let from = 0;
    for (const content of batch) {
      const to = from + content.length;
      const own = found.filter(({ offset }) => offset >= from && offset < to);
      const start = from;
      known.set(content, own.length === 0 ? none : own.map((one) => ({ ...one, offset: one.offset - start })));
      wanted.delete(content);
      from = to + 1;
    }
    for (const watch of watchers) watch();
    isAsking = wanted.size > 0;
    if (isAsking) setTimeout(ask, 0);
  }

  return {
    get: (content) => known.get(content),
    want(content) {
      if (known.has(content) || wanted.has(content)) return;
      if (!/\p{Script=Han}/u.test(content)) {
        known.set(content, none);
        return;
      }
      wanted.add(content);
      if (isAsking) return;
      isAsking = true;
      setTimeout(ask, batchMs);
    },
    forget() {
      known.clear();
      for (const watch of watchers) watch();
    },
    subscribe(watch) {
      watchers.add(watch);
      return () => {
        watchers.delete(watch);
      };
    },
  };
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
