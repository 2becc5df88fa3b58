import { startTransition, useDeferredValue, useEffect, useMemo, useRef, useState } from "react";
import { createStore, type Store, useStore } from "~/ui/store";
import { applyToHistory, createHistory, type Edit, findChange, type History, redo, undo } from "./edits";
import type { Script } from "./script";

/** An offset in a line's content. */
export interface Caret {
  id: string;
  at: number;
}

/** The edited script outside of React, so that a key press renders one line only. */
export interface ScriptStore {
  history: Store<History>;
  /** The requested caret, until it is placed. */
  caret: Store<Caret | null>;
  get(): Script;
  edit(edit: Edit, caret?: Caret): void;
  /** False if there is nothing to undo. */
  undo(): boolean;
  redo(): boolean;
  requestCaret(caret: Caret): void;
}

export function createScriptStore(initial: Script): ScriptStore {
  const history = createStore(createHistory(initial));
  const caret = createStore<Caret | null>(null);
  const set = (next: History, requested: Caret | null) => {
    if (next === history.get()) return false;
    history.set(next);
    if (requested) caret.set(requested);
    return true;
  };
  const step = (change: typeof undo) => {
    const before = history.get();
    const next = change(before);
    return set(next, findChange(before.present, next.present));
  };
  return {
    history,
    caret,
    get: () => history.get().present,
    edit: (edit, requested) => void set(applyToHistory(history.get(), edit, Date.now()), requested ?? null),
    undo: () => step(undo),
    redo: () => step(redo),
    requestCaret: caret.set,
  };
}

/** Renders again when the result of `select` changes. */
export const useScript = <Part>({ history }: ScriptStore, select: (history: History) => Part): Part =>
  useStore(history, select);

const settleMs = 120;

/** The lines, updated with a delay, so that the page around the script does not slow down typing. */
export function useSettledLines({ history, get }: ScriptStore): Script["lines"] {
  const [lines, setLines] = useState(() => get().lines);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const settle = () => {
      timer = undefined;
      startTransition(() => setLines(get().lines));
    };
    const unsubscribe = history.subscribe(() => {
      timer ??= setTimeout(settle, settleMs);
    });
    return () => {
      clearTimeout(timer);
      unsubscribe();
    };
  }, [history, get]);
  return lines;
}

/** Where a line stands. The objects of `placeOf` are kept while they say the same, so that a line renders only when moved. */
export interface Place {
  /** From 1. */
  number: number;
  isFirst: boolean;
  isLast: boolean;
}

export const toPlace = (index: number, count: number): Place => ({
  number: index + 1,
  isFirst: index === 0,
  isLast: index === count - 1,
});

/**
 * The order of the lines as the rows show it. After an added or removed line it follows a moment later in small tasks:
 * the numbers of all lines below change, 250 to 800 ms of rendering in the middle of 500 lines on a slow phone, while
 * the next key waits. A move shows at once, because dnd-kit animates it.
 */
export function useOrder(lines: Script["lines"]) {
  const current = useIds(lines);
  const deferred = useDeferredValue(current);
  const ids = deferred.length === current.length ? current : deferred;
  const previous = useRef<ReadonlyMap<string, Place>>(new Map());
  const placeOf = useMemo(() => {
    const places = ids.map((id, index): [string, Place] => {
      const next = toPlace(index, ids.length);
      const before = previous.current.get(id);
      const isSame = before?.number === next.number && before.isFirst === next.isFirst && before.isLast === next.isLast;
      return [id, isSame ? before : next];
    });
    return new Map(places);
  }, [ids]);
  useEffect(() => {
    previous.current = placeOf;
  }, [placeOf]);
  return { ids, placeOf };
}

/** The ids of the lines; the same array until an id or the order changes. */
function useIds(lines: Script["lines"]): string[] {
  const ids = useRef<string[]>([]);
  const isSame = ids.current.length === lines.length && lines.every(({ id }, index) => ids.current[index] === id);
  if (!isSame) ids.current = lines.map(({ id }) => id);
  return ids.current;
}
