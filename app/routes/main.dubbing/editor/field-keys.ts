import type { KeyboardEvent } from "react";
import { emphasisMarks } from "~server/contract/marks";
import { findMarkAt, withoutMark } from "./pieces";
import type { LineActions, Side } from "./use-line-actions";

type Key = KeyboardEvent<HTMLTextAreaElement>;

interface FieldContext {
  lineId: string;
  /** The rendered text over the field. */
  overlay: HTMLElement | null;
  actions: LineActions;
  onOpenPiece(caret: number): void;
}

/** Handles the keys that act on the script instead of the field. Ignores keys of an input method's composition. */
export function handleKey(event: Key, context: FieldContext): void {
  if (event.nativeEvent.isComposing || event.keyCode === 229) return;
  const action = findAction(event, context);
  if (!action) return;
  event.preventDefault();
  action();
}

/** The key's action on the script; null if the field handles the key itself. */
function findAction(event: Key, { lineId, overlay, actions, onOpenPiece }: FieldContext): (() => void) | null {
  const { selectionStart: from, selectionEnd: to, value } = event.currentTarget;
  const { key, shiftKey, altKey } = event;
  const isCommand = event.ctrlKey || event.metaKey;
  if (isCommand && /^[zy]$/i.test(key)) return shiftKey || /y/i.test(key) ? actions.onRedo : actions.onUndo;
  if (isCommand && /^b$/i.test(key)) return () => actions.onEmphasis(lineId);
  if (altKey && key === "Enter") return () => onOpenPiece(from);
  if (isCommand || altKey) return null;
  if (key === "Enter") return () => actions.onSplit(lineId, value.slice(0, from) + value.slice(to), from);
  if (from !== to || shiftKey) return null;
  const deleteMark = (side: Side) => {
    const mark = findMarkAt(value, from, side);
    if (!mark) return null;
    const rest = withoutMark(value, mark);
    // If the start mark of an emphasis is deleted too, the caret moves with the text.
    const earlier = rest.startsWith(value.slice(0, mark.from)) ? 0 : emphasisMarks.start.length;
    return () => actions.onText(lineId, rest, mark.from - earlier);
  };
  switch (key) {
    case "Backspace":
      return from === 0 ? () => actions.onMerge(lineId, "before") : deleteMark("before");
    case "Delete":
      return from === value.length ? () => actions.onMerge(lineId, "after") : deleteMark("after");
    case "ArrowLeft":
      return skipMark(event.currentTarget, "before");
    case "ArrowRight":
      return skipMark(event.currentTarget, "after");
    case "ArrowUp":
      return overlay && isOnEdgeRow(overlay, from, "first") ? () => actions.onLeave(lineId, "before") : null;
    case "ArrowDown":
      return overlay && isOnEdgeRow(overlay, from, "last") ? () => actions.onLeave(lineId, "after") : null;
    default:
      return null;
  }
}

function skipMark(field: HTMLTextAreaElement, side: Side) {
  const mark = findMarkAt(field.value, field.selectionStart, side);
  const at = side === "before" ? mark?.from : mark?.to;
  return at === undefined ? null : () => field.setSelectionRange(at, at);
}

/** Whether the caret is in the first or the last row of the rendered text. */
function isOnEdgeRow(overlay: HTMLElement, caret: number, edge: "first" | "last"): boolean {
  const top = findRowTop(overlay, caret);
  if (top === null) return true;
  const bounds = overlay.getBoundingClientRect();
  const rowHeight = Number.parseFloat(getComputedStyle(overlay).lineHeight) || 30;
  return edge === "first" ? top - bounds.top < rowHeight * 0.9 : bounds.bottom - top < rowHeight * 1.3;
}

function findRowTop(overlay: HTMLElement, caret: number): number | null {
  const place = findTextPlace(overlay, caret);
  if (!place) return null;
  const range = document.createRange();
  range.setStart(place.node, place.offset);
  range.collapse(true);
  return (range.getClientRects()[0] ?? range.getBoundingClientRect()).top;
}

/** Position of a content offset in the rendered text, whose labels are not part of the content. */
export function findTextPlace(overlay: HTMLElement, at: number): { node: Node; offset: number } | null {
  const walker = document.createTreeWalker(overlay, NodeFilter.SHOW_TEXT, (node) =>
    node.parentElement?.closest("[data-label]") ? NodeFilter.FILTER_REJECT : NodeFilter.FILTER_ACCEPT,
  );
  let remaining = at;
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const { length } = node.textContent ?? "";
    if (remaining <= length) return { node, offset: remaining };
    remaining -= length;
  }
  return null;
}
