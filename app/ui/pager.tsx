import { Link } from "@remix-run/react";
import { buttonClass } from "./button";

interface PagerProps {
  page: number;
  last: number;
  to(page: number): string;
  words: { pages: string; previous: string; next: string; page(page: number, last: number): string };
}

/** Leads through the pages of a list; renders nothing for a single page. */
export function Pager({ page, last, to, words }: PagerProps) {
  if (last <= 1 && page === 1) return null;
  return (
    <nav aria-label={words.pages} className="mt-6 flex items-center justify-center gap-4">
      {page > 1 && (
        <Link className={buttonClass()} preventScrollReset rel="prev" to={to(Math.max(1, Math.min(page - 1, last)))}>
          {words.previous}
        </Link>
      )}
      <span className="tabular text-sm text-muted">{words.page(page, last)}</span>
      {page < last && (
        <Link className={buttonClass()} preventScrollReset rel="next" to={to(page + 1)}>
          {words.next}
        </Link>
      )}
    </nav>
  );
}
