import { createStore, type Store } from "~/ui/store";
import type { ScriptStore } from "./store";

/** The selected lines, and their rows in the document. */
export interface LineSelection {
  ids: Store<ReadonlySet<string>>;
  toggle(id: string): void;
  /** Selects the lines between the one that was selected first and this one. */
  extendTo(id: string): void;
  selectAll(): void;
  set(ids: readonly string[]): void;
  clear(): void;
  /** In the order of the script. */
  list(): string[];
  rowOf(id: string): HTMLElement | undefined;
  /** Call it with a row when it is mounted, and with null when it is removed. */
  bindRow(id: string, row: HTMLElement | null): void;
}

const none: ReadonlySet<string> = new Set();

const markedAtOnce = 12;

/**
 * Rows are marked in the document (`data-selected`, `aria-pressed` of the handle) and not by rendering, because one key
 * may select 500 lines: first those around the row with the focus, the others in separate tasks.
 */
export function createLineSelection(store: ScriptStore): LineSelection {
  const ids = createStore(none);
  const rows = new Map<string, HTMLElement>();
  const marked = new Set<string>();
  let anchor: string | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const allIds = () => store.get().lines.map(({ id }) => id);
  const set = (next: readonly string[]) => {
    const after = new Set(next);
    if (after.size === 0) anchor = null;
    ids.set(after.size === 0 ? none : after);
    markRows();
  };
  const markRow = (id: string) => {
    const isSelected = ids.get().has(id);
    if (isSelected) marked.add(id);
    else marked.delete(id);
    mark(rows.get(id), isSelected);
  };
  const markRows = () => {
    clearTimeout(timer);
    const order = allIds();
    const focused = order.findIndex((id) => rows.get(id)?.contains(document.activeElement));
    const nearest = [...order.slice(Math.max(0, focused)), ...order.slice(0, Math.max(0, focused)).reverse()];
    const wrong = nearest.filter((id) => marked.has(id) !== ids.get().has(id));
    for (const id of wrong.slice(0, markedAtOnce)) markRow(id);
    if (wrong.length > markedAtOnce) timer = setTimeout(markRows);
  };
  const list = () => allIds().filter((id) => ids.get().has(id));
  // Removed lines are not selected any more.
  store.history.subscribe(() => {
    if (ids.get().size > 0 && list().length < ids.get().size) set(list());
  });
  return {
    ids,
    list,
    set,
    clear: () => set([]),
    selectAll: () => set(allIds()),
    toggle(id) {
      const isSelected = ids.get().has(id);
      anchor = id;
      set(isSelected ? list().filter((one) => one !== id) : [...ids.get(), id]);
    },
    extendTo(id) {
      const all = allIds();
      const from = all.indexOf(anchor ?? id);
      const to = all.indexOf(id);
      if (to < 0) return;
      anchor ??= id;
      set(from < 0 ? [id] : all.slice(Math.min(from, to), Math.max(from, to) + 1));
    },
    rowOf: (id) => rows.get(id),
    bindRow(id, row) {
      if (!row) return void rows.delete(id);
      rows.set(id, row);
      markRow(id);
    },
  };
}

export const handleSelector = "[data-handle]";

function mark(row: HTMLElement | undefined, isSelected: boolean) {
  row?.toggleAttribute("data-selected", isSelected);
  row?.querySelector(handleSelector)?.setAttribute("aria-pressed", String(isSelected));
}

export interface InputOptions {
  isDragging(): boolean;
  onRemove(ids: readonly string[]): void;
  onFind(): void;
  onUndo(): void;
  onRedo(): void;
}

const handleOf = (row: Element | null | undefined) => row?.querySelector<HTMLElement>(handleSelector);

interface KeyContext {
  selection: LineSelection;
  store: ScriptStore;
  options: InputOptions;
}

/** The action of a key on a row; null for keys of its text, and while a line is dragged by keyboard. */
export function findRowKeyAction(event: KeyboardEvent, { selection, store, options }: KeyContext): (() => void) | null {
  const target = event.target as HTMLElement;
  const isCommand = event.ctrlKey || event.metaKey;
  const key = event.key.toLowerCase();
  if (isCommand && key === "f" && !event.altKey && !event.shiftKey) return options.onFind;
  if (target instanceof HTMLTextAreaElement)
    return isCommand && key === "a" ? selectAllAfterText(target, selection) : null;
  const id = target.closest<HTMLElement>("li[data-line]")?.dataset.line;
  if (!target.matches(handleSelector) || id === undefined || options.isDragging()) return null;
  if (isCommand && key === "a") return selection.selectAll;
  if (isCommand && /^[zy]$/.test(key)) return event.shiftKey || key === "y" ? options.onRedo : options.onUndo;
  if (isCommand || event.altKey) return null;
  if (key === "escape" && selection.ids.get().size > 0) return selection.clear;
  if (key === "delete" || key === "backspace")
    return () => options.onRemove(selection.ids.get().has(id) ? selection.list() : [id]);
  if (key !== "arrowup" && key !== "arrowdown") return null;
  return () => {
    const { lines } = store.get();
    const next = lines[lines.findIndex((line) => line.id === id) + (key === "arrowup" ? -1 : 1)];
    if (event.shiftKey && !selection.ids.get().has(id)) selection.toggle(id);
    if (!next) return;
    handleOf(selection.rowOf(next.id))?.focus();
    if (event.shiftKey) selection.extendTo(next.id);
  };
}

/** The first Ctrl+A selects the text, the second one all lines. */
function selectAllAfterText({ selectionStart, selectionEnd, value }: HTMLTextAreaElement, selection: LineSelection) {
  return selectionStart === 0 && selectionEnd === value.length ? selection.selectAll : null;
}

const longPressMs = 500;
const longPressSlackPx = 10;

/** Calls `onLongPress` after a finger rested on a row outside of its text; the click that follows is not one. */
export function createLongPress(
  onLongPress: (id: string) => void,
  idOf: (target: EventTarget | null) => string | null,
) {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let from = { x: 0, y: 0 };
  let isClickTaken = false;
  const cancel = () => clearTimeout(timer);
  const onDown = (event: PointerEvent) => {
    isClickTaken = false;
    cancel();
    const id = idOf(event.target);
    if (event.pointerType !== "touch" || id === null || (event.target as Element).closest("textarea")) return;
    from = { x: event.clientX, y: event.clientY };
    timer = setTimeout(() => {
      isClickTaken = true;
      onLongPress(id);
      navigator.vibrate?.(10);
    }, longPressMs);
  };
  const onMove = ({ clientX, clientY }: PointerEvent) => {
    if (Math.hypot(clientX - from.x, clientY - from.y) > longPressSlackPx) cancel();
  };
  const onMenu = (event: Event) => isClickTaken && event.preventDefault();
  const events = [
    ["pointerdown", onDown],
    ["pointermove", onMove],
    ["pointerup", cancel],
    ["pointercancel", cancel],
    ["contextmenu", onMenu],
  ] as Array<[string, EventListener]>;
  return {
    takeClick() {
      const isTaken = isClickTaken;
      isClickTaken = false;
      return isTaken;
    },
    listen(element: HTMLElement) {
      for (const [name, listener] of events) element.addEventListener(name, listener);
    },
    end(element: HTMLElement) {
      cancel();
      for (const [name, listener] of events) element.removeEventListener(name, listener);
    },
  };
}
