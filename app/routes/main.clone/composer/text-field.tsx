import type { RefObject } from "react";
import { composerCopy } from "~/copy/clone";
import { unreadSentence } from "~/copy/generation";
import { VisuallyHidden } from "~/ui/feedback";
import { Field } from "~/ui/fields";
import { countCharacters, findUnreadLetters, hasReadableText } from "~server/contract/marks";
import { EmphasisButton, MarksMenu } from "./marks-menu";

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
  return (
    <>
      <Field
        className="max-h-[22rem] min-h-[9.5rem] leading-7 [field-sizing:content]"
        error={excess > 0 ? words.over(excess, limit) : problem}
        id="clone-text"
        inputRef={field}
        label={words.label}
        onChange={(event) => onContent(event.target.value)}
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
          <span aria-hidden="true">{words.count(used, limit)}</span>
          <VisuallyHidden>{words.countAnnouncement(used, limit)}</VisuallyHidden>
        </span>
      </div>
    </>
  );
}
