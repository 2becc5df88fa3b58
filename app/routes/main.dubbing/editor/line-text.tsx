import { type MouseEvent, memo, type RefObject, useCallback, useMemo, useRef } from "react";
import { editorCopy } from "~/copy/dubbing";
import { emphasisCopy, formatPinyin } from "~/copy/generation";
import { handleKey } from "./field-keys";
import { type Piece, toPieces } from "./pieces";
import { usePolyphones } from "./polyphones";
import { type ReadAlong, useSpokenRange } from "./read-along";
import type { EditorStores, LineActions } from "./use-line-actions";

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

  const openPieceAt = (caret: number) => {
    const marked = pieces.filter((piece) => piece.kind !== "text");
    const piece =
      marked.find(({ offset, raw }) => caret > offset && caret <= offset + raw.length) ??
      marked.find(({ offset }) => caret === offset);
    const rect = piece && overlay.current?.querySelector(`[data-offset="${piece.offset}"]`)?.getBoundingClientRect();
    if (piece && rect) actions.onPiece(lineId, piece.offset, rect);
  };
  const openPieceUnder = ({ clientX, clientY }: MouseEvent, selector: string) => {
    const piece = overlay.current && findPieceAt(overlay.current.querySelectorAll(selector), clientX, clientY);
    if (piece) actions.onPiece(lineId, piece.offset, piece.rect);
  };
  const openTappedPiece = (event: MouseEvent<HTMLTextAreaElement>) => {
    const { selectionStart, selectionEnd } = event.currentTarget;
    if (selectionStart === selectionEnd) openPieceUnder(event, shownPieces);
  };
  return (
    <div className="grid cursor-text" translate="no">
      <Overlay
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
        onClick={openTappedPiece}
        onDoubleClick={(event) => openPieceUnder(event, certainPieces)}
        onFocus={(event) => actions.onCaret(lineId, event.target.selectionStart)}
        onKeyDown={(event) => handleKey(event, { lineId, overlay: overlay.current, actions, onOpenPiece: openPieceAt })}
        onPaste={(event) => {
          const text = event.clipboardData.getData("text/plain");
          const { selectionStart, selectionEnd } = event.currentTarget;
          if (actions.onPasteRows(lineId, text, selectionStart, selectionEnd)) event.preventDefault();
        }}
        onSelect={(event) => actions.onCaret(lineId, event.currentTarget.selectionStart)}
        ref={fieldRef}
        rows={1}
        spellCheck={false}
        value={content}
      />
    </div>
  );
});

/** Marks and underlined polyphones open at a click, other polyphones at a double click. */
const shownPieces = "[data-offset]:not([data-certain])";
const certainPieces = "[data-certain]";

/** The mark or polyphone rendered at a point of the viewport. */
function findPieceAt(pieces: Iterable<Element>, x: number, y: number): { offset: number; rect: DOMRect } | null {
  for (const element of pieces) {
    for (const rect of element.getClientRects()) {
      if (x >= rect.left - 1 && x <= rect.right + 1 && y >= rect.top - 2 && y <= rect.bottom + 4)
        return { offset: Number(element.getAttribute("data-offset")), rect };
    }
  }
  return null;
}

interface OverlayProps {
  pieces: readonly Piece[];
  placeholder: string;
  readAlong: ReadAlong;
  lineId: string;
  overlayRef: RefObject<HTMLDivElement>;
}

type SpokenState = "none" | "spoken" | "current" | "upcoming";
const spokenClass: Record<SpokenState, string> = {
  none: "",
  spoken: "text-celadon",
  current: "rounded-sm bg-[color-mix(in_srgb,var(--celadon)_22%,transparent)] text-ink",
  upcoming: "",
};

const unsureClass = "underline decoration-seal decoration-dotted decoration-2 underline-offset-[6px]";

/** The line as displayed. Every raw character keeps its width, so that the field's caret is at the right position. */
const Overlay = memo(function Overlay({ pieces, placeholder, readAlong, lineId, overlayRef }: OverlayProps) {
  const spoken = useSpokenRange(readAlong, lineId);
  const stateAt = (offset: number): SpokenState => {
    if (!spoken) return "none";
    if (offset < spoken.offset) return "spoken";
    return offset < spoken.offset + spoken.length ? "current" : "upcoming";
  };
  return (
    <div aria-hidden="true" className="script-text pointer-events-none select-none" ref={overlayRef}>
      {pieces.length === 0 && <span className="text-muted">{placeholder}</span>}
      {pieces.map((piece) => {
        const key = `${piece.kind}-${piece.offset}`;
        if (piece.kind === "pause") return <PauseChip key={key} piece={piece} />;
        if (piece.kind === "emphasis") return <EmphasisChip key={key} piece={piece} />;
        const className = spokenClass[stateAt(piece.offset)];
        if (piece.kind === "reading") return <Reading className={className} key={key} piece={piece} />;
        if (piece.kind === "text") return spoken ? <SpokenText key={key} piece={piece} stateAt={stateAt} /> : piece.raw;
        const isCertain = piece.polyphone.isUnsure === false;
        return (
          <span
            className={isCertain ? className : `${unsureClass} ${className}`}
            data-certain={isCertain || undefined}
            data-offset={piece.offset}
            key={key}
          >
            {piece.raw}
          </span>
        );
      })}
      {"\u200b"}
    </div>
  );
});

/** One span per state, not per character: three at most. */
function SpokenText({ piece: { raw, offset }, stateAt }: { piece: Piece; stateAt(offset: number): SpokenState }) {
  const runs: Array<{ state: SpokenState; text: string; at: number }> = [];
  for (let at = 0; at < raw.length; at++) {
    const state = stateAt(offset + at);
    const last = runs[runs.length - 1];
    if (last?.state === state) last.text += raw[at];
    else runs.push({ state, text: raw[at] ?? "", at });
  }
  return (
    <>
      {runs.map(({ state, text, at }) => (
        <span className={spokenClass[state]} key={at}>
          {text}
        </span>
      ))}
    </>
  );
}

function PauseChip({ piece: { raw, offset, seconds } }: { piece: Extract<Piece, { kind: "pause" }> }) {
  return (
    <span className="relative rounded-full bg-wash text-transparent" data-offset={offset}>
      {raw}
      <span
        className="absolute inset-0 grid place-items-center whitespace-nowrap text-tab leading-none text-muted"
        data-label
      >
        {editorCopy.pauseChip(seconds)}
      </span>
    </span>
  );
}

/** A row may end inside the mark, so the label hangs on its first character. */
function EmphasisChip({ piece: { raw, edge } }: { piece: Extract<Piece, { kind: "emphasis" }> }) {
  return (
    <span className="rounded-full bg-wash text-transparent">
      <span className="relative">
        {raw.slice(0, 1)}
        <span
          className="absolute inset-y-0 left-2 grid items-center whitespace-nowrap text-tab leading-none text-seal"
          data-label
        >
          {emphasisCopy.chips[edge]}
        </span>
      </span>
      {raw.slice(1)}
    </span>
  );
}

function Reading({ piece, className }: { piece: Extract<Piece, { kind: "reading" }>; className: string }) {
  const { raw, char, pinyin, offset } = piece;
  return (
    <span data-offset={offset}>
      <span className={`underline decoration-celadon decoration-2 underline-offset-[6px] ${className}`}>{char}</span>
      <span className="relative text-transparent">
        {raw.slice(char.length)}
        <span
          className="absolute inset-x-0 inset-y-0 m-auto grid h-5 place-items-center rounded-full bg-wash text-tab leading-none text-celadon"
          data-label
        >
          {formatPinyin(pinyin)}
        </span>
      </span>
    </span>
  );
}
