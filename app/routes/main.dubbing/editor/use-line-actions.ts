import { useEffect, useMemo, useRef } from "react";
import { flushSync } from "react-dom";
import { editorCopy } from "~/copy/dubbing";
import type { FieldActions, Side } from "./field-keys";
import type { PolyphoneStore } from "./polyphones";
import type { ReadAlong } from "./read-along";
import { createLine } from "./script";
import type { Caret, ScriptStore } from "./store";

/** The editor's state outside of React. One object for the life of the page. */
export interface EditorStores {
  store: ScriptStore;
  polyphones: PolyphoneStore;
  readAlong: ReadAlong;
}

/** Actions on a line that the page handles; the editor handles the others. */
export interface LineHandlers {
  onRole(id: string): void;
  onDelivery(id: string): void;
  onListen(id: string): void;
  onListenFrom(id: string): void;
  onRetry(id: string): void;
  /** Opens a mark or polyphone of a line, displayed at `rect`. */
  onPiece(place: { lineId: string; offset: number; rect: DOMRect }): void;
  /** Several rows were pasted over a range of a line; returns true if they were imported. */
  onPasteRows(lineId: string, text: string, from: number, to: number): boolean;
  onCaret(caret: Caret): void;
  /** Announces a text to screen readers. */
  announce(text: string): void;
}

export interface TextActions extends FieldActions {
  onCaret(at: number): void;
  onPasteRows(text: string, from: number, to: number): boolean;
  onPiece(offset: number, rect: DOMRect): void;
}

type PageAction = "onRole" | "onDelivery" | "onListen" | "onListenFrom" | "onRetry";

/** All actions on lines, by line id. */
export interface LineActions extends Pick<LineHandlers, PageAction> {
  fieldOf(id: string): (field: HTMLTextAreaElement | null) => void;
  textOf(id: string): TextActions;
  onReadings(id: string): void;
  onMove(id: string, by: -1 | 1): void;
  onCopy(id: string): void;
  onMergeUp(id: string): void;
  onRemoveTime(id: string): void;
  onRemove(id: string): void;
}

/** The same object in every render, so that a line renders only when its own values change. */
export function useLineActions(store: ScriptStore, handlers: LineHandlers): LineActions {
  const latest = useRef(handlers);
  useEffect(() => {
    latest.current = handlers;
  });
  const fields = useRef(new Map<string, HTMLTextAreaElement>());
  useEffect(() => placeRequestedCarets(store, fields.current), [store]);
  return useMemo(() => createActions(store, latest, fields.current), [store]);
}

type Fields = Map<string, HTMLTextAreaElement>;

/**
 * Places the caret that the store requests: before the next key event while a field has the focus, else in the next
 * frame, because a closing menu or dialog first returns the focus to its opener.
 */
function placeRequestedCarets(store: ScriptStore, fields: Fields): () => void {
  let frame = 0;
  const place = () => {
    const caret = store.takeCaret();
    if (!caret) return;
    // Renders the new field or text first.
    flushSync(() => {});
    const field = fields.get(caret.id);
    if (!field) return;
    const at = Math.min(caret.at, field.value.length);
    field.focus();
    field.setSelectionRange(at, at);
  };
  const schedule = () => {
    const isTyping = [...fields.values()].some((field) => field === document.activeElement);
    if (isTyping) return queueMicrotask(place);
    cancelAnimationFrame(frame);
    frame = requestAnimationFrame(place);
  };
  schedule();
  const unsubscribe = store.subscribe(schedule);
  return () => {
    cancelAnimationFrame(frame);
    unsubscribe();
  };
}

function createActions(store: ScriptStore, latest: { current: LineHandlers }, fields: Fields): LineActions {
  const refs = new Map<string, (field: HTMLTextAreaElement | null) => void>();
  const texts = new Map<string, TextActions>();
  const indexOf = (id: string) => store.get().lines.findIndex((line) => line.id === id);
  const lineAt = (index: number) => store.get().lines[index];
  const announce = (text: string) => latest.current.announce(text);
  const forward = (name: PageAction) => (id: string) => latest.current[name](id);
  const mergeUp = (id: string) => {
    const before = lineAt(indexOf(id) - 1);
    if (before) store.edit({ type: "merge", id }, { id: before.id, at: before.content.length });
  };
  return {
    fieldOf: (id) =>
      cached(refs, id, () => (field) => {
        if (field) fields.set(id, field);
        else fields.delete(id);
      }),
    textOf: (id) => cached(texts, id, () => createTextActions(id, { store, latest, fields, mergeUp })),
    onRole: forward("onRole"),
    onDelivery: forward("onDelivery"),
    onListen: forward("onListen"),
    onListenFrom: forward("onListenFrom"),
    onRetry: forward("onRetry"),
    onReadings(id) {
      const marked = fields.get(id)?.parentElement?.querySelector<HTMLElement>("[data-offset]");
      if (!marked) return;
      const rect = marked.getBoundingClientRect();
      latest.current.onPiece({ lineId: id, offset: Number(marked.dataset.offset), rect });
    },
    onMove(id, by) {
      const from = indexOf(id);
      store.edit({ type: "move", id, to: from + by });
      announce(editorCopy.moved(from + 1, indexOf(id) + 1));
    },
    onCopy(id) {
      const line = lineAt(indexOf(id));
      if (!line) return;
      const copy = createLine({ ...line, id: undefined, startMs: undefined, endMs: undefined });
      store.edit({ type: "insert", after: id, lines: [copy] }, { id: copy.id, at: copy.content.length });
    },
    onMergeUp: mergeUp,
    onRemoveTime: (id) => store.edit({ type: "set", ids: [id], change: { startMs: undefined, endMs: undefined } }),
    onRemove(id) {
      const index = indexOf(id);
      store.edit({ type: "remove", id });
      const next = lineAt(Math.min(index, store.get().lines.length - 1));
      if (next) store.requestCaret({ id: next.id, at: next.content.length });
      announce(editorCopy.removed(index + 1));
    },
  };
}

interface TextContext {
  store: ScriptStore;
  latest: { current: LineHandlers };
  fields: Fields;
  mergeUp(id: string): void;
}

function createTextActions(id: string, { store, latest, fields, mergeUp }: TextContext): TextActions {
  const neighbour = (side: Side) => {
    const { lines } = store.get();
    return lines[lines.findIndex((line) => line.id === id) + (side === "before" ? -1 : 1)];
  };
  return {
    onText(content, caret) {
      const line = store.get().lines.find((one) => one.id === id);
      // Typed text needs no caret: the browser has moved it.
      const isTyped = fields.get(id)?.value === content;
      if (line?.content !== content) store.edit({ type: "text", id, content }, isTyped ? undefined : { id, at: caret });
    },
    onSplit(content, at) {
      const newId = createLine({ roleId: "" }).id;
      store.edit({ type: "text", id, content });
      store.edit({ type: "split", id, at, newId }, { id: newId, at: 0 });
    },
    onMerge(side) {
      if (side === "before") return mergeUp(id);
      const next = neighbour("after");
      if (next) mergeUp(next.id);
    },
    onUndo: () => void (store.undo() && latest.current.announce(editorCopy.undone)),
    onRedo: () => void (store.redo() && latest.current.announce(editorCopy.redone)),
    onLeave(side) {
      const field = fields.get(neighbour(side)?.id ?? "");
      const at = side === "before" ? (field?.value.length ?? 0) : 0;
      field?.focus();
      field?.setSelectionRange(at, at);
    },
    onCaret: (at) => latest.current.onCaret({ id, at }),
    onPasteRows: (text, from, to) => latest.current.onPasteRows(id, text, from, to),
    onPiece: (offset, rect) => latest.current.onPiece({ lineId: id, offset, rect }),
  };
}

function cached<Value>(cache: Map<string, Value>, key: string, create: () => Value): Value {
  const value = cache.get(key) ?? create();
  cache.set(key, value);
  return value;
}
