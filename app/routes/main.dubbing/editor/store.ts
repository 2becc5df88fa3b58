import { startTransition, useEffect, useState, useSyncExternalStore } from "react";
import type { Edit } from "./edits";
import { changedPlace, createHistory, edited, type History, redone, undone } from "./history";
import type { Script } from "./script";

/** Where the caret is to go once the line is there. */
export interface Caret {
  id: string;
  at: number;
}

export interface ScriptStore {
  get(): Script;
  history(): History;
  edit(edit: Edit, caret?: Caret): void;
  undo(): boolean;
  redo(): boolean;
  /** Another script with a history of its own. */
  open(script: Script): void;
  /** The caret that was wished for, once. */
  takeCaret(): Caret | null;
  wishCaret(caret: Caret): void;
  subscribe(watch: () => void): () => void;
}

/** The script being written, outside of React: a key press draws its own line and nothing else. */
export function createScriptStore(initial: Script): ScriptStore {
  let history = createHistory(initial);
  let caret: Caret | null = null;
  const watchers = new Set<() => void>();
  const set = (next: History, wished: Caret | null) => {
    if (next === history) return false;
    history = next;
    caret = wished ?? caret;
    for (const watch of watchers) watch();
    return true;
  };
  const travel = (go: typeof undone) => {
    const next = go(history);
    return set(next, changedPlace(history.present, next.present));
  };
  return {
    get: () => history.present,
    history: () => history,
    edit: (edit, wished) => void set(edited(history, edit, Date.now()), wished ?? null),
    undo: () => travel(undone),
    redo: () => travel(redone),
    open: (script) => void set(createHistory(script), null),
    takeCaret() {
      const wished = caret;
      caret = null;
      return wished;
    },
    wishCaret(wished) {
      caret = wished;
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

/** The script as it is now; drawn again at every change of what `pick` takes from it. */
export const useScript = <Part>(store: ScriptStore, pick: (history: History) => Part): Part =>
  useSyncExternalStore(
    store.subscribe,
    () => pick(store.history()),
    () => pick(store.history()),
  );

const settleMs = 120;

/** The lines as they were a moment ago: what stands around the script follows the typing without slowing it. */
export function useSettledLines(store: ScriptStore): Script["lines"] {
  const [lines, setLines] = useState(() => store.get().lines);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const settle = () => {
      timer = undefined;
      startTransition(() => setLines(store.get().lines));
    };
    const leave = store.subscribe(() => {
      timer ??= setTimeout(settle, settleMs);
    });
    return () => {
      clearTimeout(timer);
      leave();
    };
  }, [store]);
  return lines;
}
