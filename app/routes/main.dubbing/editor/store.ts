import { startTransition, useDeferredValue, useEffect, useMemo, useRef, useState } from "react";
import { createStore, type Store, useStore } from "~/ui/store";
import { applyToHistory, createHistory, type Edit, findChange, type History, redo, undo } from "./edits";
import { groupLines, type LineGroup, type Script } from "./script";

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

/** The lines in groups that stay the same objects until one of their lines changes. */
export function useLineGroups(store: ScriptStore): readonly LineGroup[] {
  const lines = useScript(store, ({ present }) => present.lines);
  const previous = useRef<readonly LineGroup[]>([]);
  const groups = useMemo(() => groupLines(lines, previous.current), [lines]);
  useEffect(() => {
    previous.current = groups;
  }, [groups]);
  return groups;
}

/** Where a line stands in the script. */
export interface Place {
  /** From 1. */
  number: number;
  isFirst: boolean;
  isLast: boolean;
}

/** More added or removed lines at once are an import or its undoing: all rows are new anyway. */
const deferredMax = 20;

/**
 * The order of the lines, as ids and as places by id; an unmoved line keeps its place object. After a few added or
 * removed lines it follows in small tasks, because the numbers of all lines below change. A move shows at once, because
 * dnd-kit animates it.
 */
export function useLineOrder(store: ScriptStore) {
  const current = useIds(useScript(store, ({ present }) => present.lines));
  const deferred = useDeferredValue(current);
  const difference = Math.abs(deferred.length - current.length);
  const ids = difference === 0 || difference > deferredMax ? current : deferred;
  const previous = useRef<ReadonlyMap<string, Place>>(new Map());
  const placeOf = useMemo(() => {
    const places = ids.map((id, index): [string, Place] => {
      const next = { number: index + 1, isFirst: index === 0, isLast: index === ids.length - 1 };
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
