import { startTransition, useEffect, useState } from "react";
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
