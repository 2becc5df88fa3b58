import { startTransition, useEffect, useState, useSyncExternalStore } from "react";
import { applyToHistory, createHistory, type Edit, findChange, type History, redo, undo } from "./edits";
import type { Script } from "./script";

/** An offset in a line's content. */
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
  /** The requested caret, once. */
  takeCaret(): Caret | null;
  requestCaret(caret: Caret): void;
  subscribe(listener: () => void): () => void;
}

/** Holds the edited script outside of React, so that a key press renders one line only. */
export function createScriptStore(initial: Script): ScriptStore {
  let history = createHistory(initial);
  let caret: Caret | null = null;
  const listeners = new Set<() => void>();
  const notify = () => {
    for (const listener of listeners) listener();
  };
  const set = (next: History, requested: Caret | null) => {
    if (next === history) return false;
    history = next;
    caret = requested ?? caret;
    notify();
    return true;
  };
  const step = (change: typeof undo) => {
    const next = change(history);
    return set(next, findChange(history.present, next.present));
  };
  return {
    get: () => history.present,
    history: () => history,
    edit: (edit, requested) => void set(applyToHistory(history, edit, Date.now()), requested ?? null),
    undo: () => step(undo),
    redo: () => step(redo),
    takeCaret() {
      const requested = caret;
      caret = null;
      return requested;
    },
    requestCaret(requested) {
      caret = requested;
      notify();
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}

/** Renders again when the result of `select` changes. */
export const useScript = <Part>(store: ScriptStore, select: (history: History) => Part): Part =>
  useSyncExternalStore(
    store.subscribe,
    () => select(store.history()),
    () => select(store.history()),
  );

const settleMs = 120;

/** The lines, updated with a delay, so that the page around the script does not slow down typing. */
export function useSettledLines(store: ScriptStore): Script["lines"] {
  const [lines, setLines] = useState(() => store.get().lines);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const settle = () => {
      timer = undefined;
      startTransition(() => setLines(store.get().lines));
    };
    const unsubscribe = store.subscribe(() => {
      timer ??= setTimeout(settle, settleMs);
    });
    return () => {
      clearTimeout(timer);
      unsubscribe();
    };
  }, [store]);
  return lines;
}
