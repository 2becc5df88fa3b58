import type { CallData, CallRequest } from "~server/contract/calls/table";

export type Work = CallData<"workList">["list"][number];
export type WorkPage = CallData<"workList">;

export interface WorkFilter {
  keyword: string;
  /** "" for all. */
  kind: Work["kind"] | "";
  role: string;
  /** The `next` of the page before; "" for the newest. */
  cursor: string;
}

export const kinds = ["", "clone", "dub", "video"] as const;
const names = ["keyword", "kind", "role", "cursor"] as const;
export const everything: WorkFilter = { keyword: "", kind: "", role: "", cursor: "" };
const worksPerPage = 20;

/** Reads the page's query; invalid values count as absent. */
export function parseFilter(query: URLSearchParams): WorkFilter {
  const textOf = (name: string, max: number) => (query.get(name) ?? "").trim().slice(0, max);
  const kind = kinds.find((one) => one === query.get("kind")) ?? "";
  return { keyword: textOf("keyword", 100), kind, role: textOf("role", 100), cursor: textOf("cursor", 80) };
}

/** The shortest query string for a filter; a change starts at the newest. */
export function filterQuery(filter: WorkFilter, change: Partial<WorkFilter> = {}): string {
  const changed = { ...filter, cursor: "", ...change };
  const query = new URLSearchParams(names.flatMap((name) => (changed[name] ? [[name, changed[name]]] : []))).toString();
  return query && `?${query}`;
}

/** True if the filter excludes works. */
export const isNarrowed = ({ keyword, kind, role }: WorkFilter) => Boolean(keyword || kind || role);

export const toRequest = ({ keyword, kind, role, cursor }: WorkFilter): CallRequest<"workList"> => ({
  pageSize: worksPerPage,
  ...(keyword && { keyword }),
  ...(kind && { kind }),
  ...(role && { roleId: role }),
  ...(cursor && { cursor }),
});

/** The works of all pages, each once, without those that were deleted; the first page is read again after a change. */
export function mergeWorks(first: readonly Work[], later: readonly Work[], removed: ReadonlySet<string>): Work[] {
  const byId = new Map([...later, ...first].map((work) => [work.taskId, work]));
  const ids = new Set([...first, ...later].map(({ taskId }) => taskId));
  return [...ids].flatMap((id) => (removed.has(id) ? [] : (byId.get(id) ?? [])));
}
