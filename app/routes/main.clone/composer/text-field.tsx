import { type RefObject, useRef } from "react";
import { flushSync } from "react-dom";
import { composerCopy } from "~/copy/clone";
import { emphasisCopy, formatPause, pauseSeconds, unreadSentence } from "~/copy/generation";
import { usePastedText } from "~/features/pasted/pasted-text";
import { notify } from "~/features/toasts/notify";
import { Button, buttonClass } from "~/ui/button";
import { VisuallyHidden } from "~/ui/feedback";
import { ToolIcon } from "~/ui/icons/tool-icon";
import { Menu } from "~/ui/menu";
import {
  countCharacters,
  findUnreadLetters,
  hasReadableText,
  type Marked,
  parseMarks,
  type Selection,
  withEmphasis,
} from "~server/contract/marks";
import { MarkedField } from "./marked-field";

const words = composerCopy.text;

interface TextFieldProps {
  content: string;
  limit: number;
  problem: string | undefined;
  field: RefObject<HTMLTextAreaElement>;
  /** Speaks the samples of readings; "" without a role. */
  roleId: string;
  onContent(content: string): void;
  /** Opens the packages with a higher limit; null if there is none. */
  onUpgrade: (() => void) | null;
}

/** The text with the marks menu and a character count. */
export function TextField({ content, limit, problem, field, roleId, onContent, onUpgrade }: TextFieldProps) {
  const used = countCharacters(content);
  const excess = used - limit;
  const unread = findUnreadLetters(content);
  const { onPaste, note } = usePastedText(content, onContent);
  return (
    <>
      {note}
      <MarkedField
        content={content}
        error={excess > 0 ? words.over(excess, limit) : problem}
        field={field}
        limit={limit}
        onContent={onContent}
        onMarked={(marked) => field.current && applyMark(field.current, marked, onContent)}
        onPaste={onPaste}
        roleId={roleId}
      />
      {unread.length > 0 && (
        <p className="mt-1.5 text-xs text-seal">{unreadSentence(unread, hasReadableText(content))}</p>
      )}
      <div className="mt-2 flex flex-wrap items-center gap-x-3 gap-y-1">
        <PauseMenu field={field} onContent={onContent} />
        <EmphasisButton field={field} onContent={onContent} />
        {excess > 0 && onUpgrade && (
          <button
            className="min-h-[44px] text-xs text-gold underline underline-offset-4"
            onClick={onUpgrade}
            type="button"
          >
            {words.longer}
          </button>
        )}
        <span className={`tabular ml-auto text-xs ${excess > 0 ? "font-semibold text-seal" : "text-muted"}`}>
          <span aria-hidden="true" translate="no">
            {words.count(used, limit)}
          </span>
          <VisuallyHidden>{words.countAnnouncement(used, limit)}</VisuallyHidden>
        </span>
      </div>
    </>
  );
}

/** Inserts a pause at the end of the selection, or after the mark that contains it. */
export function withPause(content: string, { end }: Selection, seconds: number): Marked {
  const inside = parseMarks(content).find(
    ({ kind, offset, length }) => kind !== "text" && offset < end && end < offset + length,
  );
  const at = inside ? inside.offset + inside.length : end;
  const mark = `#${seconds}#`;
  return { content: content.slice(0, at) + mark + content.slice(at), caret: at + mark.length };
}

interface FieldMarksProps {
  field: RefObject<HTMLTextAreaElement>;
  onContent(content: string): void;
}

/** Sets or removes the emphasis of the selected characters. */
function EmphasisButton({ field, onContent }: FieldMarksProps) {
  const emphasise = () => {
    const { current } = field;
    if (!current) return;
    const marked = withEmphasis(current.value, { start: current.selectionStart, end: current.selectionEnd });
    if (marked) applyMark(current, marked, onContent);
    else notify({ kind: "info", text: emphasisCopy.chooseFirst });
  };
  return (
    <Button onClick={emphasise} title={emphasisCopy.hint}>
      {emphasisCopy.action}
    </Button>
  );
}

/** Inserts a pause at the caret. */
function PauseMenu({ field, onContent }: FieldMarksProps) {
  const chosen = useRef<number | null>(null);
  return (
    <Menu
      align="start"
      className={buttonClass()}
      heading={composerCopy.pauseHint}
      items={() =>
        pauseSeconds.map((seconds) => ({
          label: formatPause(seconds),
          onSelect() {
            chosen.current = seconds;
          },
        }))
      }
      onClosed={(event) => {
        const { current } = field;
        const seconds = chosen.current;
        chosen.current = null;
        if (seconds === null || !current) return;
        event.preventDefault();
        const selection = { start: current.selectionStart, end: current.selectionEnd };
        applyMark(current, withPause(current.value, selection, seconds), onContent);
      }}
    >
      {composerCopy.pause}
      <ToolIcon name="down" size={14} />
    </Menu>
  );
}

/** Edits the field like keyboard input, so that undo works; calls `onContent` if the browser does not support it. */
function applyMark(field: HTMLTextAreaElement, { content, caret }: Marked, onContent: (content: string) => void) {
  const before = field.value;
  const shorter = Math.min(before.length, content.length);
  let start = 0;
  while (start < shorter && before[start] === content[start]) start++;
  let sameAtEnd = 0;
  while (sameAtEnd < shorter - start && before.at(-1 - sameAtEnd) === content.at(-1 - sameAtEnd)) sameAtEnd++;
  field.focus();
  field.setSelectionRange(start, before.length - sameAtEnd);
  const text = content.slice(start, content.length - sameAtEnd);
  const isDone = text ? document.execCommand("insertText", false, text) : document.execCommand("delete");
  if (!isDone || field.value !== content) flushSync(() => onContent(content));
  // At once: a frame later the next key may have moved the caret already.
  field.setSelectionRange(caret, caret);
}
