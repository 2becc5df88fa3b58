import { type ClipboardEventHandler, type RefObject, Suspense, useEffect, useMemo, useRef, useState } from "react";
import { composerCopy } from "~/copy/clone";
import { useAccount } from "~/features/account/provider";
import { usePlayer } from "~/features/player/provider";
import { MarkedText, usePieceOpening } from "~/features/readings/marked-text";
import type { OpenPiece } from "~/features/readings/piece-popover";
import { toPieces } from "~/features/readings/pieces";
import { createPolyphoneStore, findPolyphones, usePolyphones } from "~/features/readings/polyphones";
import { notify } from "~/features/toasts/notify";
import { useHasCall } from "~/state/capabilities";
import { askToLogIn } from "~/state/dialog-requests";
import { lazyDialog } from "~/ui/lazy-part";
import type { Marked } from "~server/contract/marks";

const PiecePopover = lazyDialog(() => import("~/features/readings/piece-popover"));

const words = composerCopy.text;
const id = "clone-text";

interface MarkedFieldProps {
  content: string;
  error: string | undefined;
  field: RefObject<HTMLTextAreaElement>;
  /** Characters of one generation. */
  limit: number;
  roleId: string;
  onContent(content: string): void;
  /** A mark was chosen: the text with it, and where the caret goes. */
  onMarked(marked: Marked): void;
  onPaste: ClipboardEventHandler<HTMLTextAreaElement>;
}

/** The text with its marks drawn and its polyphones underlined, as a line of a script. */
export function MarkedField({ content, error, field, limit, roleId, onContent, onMarked, onPaste }: MarkedFieldProps) {
  const overlay = useRef<HTMLDivElement>(null);
  const hasReadings = useHasCall("readings");
  const { isLogin } = useAccount().account;
  const { play } = usePlayer();
  const batchMax = useRef(limit);
  batchMax.current = limit;
  const [polyphones] = useState(() =>
    createPolyphoneStore(hasReadings ? findPolyphones : async () => [], () => batchMax.current),
  );
  const found = usePolyphones(polyphones, content);
  const pieces = useMemo(() => toPieces(content, found), [content, found]);
  const [open, setOpen] = useState<OpenPiece | null>(null);
  const opening = usePieceOpening(pieces, overlay, setOpen);
  // Until the scripts run the field shows what is typed itself.
  const [isDrawn, setDrawn] = useState(false);
  useEffect(() => setDrawn(true), []);
  return (
    <>
      <div
        className={`grid max-h-[22rem] min-h-[9.5rem] cursor-text overflow-y-auto rounded border px-3.5 py-2.5 focus-within:outline focus-within:outline-2 focus-within:outline-offset-2 focus-within:outline-seal ${error ? "border-seal" : "border-edge"}`}
        translate="no"
      >
        {isDrawn && <MarkedText overlayRef={overlay} pieces={pieces} placeholder={words.placeholder} />}
        <textarea
          aria-describedby={error ? `${id}-error` : undefined}
          aria-invalid={error ? true : undefined}
          aria-label={words.label}
          aria-placeholder={words.placeholder}
          className={`script-text block w-full ${isDrawn ? "" : "!text-ink placeholder:text-muted"}`}
          id={id}
          onChange={(event) => onContent(event.target.value)}
          onClick={opening.onClick}
          onKeyDown={(event) => {
            if (!event.altKey || event.key !== "Enter") return;
            event.preventDefault();
            opening.openAt(event.currentTarget.selectionStart);
          }}
          onPaste={onPaste}
          onPointerDown={opening.onPointerDown}
          placeholder={isDrawn ? undefined : words.placeholder}
          ref={field}
          spellCheck={false}
          value={content}
        />
      </div>
      {error && (
        <p className="mt-1.5 text-xs text-seal" id={`${id}-error`}>
          {error}
        </p>
      )}
      {open && (
        <Suspense>
          <PiecePopover
            content={content}
            isLoggedIn={isLogin}
            notify={notify}
            onClose={() => setOpen(null)}
            onContent={(marked, caret) => onMarked({ content: marked, caret })}
            onLogIn={() => askToLogIn("asked")}
            open={open}
            play={play}
            polyphones={polyphones}
            roleId={roleId}
          />
        </Suspense>
      )}
    </>
  );
}
