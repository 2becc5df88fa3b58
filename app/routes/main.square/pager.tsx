import { Link } from "@remix-run/react";
import { squarePage } from "~/copy/square";
import { paths } from "~/paths";
import { buttonClass } from "~/ui/button";
import { type Filter, filterQuery } from "./filter";

export function Pager({ filter, last }: { filter: Filter; last: number }) {
  if (last <= 1) return null;
  const { page } = filter;
  const to = (wanted: number) => paths.square + filterQuery(filter, { page: wanted });
  return (
    <nav aria-label={squarePage.pages} className="mt-8 flex items-center justify-center gap-4">
      {page > 1 && (
        <Link className={buttonClass()} rel="prev" to={to(Math.min(page - 1, last))}>
          {squarePage.previous}
        </Link>
      )}
      <span className="tabular text-sm text-muted">{squarePage.page(page, last)}</span>
      {page < last && (
        <Link className={buttonClass()} rel="next" to={to(page + 1)}>
          {squarePage.next}
        </Link>
      )}
    </nav>
  );
}
