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
  /** `said`: lines that were heard before this one. */
  set(heard: Heard | null, said?: readonly string[]): void;
  isSaid(lineId: string): boolean;
  subscribe(watch: () => void): () => void;
}

/** Tells the line that sounds, and nobody else, where the voice is: several times a second. */
export function createReadAlong(): ReadAlong {
  let heard: Heard | null = null;
  let past: readonly string[] = [];
  const watchers = new Set<() => void>();
  return {
    get: () => heard,
    isSaid: (lineId) => past.includes(lineId),
    set(next, said = []) {
      if (heard?.lineId === next?.lineId && heard?.offset === next?.offset && said.length === past.length) return;
      heard = next;
      past = said;
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

const said: Heard = { lineId: "", offset: Number.MAX_SAFE_INTEGER, length: 0 };

/** What is heard of one line; null while it has not begun. */
export const useHeard = (along: ReadAlong, lineId: string): Heard | null =>
  useSyncExternalStore(
    along.subscribe,
    () => {
      const heard = along.get();
      if (heard?.lineId === lineId) return heard;
      return along.isSaid(lineId) ? said : null;
    },
    () => null,
  );
