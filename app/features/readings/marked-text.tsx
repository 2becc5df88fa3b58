import { type MouseEvent, memo, type PointerEvent, type RefObject, useRef } from "react";
import { emphasisCopy, formatPinyin, readingCopy } from "~/copy/generation";
import type { OpenPiece } from "./piece-popover";
import type { Piece } from "./pieces";

type FieldPress<Event> = Event & { currentTarget: HTMLTextAreaElement };

/**
 * Opens marks and polyphones of a field under a `MarkedText`. A pause opens at a click; an underlined character at a
 * second one, because the first sets the caret; any other polyphone at a double click.
 */
export function usePieceOpening(
  pieces: readonly Piece[],
  overlay: RefObject<HTMLDivElement>,
  onOpen: (open: OpenPiece) => void,
) {
  /** Where the caret was before the press; null without the focus. */
  const caretBefore = useRef<number | null>(null);
  const find = (selector: string) => overlay.current?.querySelectorAll(selector) ?? [];
  return {
    /** For the keyboard. */
    openAt(caret: number) {
      const marked = pieces.filter((piece) => piece.kind !== "text");
      const piece =
        marked.find(({ offset, raw }) => caret > offset && caret <= offset + raw.length) ??
        marked.find(({ offset }) => caret === offset);
      const rect = piece && find(`[data-offset="${piece.offset}"]`)[0]?.getBoundingClientRect();
      if (piece && rect) onOpen({ offset: piece.offset, rect });
    },
    onPointerDown({ currentTarget }: FieldPress<PointerEvent>) {
      const { selectionStart, selectionEnd } = currentTarget;
      const isCaret = document.activeElement === currentTarget && selectionStart === selectionEnd;
      caretBefore.current = isCaret ? selectionStart : null;
    },
    onClick({ currentTarget, clientX, clientY, detail }: FieldPress<MouseEvent>) {
      const isDouble = detail > 1;
      if (!isDouble && currentTarget.selectionStart !== currentTarget.selectionEnd) return;
      const open = findPieceAt(
        find(isDouble ? "[data-offset]" : "[data-offset]:not([data-certain])"),
        clientX,
        clientY,
      );
      const piece = pieces.find(({ offset }) => offset === open?.offset);
      if (!open || !piece) return;
      const caret = caretBefore.current ?? -1;
      const wasThere = caret >= piece.offset && caret <= piece.offset + piece.raw.length;
      if (isDouble || piece.kind === "pause" || wasThere) onOpen(open);
    },
  };
}

/** The mark or polyphone rendered at a point of the viewport. */
function findPieceAt(pieces: Iterable<Element>, x: number, y: number): OpenPiece | null {
  for (const element of pieces) {
    for (const rect of element.getClientRects()) {
      if (x >= rect.left - 1 && x <= rect.right + 1 && y >= rect.top - 2 && y <= rect.bottom + 4)
        return { offset: Number(element.getAttribute("data-offset")), rect };
    }
  }
  return null;
}

interface MarkedTextProps {
  pieces: readonly Piece[];
  placeholder: string;
  /** What is being spoken now. */
  spoken?: { offset: number; length: number } | null;
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

/**
 * A text with its marks drawn and its polyphones underlined, for the place over a plain field. Every raw character keeps
 * its width, so that the field's caret is at the right position.
 */
export const MarkedText = memo(function MarkedText({
  pieces,
  placeholder,
  spoken = null,
  overlayRef,
}: MarkedTextProps) {
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
        {readingCopy.pauseChip(seconds)}
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
