import { useSyncExternalStore } from "react";

/** What is heard now: a line, and the character in it. */
export interface Heard {
  lineId: string;
  /** UTF-16 place in the line's content; -1 before the first character. */
  offset: number;
  length: number;
}

export interface ReadAlong {
  get(): Heard | null;
  set(heard: Heard | null): void;
  subscribe(watch: () => void): () => void;
}

/** Tells the line that sounds, and nobody else, where the voice is: several times a second. */
export function createReadAlong(): ReadAlong {
  let heard: Heard | null = null;
  const watchers = new Set<() => void>();
  return {
    get: () => heard,
    set(next) {
      if (heard?.lineId === next?.lineId && heard?.offset === next?.offset) return;
      heard = next;
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

/** What is heard of one line; null while another one sounds. */
export const useHeard = (along: ReadAlong, lineId: string): Heard | null =>
  useSyncExternalStore(
    along.subscribe,
    () => {
      const heard = along.get();
      return heard?.lineId === lineId ? heard : null;
    },
    () => null,
  );
