import { Link } from "@remix-run/react";
import { records as words } from "~/copy/clone";
import { paths } from "~/paths";
import { buttonClass } from "~/ui/button";
import { type Filter, filterQuery } from "../filter";

export function Pager({ filter, last }: { filter: Filter; last: number }) {
  const { page } = filter;
  if (last <= 1 && page === 1) return null;
  const to = (wanted: number) => paths.clone + filterQuery(filter, { page: wanted });
  return (
    <nav aria-label={words.pages} className="mt-5 flex items-center justify-center gap-4">
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
