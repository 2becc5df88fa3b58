import { type ClipboardEvent, type ReactNode, useState } from "react";
import { flushSync } from "react-dom";
import { pastedCopy } from "~/copy/generation";
import { toSpokenText } from "./to-spoken-text";

interface PastedText {
  field: HTMLTextAreaElement;
  start: number;
  raw: string;
  spoken: string;
}

/** Pastes into a field what is to be spoken; `note` says so and offers the text as it was, until it is edited. */
export function usePastedText(value: string, onText: (text: string) => void) {
  const [pasted, setPasted] = useState<PastedText | null>(null);
  const isUnchanged =
    pasted !== null && value.slice(pasted.start, pasted.start + pasted.spoken.length) === pasted.spoken;
  return {
    onPaste(event: ClipboardEvent<HTMLTextAreaElement>) {
      const raw = event.clipboardData.getData("text/plain");
      const spoken = toSpokenText(raw);
      if (spoken === raw) return setPasted(null);
      event.preventDefault();
      const field = event.currentTarget;
      setPasted({ field, start: field.selectionStart, raw, spoken });
      insertText(field, spoken, onText);
    },
    note: isUnchanged && (
      <PastedNote
        onAsIs={() => {
          const { field, start, raw, spoken } = pasted;
          setPasted(null);
          field.focus();
          field.setSelectionRange(start, start + spoken.length);
          insertText(field, raw, onText);
        }}
      />
    ),
  };
}

/** Like keyboard input, so that undo works; calls `onText` if the browser does not support it. */
function insertText(field: HTMLTextAreaElement, text: string, onText: (text: string) => void) {
  const { value, selectionStart, selectionEnd } = field;
  const next = value.slice(0, selectionStart) + text.replace(/\r\n?/g, "\n") + value.slice(selectionEnd);
  if (!document.execCommand("insertText", false, text) || field.value !== next) flushSync(() => onText(next));
}

function PastedNote({ onAsIs }: { onAsIs(): void }): ReactNode {
  return (
    <p className="flex flex-wrap items-center gap-x-2 text-xs text-muted" role="status">
      {pastedCopy.tidied}
      <button
        aria-label={pastedCopy.asIsHint}
        className="min-h-[44px] px-1 text-gold underline underline-offset-4"
        onClick={onAsIs}
        type="button"
      >
        {pastedCopy.asIs}
      </button>
    </p>
  );
}
