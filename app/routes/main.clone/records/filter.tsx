import { Form } from "@remix-run/react";
import { cloneRecordsCopy as words } from "~/copy/clone";
import { paths } from "~/paths";
import { ChipLink } from "~/ui/button";
import { KeywordInput } from "~/ui/pager";
import type { CloneQuery } from "~server/bff/generations.server";

export type RecordsFilter = CloneQuery;

const statuses = [0, 1, 2, 3] as const;

/** The shortest query string for a filter; a change starts at page one, and leaves the one record. */
export function filterQuery(filter: RecordsFilter, change: Partial<RecordsFilter> = {}): string {
  const { keyword, status, record, page } = { ...filter, page: 1, record: "", ...change };
  const values = { keyword, status: status ? String(status) : "", record, page: page > 1 ? String(page) : "" };
  const query = new URLSearchParams(Object.entries(values).filter(([, value]) => value)).toString();
  return query && `?${query}`;
}

/** True if the filter excludes records. */
export const isNarrowed = ({ keyword, status, record }: RecordsFilter) => Boolean(keyword || status || record);

/** A GET form and links: the URL holds the filter. */
export function FilterBar({ filter }: { filter: RecordsFilter }) {
  const { keyword } = filter;
  return (
    <>
      <Form action={paths.clone} preventScrollReset replace={keyword !== ""} role="search">
        {filter.status !== 0 && <input name="status" type="hidden" value={filter.status} />}
        <KeywordInput keyword={keyword} label={words.search} />
      </Form>
      <nav aria-label={words.status} className="my-1.5">
        <ul className="flex flex-wrap gap-x-2">
          {statuses.map((status) => (
            <li key={status}>
              <ChipLink isCurrent={status === filter.status} to={paths.clone + filterQuery(filter, { status })}>
                {words.statuses[status]}
              </ChipLink>
            </li>
          ))}
        </ul>
      </nav>
    </>
  );
}
