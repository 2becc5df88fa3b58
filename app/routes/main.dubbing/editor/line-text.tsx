import { type MouseEvent, memo, useMemo, useRef } from "react";
import { type FieldActions, handleKey } from "./field-keys";
import { Overlay } from "./overlay";
import { toPieces } from "./pieces";
import { pieceAt, pieceRect } from "./places";
import { type PolyphoneStore, usePolyphones } from "./polyphones";
import type { ReadAlong } from "./read-along";
import "./script-text.css";

interface LineTextProps extends Omit<FieldActions, "onPiece"> {
  lineId: string;
  label: string;
  content: string;
  placeholder: string;
  polyphones: PolyphoneStore;
  along: ReadAlong;
  fieldRef(field: HTMLTextAreaElement | null): void;
  /** The caret moved, or the field got the focus. */
  onCaret(at: number): void;
  /** Text of several rows was pasted; true when it was taken care of. */
  onPasteRows(text: string, from: number, to: number): boolean;
  /** A mark or an underlined character was tapped. */
  onPiece(offset: number, rect: DOMRect): void;
}

/** One line's words: a plain field, so that every input method works, with its look drawn over it. */
export const LineText = memo(function LineText(props: LineTextProps) {
  const { lineId, label, content, placeholder, polyphones, along, fieldRef, onCaret, onPasteRows, onPiece } = props;
  const overlay = useRef<HTMLDivElement>(null);
  const found = usePolyphones(polyphones, content);
  const pieces = useMemo(() => toPieces(content, found), [content, found]);

  const openAt = (caret: number) => {
    const near = pieces.filter((piece) => piece.kind !== "text");
    const piece =
      near.find(({ offset, raw }) => caret > offset && caret <= offset + raw.length) ??
      near.find(({ offset }) => caret === offset);
    const rect = piece && overlay.current && pieceRect(overlay.current, piece.offset);
    if (piece && rect) onPiece(piece.offset, rect);
  };
  const tap = (event: MouseEvent<HTMLTextAreaElement>) => {
    const { selectionStart, selectionEnd } = event.currentTarget;
    if (selectionStart !== selectionEnd || !overlay.current) return;
    const piece = pieceAt(overlay.current, event.clientX, event.clientY);
    if (piece) onPiece(piece.offset, piece.rect);
  };
  return (
    <div className="grid cursor-text">
      <Overlay along={along} lineId={lineId} overlayRef={overlay} pieces={pieces} placeholder={placeholder} />
      <textarea
        aria-label={label}
        autoCapitalize="off"
        autoComplete="off"
        className="script-text block w-full rounded-sm focus-visible:outline-none"
        enterKeyHint="enter"
        onBlur={(event) => onCaret(event.target.selectionStart)}
        onChange={(event) => props.onText(event.target.value, event.target.selectionStart)}
        onClick={tap}
        onFocus={(event) => onCaret(event.target.selectionStart)}
        onKeyDown={(event) => handleKey(event, overlay.current, { ...props, onPiece: openAt })}
        onPaste={(event) => {
          const text = event.clipboardData.getData("text/plain");
          const { selectionStart, selectionEnd } = event.currentTarget;
          if (onPasteRows(text, selectionStart, selectionEnd)) event.preventDefault();
        }}
        onSelect={(event) => onCaret(event.currentTarget.selectionStart)}
        ref={fieldRef}
        rows={1}
        spellCheck={false}
        value={content}
      />
    </div>
  );
});
