import { Link } from "@remix-run/react";
import { useEffect, useRef } from "react";
import { buttonClass, insteadOfLink } from "./button";
import { SearchInput, type SearchInputProps } from "./fields";
import { Icon } from "./icons/icon";

interface PagerProps {
  page: number;
  last: number;
  /** Whether pages may follow the last one. */
  isOpen: boolean | undefined;
  to(page: number): string;
  words: { pages: string; previous: string; next: string; page(page: number, last?: number): string };
}

/** Leads through the pages of a list; renders nothing for a single page. */
export function Pager({ page, last, isOpen, to, words }: PagerProps) {
  if (last <= 1 && page === 1) return null;
  return (
    <nav aria-label={words.pages} className="mt-6 flex items-center justify-center gap-4">
      {page > 1 && (
        <Link className={buttonClass()} preventScrollReset rel="prev" to={to(Math.max(1, Math.min(page - 1, last)))}>
          {words.previous}
        </Link>
      )}
      <span className="tabular text-sm text-muted">{words.page(page, isOpen ? undefined : last)}</span>
      {page < last && (
        <Link className={buttonClass()} preventScrollReset rel="next" to={to(page + 1)}>
          {words.next}
        </Link>
      )}
    </nav>
  );
}

interface MoreLinkProps {
  /** The next page, for browsers without scripts. */
  to: string;
  status: "idle" | "loading" | "failed";
  words: { more: string; loadingMore: string; moreFailed: string; retry: string };
  onMore(): void;
}

/** Adds the next page of a list to it. */
export function MoreLink({ to, status, words, onMore }: MoreLinkProps) {
  return (
    <div className="flex flex-wrap items-center justify-center gap-3">
      {status === "failed" && (
        <p className="text-sm text-muted" role="alert">
          {words.moreFailed}
        </p>
      )}
      <Link
        aria-disabled={status === "loading" || undefined}
        className={buttonClass()}
        onClick={insteadOfLink(() => status !== "loading" && onMore())}
        rel="next"
        to={to}
      >
        {status === "loading" && <Icon className="animate-spin" name="spinner" size={18} />}
        <span>{status === "failed" ? words.retry : status === "loading" ? words.loadingMore : words.more}</span>
      </Link>
    </div>
  );
}

const typingPauseMs = 400;

/** The `keyword` of a GET form: submits it after a pause in typing, and follows the URL without remounting. */
export function KeywordInput({ keyword, ...rest }: SearchInputProps & { keyword: string }) {
  const field = useRef<HTMLInputElement>(null);
  const submitted = useRef(keyword);
  const timer = useRef<ReturnType<typeof setTimeout>>();
  useEffect(() => () => clearTimeout(timer.current), []);
  useEffect(() => {
    // The answer to what was submitted must not undo what was typed since.
    if (keyword === submitted.current || !field.current) return;
    field.current.value = keyword;
    submitted.current = keyword;
  }, [keyword]);
  const submitAfter = (pauseMs: number) => {
    clearTimeout(timer.current);
    timer.current = setTimeout(() => {
      const typed = field.current?.value.trim() ?? "";
      if (typed === submitted.current) return;
      submitted.current = typed;
      field.current?.form?.requestSubmit();
    }, pauseMs);
  };
  return (
    <SearchInput
      defaultValue={keyword}
      name="keyword"
      onCompositionEnd={() => submitAfter(typingPauseMs)}
      onInput={({ currentTarget, nativeEvent }) => {
        // Letters of an unfinished syllable are no words yet.
        if (!(nativeEvent as InputEvent).isComposing) submitAfter(currentTarget.value ? typingPauseMs : 0);
      }}
      onKeyDown={({ key, nativeEvent, currentTarget }) => {
        if (key !== "Enter" || nativeEvent.isComposing) return;
        clearTimeout(timer.current);
        submitted.current = currentTarget.value.trim();
      }}
      ref={field}
      {...rest}
    />
  );
}
