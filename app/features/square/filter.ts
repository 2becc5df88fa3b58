export const genders = ["female", "male"] as const;
export const sorts = ["popular", "newest", "name"] as const;

/** Roles per page. */
export const pageSize = 12;

/** The query of the public roles, as in the URL. */
export interface SquareFilter {
  keyword: string;
  category: string;
  gender: (typeof genders)[number] | "";
  /** "" for any. */
  language: string;
  sort: (typeof sorts)[number];
  page: number;
}

const maxLength = { keyword: 100, category: 40, language: 20 };

/** Ignores invalid values. */
export function parseFilter(query: URLSearchParams): SquareFilter {
  const text = (key: keyof typeof maxLength) => [...(query.get(key) ?? "").trim()].slice(0, maxLength[key]).join("");
  const page = Number(query.get("page"));
  return {
    keyword: text("keyword"),
    category: text("category"),
    gender: genders.find((gender) => gender === query.get("gender")) ?? "",
    language: text("language"),
    sort: sorts.find((sort) => sort === query.get("sort")) ?? "popular",
    page: Number.isSafeInteger(page) && page > 1 ? page : 1,
  };
}

/** The shortest query string for a filter; a change starts at page one. */
export function filterQuery(filter: SquareFilter, change: Partial<SquareFilter> = {}): string {
  const { keyword, category, gender, language, sort, page } = { ...filter, page: 1, ...change };
  const values = {
    keyword,
    category,
    gender,
    language,
    sort: sort === "popular" ? "" : sort,
    page: page > 1 ? String(page) : "",
  };
  const query = new URLSearchParams(Object.entries(values).filter(([, value]) => value)).toString();
  return query && `?${query}`;
}

/** True if the filter excludes roles. */
export const isNarrowed = ({ keyword, category, gender, language }: SquareFilter) =>
  Boolean(keyword || category || gender || language);
