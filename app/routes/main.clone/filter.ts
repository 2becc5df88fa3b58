export const states = [0, 1, 2, 3] as const;

/** What the address asks the records for. */
export interface Filter {
  keyword: string;
  /** 0 all · 1 running · 2 done · 3 failed. */
  status: (typeof states)[number];
  page: number;
}

/** Reads the address; what makes no sense there counts as not said. */
export function readFilter(query: URLSearchParams): Filter {
  const page = Number(query.get("page"));
  return {
    keyword: [...(query.get("keyword") ?? "").trim()].slice(0, 100).join(""),
    status: states.find((status) => String(status) === query.get("status")) ?? 0,
    page: Number.isSafeInteger(page) && page > 1 ? page : 1,
  };
}

/** The shortest address that says the same; another choice begins at the first page again. */
export function filterQuery(filter: Filter, change: Partial<Filter> = {}): string {
  const { keyword, status, page } = { ...filter, page: 1, ...change };
  const said = { keyword, status: status ? String(status) : "", page: page > 1 ? String(page) : "" };
  const query = new URLSearchParams(Object.entries(said).filter(([, value]) => value)).toString();
  return query && `?${query}`;
}

export const isNarrowed = ({ keyword, status }: Filter) => Boolean(keyword || status);
