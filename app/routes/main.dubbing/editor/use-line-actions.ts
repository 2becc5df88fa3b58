import { useEffect, useMemo, useRef } from "react";
import { flushSync } from "react-dom";
import { editorCopy } from "~/copy/dubbing";
import type { LineActions, TextActions } from "./actions";
import { createLine } from "./script";
import type { ScriptStore } from "./store";

/** What the page does for a line; the rest is the script's own. */
export interface LineWishes {
  onRole(id: string): void;
  onDelivery(id: string): void;
  onListen(id: string): void;
  onListenFrom(id: string): void;
  onRetry(id: string): void;
  /** A mark or an underlined character of a line, and where it stands on the screen. */
  onPiece(place: { lineId: string; offset: number; rect: DOMRect }): void;
  /** Several rows were pasted between two places of a line; true when they are taken care of. */
  onPasteRows(lineId: string, text: string, from: number, to: number): boolean;
  onCaret(caret: { id: string; at: number }): void;
  /** Words for screen readers. */
  say(words: string): void;
}

/** One object of actions for all lines and all draws, so that a line is drawn again only for its own sake. */
export function useLineActions(store: ScriptStore, wishes: LineWishes): LineActions {
  const latest = useRef(wishes);
  useEffect(() => {
    latest.current = wishes;
  });
  const fields = useRef(new Map<string, HTMLTextAreaElement>());

  useEffect(() => followCaret(store, fields.current), [store]);

  return useMemo(() => createActions(store, latest, fields.current), [store]);
}

type Fields = Map<string, HTMLTextAreaElement>;

/**
 * Puts the caret where the store wishes it. While somebody writes that is before the next key, however fast they are;
 * a menu or dialog that closes gives the focus back to its opener first, so there it waits for the next frame.
 */
function followCaret(store: ScriptStore, fields: Fields): () => void {
  let frame = 0;
  const place = () => {
    const caret = store.takeCaret();
    if (!caret) return;
    // The field, or its new words, are drawn first.
    flushSync(() => {});
    const field = fields.get(caret.id);
    if (!field) return;
    const at = Math.min(caret.at, field.value.length);
    field.focus();
    field.setSelectionRange(at, at);
  };
  const soon = () => {
    const isWriting = [...fields.values()].some((field) => field === document.activeElement);
    if (isWriting) return queueMicrotask(place);
    cancelAnimationFrame(frame);
    frame = requestAnimationFrame(place);
  };
  soon();
  const leave = store.subscribe(soon);
  return () => {
    cancelAnimationFrame(frame);
    leave();
  };
}

function createActions(store: ScriptStore, latest: { current: LineWishes }, fields: Fields): LineActions {
  const refs = new Map<string, (field: HTMLTextAreaElement | null) => void>();
  const texts = new Map<string, TextActions>();
  const at = (id: string) => store.get().lines.findIndex((line) => line.id === id);
  const lineAt = (index: number) => store.get().lines[index];
  const say = (words: string) => latest.current.say(words);
  const wish = (name: "onRole" | "onDelivery" | "onListen" | "onListenFrom" | "onRetry") => (id: string) =>
    latest.current[name](id);
  const mergeUp = (id: string) => {
    const before = lineAt(at(id) - 1);
    if (before) store.edit({ type: "merge", id }, { id: before.id, at: before.content.length });
  };
  return {
    fieldOf: (id) =>
      remembered(refs, id, () => (field) => {
        if (field) fields.set(id, field);
        else fields.delete(id);
      }),
    textOf: (id) => remembered(texts, id, () => createTextActions(store, latest, { id, mergeUp, fields })),
    onRole: wish("onRole"),
    onDelivery: wish("onDelivery"),
    onListen: wish("onListen"),
    onListenFrom: wish("onListenFrom"),
    onRetry: wish("onRetry"),
    onReadings(id) {
      const underlined = fields.get(id)?.parentElement?.querySelector<HTMLElement>("[data-offset]");
      if (!underlined) return;
      const rect = underlined.getBoundingClientRect();
      latest.current.onPiece({ lineId: id, offset: Number(underlined.dataset.offset), rect });
    },
    onMove(id, by) {
      const from = at(id);
      store.edit({ type: "move", id, to: from + by });
      say(editorCopy.moved(from + 1, at(id) + 1));
    },
    onCopy(id) {
      const line = lineAt(at(id));
      if (!line) return;
      const copy = createLine({ ...line, id: undefined, startMs: undefined, endMs: undefined });
      store.edit({ type: "insert", after: id, lines: [copy] }, { id: copy.id, at: copy.content.length });
    },
    onMergeUp: mergeUp,
    onUntime: (id) => store.edit({ type: "set", ids: [id], change: { startMs: undefined, endMs: undefined } }),
    onRemove(id) {
      const index = at(id);
      store.edit({ type: "remove", id });
      const next = lineAt(Math.min(index, store.get().lines.length - 1));
      if (next) store.wishCaret({ id: next.id, at: next.content.length });
      say(editorCopy.removed(index + 1));
    },
  };
}

interface TextParts {
  id: string;
  mergeUp(id: string): void;
  fields: Fields;
}

function createTextActions(
  store: ScriptStore,
  latest: { current: LineWishes },
  { id, mergeUp, fields }: TextParts,
): TextActions {
  const neighbour = (by: -1 | 1) => {
    const { lines } = store.get();
    return lines[lines.findIndex((line) => line.id === id) + by];
  };
  const focus = (target: string | undefined, where: "start" | "end") => {
    const field = target === undefined ? undefined : fields.get(target);
    const at = where === "start" ? 0 : (field?.value.length ?? 0);
    field?.focus();
    field?.setSelectionRange(at, at);
  };
  return {
    onText(content, caret) {
      const line = store.get().lines.find((one) => one.id === id);
      // A caret is wished for only where the browser would not leave it by itself.
      const isTyped = fields.get(id)?.value === content;
      if (line?.content !== content) store.edit({ type: "text", id, content }, isTyped ? undefined : { id, at: caret });
    },
    onSplit(content, at) {
      const created = createLine({ roleId: "" }).id;
      store.edit({ type: "text", id, content });
      store.edit({ type: "split", id, at, newId: created }, { id: created, at: 0 });
    },
    onMerge(side) {
      if (side === "before") return mergeUp(id);
      const next = neighbour(1);
      if (next) mergeUp(next.id);
    },
    onUndo: () => void (store.undo() && latest.current.say(editorCopy.undone)),
    onRedo: () => void (store.redo() && latest.current.say(editorCopy.redone)),
    onLeave: (to) => (to === "before" ? focus(neighbour(-1)?.id, "end") : focus(neighbour(1)?.id, "start")),
    onCaret: (at) => latest.current.onCaret({ id, at }),
    onPasteRows: (text, from, to) => latest.current.onPasteRows(id, text, from, to),
    onPiece: (offset, rect) => latest.current.onPiece({ lineId: id, offset, rect }),
  };
}

function remembered<Value>(known: Map<string, Value>, key: string, create: () => Value): Value {
  const found = known.get(key) ?? create();
  known.set(key, found);
  return found;
}
