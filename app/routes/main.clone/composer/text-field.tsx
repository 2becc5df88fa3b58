import { type RefObject, useRef, useState } from "react";
import { flushSync } from "react-dom";
import { callApi } from "~/call";
import { composerCopy } from "~/copy/clone";
import { emphasisCopy, unreadSentence } from "~/copy/generation";
import { usePastedText } from "~/features/pasted/pasted-text";
import { notify } from "~/features/toasts/notify";
import { useHasCall } from "~/offer";
import { Button, buttonClass } from "~/ui/button";
import { VisuallyHidden } from "~/ui/feedback";
import { Field } from "~/ui/fields";
import { Icon } from "~/ui/icons/icon";
import { DialogFailure, lazyPart } from "~/ui/lazy-part";
import { MenuButton } from "~/ui/menu";
import {
  type Character,
  countCharacters,
  findCharacter,
  findUnreadLetters,
  hasReadableText,
  type Marked,
  parseMarks,
  type Selection,
  withEmphasis,
} from "~server/contract/marks";
import type { Readings } from "./marks-panel";

const words = composerCopy.text;

interface TextFieldProps {
  content: string;
  limit: number;
  problem: string | undefined;
  field: RefObject<HTMLTextAreaElement>;
  onContent(content: string): void;
  /** Opens the packages with a higher limit; null if there is none. */
  onUpgrade: (() => void) | null;
}

/** The text with the marks menu and a character count. */
export function TextField({ content, limit, problem, field, onContent, onUpgrade }: TextFieldProps) {
  const used = countCharacters(content);
  const excess = used - limit;
  const unread = findUnreadLetters(content);
  const { onPaste, note } = usePastedText(content, onContent);
  return (
    <>
      {note}
      <Field
        className="max-h-[22rem] min-h-[9.5rem] leading-7 [field-sizing:content]"
        error={excess > 0 ? words.over(excess, limit) : problem}
        id="clone-text"
        inputRef={field}
        label={words.label}
        onChange={(event) => onContent(event.target.value)}
        onPaste={onPaste}
        placeholder={words.placeholder}
        rows={6}
        value={content}
      />
      {unread.length > 0 && (
        <p className="mt-1.5 text-xs text-seal">{unreadSentence(unread, hasReadableText(content))}</p>
      )}
      <div className="mt-2 flex flex-wrap items-center gap-x-3 gap-y-1">
        <MarksMenu field={field} onContent={onContent} />
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

/** Sets the reading of a character; "" removes it. */
export function withReading(content: string, { char, offset, length }: Character, pinyin: string): Marked {
  const mark = pinyin ? `${char}(${pinyin})` : char;
  return { content: content.slice(0, offset) + mark + content.slice(offset + length), caret: offset + mark.length };
}

const marksWords = composerCopy.marks;

interface MarksMenuProps {
  field: RefObject<HTMLTextAreaElement>;
  onContent(content: string): void;
}

const MarksPanel = lazyPart(
  () => import("./marks-panel"),
  ({ menu }, failure) => <DialogFailure failure={failure} onClose={menu.onClose} />,
);

/** Sets or removes the emphasis of the selected characters. */
function EmphasisButton({ field, onContent }: MarksMenuProps) {
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

/** Inserts pauses and sets the reading of the selected character. */
function MarksMenu({ field, onContent }: MarksMenuProps) {
  const selection = useRef<Selection>({ start: 0, end: 0 });
  const chosen = useRef<Marked | null>(null);
  const { readings, findReadings } = useReadings();
  const hasReadings = useHasCall("readings");

  const open = () => {
    const { current } = field;
    if (!current) return;
    chosen.current = null;
    selection.current = { start: current.selectionStart, end: current.selectionEnd };
    if (hasReadings) void findReadings(current.value, findCharacter(current.value, selection.current));
  };
  const choose = (mark: (content: string) => Marked) => {
    if (field.current) chosen.current = mark(field.current.value);
  };

  return (
    <MenuButton
      aria-label={marksWords.menu}
      className={buttonClass()}
      onOpen={open}
      panel={(menu) => (
        <MarksPanel
          hasReadings={hasReadings}
          menu={menu}
          onClosed={(event) => {
            if (!chosen.current || !field.current) return;
            event.preventDefault();
            applyMark(field.current, chosen.current, onContent);
          }}
          onPause={(seconds) => choose((content) => withPause(content, selection.current, seconds))}
          onReading={(character, pinyin) => choose((content) => withReading(content, character, pinyin))}
          readings={readings}
        />
      )}
    >
      <Icon name="script" size={18} />
      {marksWords.insert}
    </MenuButton>
  );
}

/** The possible readings of a character; a response to an earlier request is ignored. */
function useReadings() {
  const [readings, setReadings] = useState<Readings>({ phase: "none" });
  const request = useRef(0);

  const findReadings = async (content: string, character: Character | null) => {
    const current = ++request.current;
    if (!character) return setReadings({ phase: "none" });
    setReadings({ phase: "loading", character });
    // The upstream returns no candidates for a character with a fixed reading.
    const plain = withReading(content, character, "").content;
    const answer = await callApi("readings", { content: plain }).catch(() => null);
    if (current !== request.current) return;
    if (!answer) return setReadings({ phase: "failed", character });
    const found = answer.list.find(({ offset }) => offset === character.offset);
    if (!found || found.candidates.length < 2) return setReadings({ phase: "only", character });
    const choices = found.candidates.map((pinyin, at) => ({ pinyin, example: found.examples[at] ?? "" }));
    setReadings({ phase: "ready", character, choices });
  };
  return { readings, findReadings };
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
