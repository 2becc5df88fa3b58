export const genders = ["female", "male"] as const;
export const sorts = ["popular", "newest", "name"] as const;

/** Cards of one page. */
export const pageSize = 12;

/** What the address asks the square for. */
export interface Filter {
  keyword: string;
  category: string;
  gender: (typeof genders)[number] | "";
  /** As the roles carry it; "" for any. */
  language: string;
  sort: (typeof sorts)[number];
  page: number;
}

const longest = { keyword: 100, category: 40, language: 20 };

/** Reads the address; what makes no sense there counts as not said. */
export function readFilter(query: URLSearchParams): Filter {
  const word = (key: keyof typeof longest) => [...(query.get(key) ?? "").trim()].slice(0, longest[key]).join("");
  const page = Number(query.get("page"));
  return {
    keyword: word("keyword"),
    category: word("category"),
    gender: genders.find((gender) => gender === query.get("gender")) ?? "",
    language: word("language"),
    sort: sorts.find((sort) => sort === query.get("sort")) ?? "popular",
    page: Number.isSafeInteger(page) && page > 1 ? page : 1,
  };
}

/** The shortest address that says the same; another choice begins at the first page again. */
export function filterQuery(filter: Filter, change: Partial<Filter> = {}): string {
  const { keyword, category, gender, language, sort, page } = { ...filter, page: 1, ...change };
  const said = {
    keyword,
    category,
    gender,
    language,
    sort: sort === "popular" ? "" : sort,
    page: page > 1 ? String(page) : "",
  };
  const query = new URLSearchParams(Object.entries(said).filter(([, value]) => value)).toString();
  return query && `?${query}`;
}

/** Whether anything narrows the list. */
export const isNarrowed = ({ keyword, category, gender, language }: Filter) =>
  Boolean(keyword || category || gender || language);
