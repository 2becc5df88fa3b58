import { useRef, startTransition, useEffect, useState } from "react";
import { editorCopy } from "~/copy/dubbing";
import { dubbingRecordsCopy } from "~/copy/dubbing-records";
import { notify } from "~/features/toasts/notify";
import type { Dub } from "~server/bff/generations.server";
import { toScript } from "../dub";
import { snapOffset, applyToHistory, createHistory, type Edit, findChange, type History, redo, undo } from "./edits";
import { pauseMark } from "./pieces";
import { createLine, toDelivery, type Script } from "./script";
import type { DubSession } from "../use-dub-session";
import { createStore, type Store, useStore } from "~/ui/store";

/** The edits that the page's buttons make. */
export function useEditing({ editor: { store }, cast, generation, selection }: DubSession) {
  const caret = useRef<Caret | null>(null);
  return {
    onCaret(at: Caret) {
      caret.current = at;
    },
    addLine() {
      const last = store.get().lines.at(-1);
      const added = createLine({ ...(last && toDelivery(last)), roleId: last?.roleId || cast.defaultRoleId() });
      store.edit({ type: "insert", after: last?.id ?? null, lines: [added] }, { id: added.id, at: 0 });
    },
    /** Inserts at the caret, or where it was last. */
    insertPause(seconds: number) {
      const { lines } = store.get();
      const line = lines.find(({ id }) => id === caret.current?.id) ?? lines[0];
      if (!line) return;
      const at = snapOffset(line.content, line.id === caret.current?.id ? caret.current.at : 0);
      const mark = pauseMark(seconds);
      const content = line.content.slice(0, at) + mark + line.content.slice(at);
      store.edit({ type: "text", id: line.id, content }, { id: line.id, at: at + mark.length });
    },
    startOver() {
      const lines = [createLine({ roleId: cast.defaultRoleId() })];
      store.edit({ type: "replace", script: { title: "", lines } });
      selection.select(null);
      notify({ kind: "info", text: editorCopy.startedOver });
    },
    /** Replaces the script by a dub's. */
    openDub(dub: Dub) {
      const { script, speakers } = toScript(dub);
      cast.addSpeakers(speakers);
      generation.follow(dub);
      store.edit({ type: "replace", script });
      selection.select(dub.dubbId);
      notify({ kind: "info", text: dubbingRecordsCopy.replaced });
      window.scrollTo({ top: 0 });
    },
  };
}

export type Editing = ReturnType<typeof useEditing>;


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
