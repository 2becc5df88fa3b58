import { startTransition, useDeferredValue, useEffect, useMemo, useRef, useState } from "react";
import { createStore, type Store, useStore } from "~/ui/store";
import { applyToHistory, createHistory, type Edit, findChange, type History, redo, undo } from "./edits";
import { groupLines, type LineGroup, type Script, type ScriptLine } from "./script";

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
  /** Layout of the present lines, computed once per edit. */
  layout(): ScriptLayout;
  edit(edit: Edit, caret?: Caret): void;
  /** False if there is nothing to undo. */
  undo(): boolean;
  redo(): boolean;
  requestCaret(caret: Caret): void;
}

/** Every part stays the same object until it changes, so that a key press renders the edited group and nothing above it. */
interface ScriptLayout {
  /** The ids of the lines, in order. */
  ids: string[];
  /** The keys of the groups, in order. */
  keys: number[];
  linesOf(key: number): readonly ScriptLine[];
}

function createLayoutReader(readLines: () => readonly ScriptLine[]): () => ScriptLayout {
  let lines: readonly ScriptLine[] | undefined;
  let groups = new Map<number, LineGroup>();
  let ids: string[] = [];
  let keys: number[] = [];
  const linesOf = (key: number) => groups.get(key)?.lines ?? noLines;
  return () => {
    if (lines !== readLines()) {
      lines = readLines();
      groups = new Map(groupLines(lines, [...groups.values()]).map((group) => [group.key, group]));
      ids = unlessSame(
        ids,
        lines.map(({ id }) => id),
      );
      keys = unlessSame(keys, [...groups.keys()]);
    }
    return { ids, keys, linesOf };
  };
}

const noLines: readonly ScriptLine[] = [];

const unlessSame = <Item>(before: Item[], now: Item[]) =>
  before.length === now.length && before.every((item, index) => item === now[index]) ? before : now;

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
    layout: createLayoutReader(() => history.get().present.lines),
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

/** Position of a line in the script. */
export interface CaretPlace {
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
  const current = useScript(store, () => store.layout().ids);
  const deferred = useDeferredValue(current);
  const difference = Math.abs(deferred.length - current.length);
  const ids = difference === 0 || difference > deferredMax ? current : deferred;
  const previous = useRef<ReadonlyMap<string, CaretPlace>>(new Map());
  const placeOf = useMemo(() => {
    const places = ids.map((id, index): [string, CaretPlace] => {
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
