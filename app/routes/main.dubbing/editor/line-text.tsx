import { type ComponentProps, type KeyboardEvent, memo, useCallback, useMemo, useRef } from "react";
import { findTextPlace, MarkedText, usePieceOpening } from "~/features/readings/marked-text";
import { findMarkAt, toPieces, withoutMark } from "~/features/readings/pieces";
import { usePolyphones } from "~/features/readings/polyphones";
import { emphasisMarks } from "~server/contract/marks";
import { type ReadAlong, useSpokenRange } from "./read-along";
import type { EditorStores, LineActions, Side } from "./use-line-actions";

interface LineTextProps {
  lineId: string;
  label: string;
  content: string;
  placeholder: string;
  editor: EditorStores;
  actions: LineActions;
}

/** A line's text: a plain field, so that every input method works, under an overlay that renders its marks. */
export const LineText = memo(function LineText(props: LineTextProps) {
  const { lineId, label, content, placeholder, editor, actions } = props;
  const overlay = useRef<HTMLDivElement>(null);
  const fieldRef = useCallback(
    (field: HTMLTextAreaElement | null) => actions.onField(lineId, field),
    [actions, lineId],
  );
  const polyphones = usePolyphones(editor.polyphones, content);
  const pieces = useMemo(() => toPieces(content, polyphones), [content, polyphones]);

  const opening = usePieceOpening(pieces, overlay, ({ offset, rect }) => actions.onPiece(lineId, offset, rect));
  return (
    <div className="grid cursor-text" translate="no">
      <SpokenText
        lineId={lineId}
        overlayRef={overlay}
        pieces={pieces}
        placeholder={placeholder}
        readAlong={editor.readAlong}
      />
      <textarea
        aria-label={label}
        autoCapitalize="off"
        autoComplete="off"
        className="script-text block w-full rounded-sm focus-visible:outline-none"
        enterKeyHint="enter"
        onBlur={(event) => actions.onCaret(lineId, event.target.selectionStart)}
        onChange={(event) => actions.onText(lineId, event.target.value, event.target.selectionStart)}
        onClick={opening.onClick}
        onFocus={(event) => actions.onCaret(lineId, event.target.selectionStart)}
        onKeyDown={(event) =>
          handleKey(event, { lineId, overlay: overlay.current, actions, onOpenPiece: opening.openAt })
        }
        onPaste={(event) => {
          const text = event.clipboardData.getData("text/plain");
          const { selectionStart, selectionEnd } = event.currentTarget;
          if (actions.onPasteRows(lineId, text, selectionStart, selectionEnd)) event.preventDefault();
        }}
        onPointerDown={opening.onPointerDown}
        onSelect={(event) => actions.onCaret(lineId, event.currentTarget.selectionStart)}
        ref={fieldRef}
        rows={1}
        spellCheck={false}
        value={content}
      />
    </div>
  );
});

interface SpokenTextProps extends Omit<ComponentProps<typeof MarkedText>, "spoken"> {
  readAlong: ReadAlong;
  lineId: string;
}

/** Apart, so that the field does not render with every spoken word. */
function SpokenText({ readAlong, lineId, ...rest }: SpokenTextProps) {
  return <MarkedText spoken={useSpokenRange(readAlong, lineId)} {...rest} />;
}

type Key = KeyboardEvent<HTMLTextAreaElement>;

interface FieldContext {
  lineId: string;
  /** The rendered text over the field. */
  overlay: HTMLElement | null;
  actions: LineActions;
  onOpenPiece(caret: number): void;
}

/** Handles the keys that act on the script instead of the field. Ignores keys of an input method's composition. */
function handleKey(event: Key, context: FieldContext): void {
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
