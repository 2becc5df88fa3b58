import type { CloneWish } from "~server/bff/generations.server";

/** What the address asks the records for. */
export type Filter = CloneWish;

export const states = [0, 1, 2, 3] as const;

/** The shortest address that says the same; another choice begins at the first page again. */
export function filterQuery(filter: Filter, change: Partial<Filter> = {}): string {
  const { keyword, status, page } = { ...filter, page: 1, ...change };
  const said = { keyword, status: status ? String(status) : "", page: page > 1 ? String(page) : "" };
  const query = new URLSearchParams(Object.entries(said).filter(([, value]) => value)).toString();
  return query && `?${query}`;
}

export const isNarrowed = ({ keyword, status }: Filter) => Boolean(keyword || status);
