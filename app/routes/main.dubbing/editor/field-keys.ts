import type { KeyboardEvent } from "react";
import { markBeside } from "./pieces";
import { isAtEdge } from "./places";

/** What a line's field asks of the script around it. */
export interface FieldActions {
  onText(content: string, caret: number): void;
  onSplit(content: string, at: number): void;
  /** `side`: which neighbour the line is joined to. */
  onMerge(side: "before" | "behind"): void;
  onUndo(): void;
  onRedo(): void;
  /** The caret leaves the line. */
  onLeave(to: "before" | "behind"): void;
  onPiece(caret: number): void;
}

type Key = KeyboardEvent<HTMLTextAreaElement>;

/** Keys that mean the script and not the field; while a character is being composed they mean neither. */
export function handleKey(event: Key, overlay: HTMLElement | null, actions: FieldActions): void {
  if (event.nativeEvent.isComposing || event.keyCode === 229) return;
  const act = meaningOf(event, overlay, actions);
  if (!act) return;
  event.preventDefault();
  act();
}

/** What a key does to the script; null where it is the field's own. */
function meaningOf(event: Key, overlay: HTMLElement | null, actions: FieldActions): (() => void) | null {
  const { selectionStart: from, selectionEnd: to, value } = event.currentTarget;
  const { key, shiftKey, altKey } = event;
  const command = event.ctrlKey || event.metaKey;
  if (command && /^[zy]$/i.test(key)) return shiftKey || /y/i.test(key) ? actions.onRedo : actions.onUndo;
  if (altKey && key === "Enter") return () => actions.onPiece(from);
  if (command || altKey) return null;
  if (key === "Enter") return () => actions.onSplit(value.slice(0, from) + value.slice(to), from);
  if (from !== to || shiftKey) return null;
  switch (key) {
    case "Backspace":
      return from === 0 ? () => actions.onMerge("before") : deletion(value, from, "before", actions);
    case "Delete":
      return from === value.length ? () => actions.onMerge("behind") : deletion(value, from, "behind", actions);
    case "ArrowLeft":
      return step(event.currentTarget, "before");
    case "ArrowRight":
      return step(event.currentTarget, "behind");
    case "ArrowUp":
      return overlay && isAtEdge(overlay, from, "first") ? () => actions.onLeave("before") : null;
    case "ArrowDown":
      return overlay && isAtEdge(overlay, from, "last") ? () => actions.onLeave("behind") : null;
    default:
      return null;
  }
}

/** A mark goes as a whole. */
function deletion(value: string, caret: number, side: "before" | "behind", { onText }: FieldActions) {
  const mark = markBeside(value, caret, side);
  return mark && (() => onText(value.slice(0, mark.from) + value.slice(mark.to), mark.from));
}

/** The caret steps over a mark as over one character. */
function step(field: HTMLTextAreaElement, side: "before" | "behind") {
  const mark = markBeside(field.value, field.selectionStart, side);
  const at = side === "before" ? mark?.from : mark?.to;
  return at === undefined ? null : () => field.setSelectionRange(at, at);
}
