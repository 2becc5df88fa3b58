import { useEffect, useMemo, useRef } from "react";
import { flushSync } from "react-dom";
import { editorCopy } from "~/copy/dubbing";
import { emphasisCopy } from "~/copy/generation";
import type { OpenPiece } from "~/features/readings/piece-popover";
import type { PolyphoneStore } from "~/features/readings/polyphones";
import { notify } from "~/features/toasts/notify";
import { withEmphasis } from "~server/contract/marks";
import type { ReadAlong } from "./read-along";
import { createLine } from "./script";
import type { LineSelection } from "./selection";
import type { Caret, ScriptStore } from "./store";
import { type LineTiming, untimed } from "./timing";

/** The editor's state outside of React. One object for the life of the page. */
/** A mark or polyphone of a line, and its position in the viewport. */
export type OpenLinePiece = OpenPiece & { lineId: string };

export interface EditorStores {
  store: ScriptStore;
  polyphones: PolyphoneStore;
  readAlong: ReadAlong;
  selection: LineSelection;
}

/** Actions on a line that the page handles; the editor handles the others. */
export interface LineHandlers {
  onRole(id: string): void;
  onDelivery(id: string): void;
  onListen(id: string): void;
  onListenFrom(id: string): void;
  onRetry(id: string): void;
  /** The lines may be spoken still faster: they are made again, for free. */
  onSpeedUp(ids: readonly string[]): void;
  onFind(): void;
  onTakes(id: string): void;
  /** Opens a mark or polyphone of a line, displayed at `rect`. */
  onPiece(open: OpenLinePiece): void;
  /** Several rows were pasted over a range of a line; returns true if they were imported. */
  onPasteRows(lineId: string, text: string, from: number, to: number): boolean;
  onCaret(caret: Caret): void;
  /** Announces a text to screen readers. */
  announce(text: string): void;
}

export type Side = "before" | "after";
export type LineActions = ReturnType<typeof createActions>;

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
 * Places the caret that the store requests: before the next key event while the focus is on the page, else in the next
 * frame, because a closing menu or dialog first returns the focus to its opener.
 */
function placeRequestedCarets({ caret }: ScriptStore, fields: Fields): () => void {
  let frame = 0;
  const place = () => {
    const requested = caret.get();
    if (!requested) return;
    caret.set(null);
    // Renders the new field or text first.
    flushSync(() => {});
    placeCaret(fields.get(requested.id), requested.at);
  };
  const schedule = () => {
    if (!caret.get()) return;
    const isOnPage = document.activeElement?.closest("main, [role=menu]")?.tagName === "MAIN";
    if (isOnPage) return queueMicrotask(place);
    cancelAnimationFrame(frame);
    frame = requestAnimationFrame(place);
  };
  schedule();
  const unsubscribe = caret.subscribe(schedule);
  return () => {
    cancelAnimationFrame(frame);
    unsubscribe();
  };
}

function placeCaret(field: HTMLTextAreaElement | undefined, offset: number) {
  if (!field) return;
  const at = Math.min(offset, field.value.length);
  field.focus();
  field.setSelectionRange(at, at);
}

const createFinders = (store: ScriptStore) => {
  const indexOf = (id: string) => store.get().lines.findIndex((line) => line.id === id);
  const lineAt = (index: number) => store.get().lines[index];
  const neighbour = (id: string, side: Side) => lineAt(indexOf(id) + (side === "before" ? -1 : 1));
  return { indexOf, lineAt, neighbour };
};

const createActions = (store: ScriptStore, latest: { current: LineHandlers }, fields: Fields) => ({
  ...createTextActions(store, fields),
  ...createRowActions(store, latest, fields),
  ...createPassedActions(latest, fields),
});

/** What changes the text of a field, or moves its caret. */
function createTextActions(store: ScriptStore, fields: Fields) {
  const { indexOf, lineAt, neighbour } = createFinders(store);
  const onMergeUp = (id: string) => {
    const before = neighbour(id, "before");
    if (before) store.edit({ type: "merge", id }, { id: before.id, at: before.content.length });
  };
  return {
    onField(id: string, field: HTMLTextAreaElement | null) {
      if (field) fields.set(id, field);
      else fields.delete(id);
    },
    onText(id: string, content: string, caret: number) {
      const line = lineAt(indexOf(id));
      // Typed text needs no caret: the browser has moved it.
      const isTyped = fields.get(id)?.value === content;
      if (line?.content !== content) store.edit({ type: "text", id, content }, isTyped ? undefined : { id, at: caret });
    },
    /** Sets or removes the emphasis of the field's selection. */
    onEmphasis(id: string) {
      const field = fields.get(id);
      const { value = "", selectionStart: start = 0, selectionEnd: end = 0 } = field ?? {};
      const marked = withEmphasis(value, { start, end });
      if (!marked) return notify({ kind: "info", text: emphasisCopy.chooseFirst });
      store.edit({ type: "text", id, content: marked.content }, { id, at: marked.caret });
    },
    onSplit(id: string, content: string, at: number) {
      const newId = createLine({ roleId: "" }).id;
      store.edit({ type: "text", id, content });
      store.edit({ type: "split", id, at, newId }, { id: newId, at: 0 });
    },
    /** Merges the line with its neighbour. */
    onMerge(id: string, side: Side) {
      if (side === "before") return onMergeUp(id);
      const next = neighbour(id, "after");
      if (next) onMergeUp(next.id);
    },
    onMergeUp,
    /** Moves the caret to the neighbouring line. */
    onLeave(id: string, side: Side) {
      placeCaret(fields.get(neighbour(id, side)?.id ?? ""), side === "before" ? Number.POSITIVE_INFINITY : 0);
    },
    onShorten(id: string) {
      placeCaret(fields.get(id), Number.POSITIVE_INFINITY);
    },
  };
}

/** What changes the rows of the script. */
function createRowActions(store: ScriptStore, latest: { current: LineHandlers }, fields: Fields) {
  const { indexOf, lineAt } = createFinders(store);
  const announce = (text: string) => latest.current.announce(text);
  return {
    onUndo: () => void (store.undo() && announce(editorCopy.undone)),
    onRedo: () => void (store.redo() && announce(editorCopy.redone)),
    onMove(id: string, by: -1 | 1) {
      const from = indexOf(id);
      store.edit({ type: "move", id, to: from + by });
      // In another group the row is mounted again, without the menu button that had the focus.
      requestAnimationFrame(() => {
        const button = fields.get(id)?.closest("li")?.querySelector<HTMLElement>("[aria-haspopup=menu]");
        if (document.activeElement === document.body) button?.focus();
      });
      announce(editorCopy.moved(from + 1, indexOf(id) + 1));
    },
    onCopy(id: string) {
      const line = lineAt(indexOf(id));
      if (!line) return;
      const copy = createLine({ ...line, ...untimed, id: undefined });
      store.edit({ type: "insert", after: id, lines: [copy] }, { id: copy.id, at: copy.content.length });
    },
    onRemoveTime: (id: string) => store.edit({ type: "set", ids: [id], change: untimed }),
    /** What to do with a line that is longer than its subtitle. */
    onTiming: (ids: readonly string[], change: LineTiming) => store.edit({ type: "set", ids, change }),
    /** Removes lines; the caret goes to the line after the first one. */
    onRemove(ids: readonly string[]) {
      const index = indexOf(ids[0] ?? "");
      store.edit({ type: "remove", ids });
      const next = lineAt(Math.min(index, store.get().lines.length - 1));
      if (next) store.requestCaret({ id: next.id, at: next.content.length });
      if (ids.length === 1) announce(editorCopy.removed(index + 1));
      else notify({ kind: "info", text: editorCopy.removedMany(ids.length) });
    },
  };
}

/** What the page does, by the handlers of its last render. */
const createPassedActions = (latest: { current: LineHandlers }, fields: Fields) => ({
  onCaret: (id: string, at: number) => latest.current.onCaret({ id, at }),
  onPasteRows: (id: string, text: string, from: number, to: number) => latest.current.onPasteRows(id, text, from, to),
  onPiece: (lineId: string, offset: number, rect: DOMRect) => latest.current.onPiece({ lineId, offset, rect }),
  /** Opens the first mark or underlined polyphone of the line, else its first polyphone. */
  onReadings(id: string) {
    const text = fields.get(id)?.parentElement;
    const marked =
      text?.querySelector<HTMLElement>("[data-offset]:not([data-certain])") ??
      text?.querySelector<HTMLElement>("[data-offset]");
    if (!marked) return;
    const rect = marked.getBoundingClientRect();
    latest.current.onPiece({ lineId: id, offset: Number(marked.dataset.offset), rect });
  },
  onRole: (id: string) => latest.current.onRole(id),
  onDelivery: (id: string) => latest.current.onDelivery(id),
  onListen: (id: string) => latest.current.onListen(id),
  onListenFrom: (id: string) => latest.current.onListenFrom(id),
  onRetry: (id: string) => latest.current.onRetry(id),
  onSpeedUp: (ids: readonly string[]) => latest.current.onSpeedUp(ids),
  onFind: () => latest.current.onFind(),
  onTakes: (id: string) => latest.current.onTakes(id),
});
