import type { Upstream } from "./upstream.server";
import type { RowCount } from "./upstream-request.server";

interface Paging {
  page: number;
  pageSize: number;
}
type ReadPage<R> = (paging: Paging) => Promise<RowCount & { list: R[] }>;

const searchPageSize = 100;

/** The lists of the first pages, until the total is reached. An upstream may answer shorter pages than it was asked for. */
async function* pagesOf<R>(read: ReadPage<R>, pagesMax: number) {
  let seen = 0;
  for (let page = 1; page <= pagesMax; page++) {
    const { list, total } = await read({ page, pageSize: searchPageSize });
    yield list;
    seen += list.length;
    if (list.length === 0 || seen >= total) return;
  }
}

/** The role of that id, by reading the list page by page: an upstream may have no call for a single role. */
export async function findInPages<R extends { roleId: string }>(read: ReadPage<R>, roleId: string): Promise<R | null> {
  for await (const list of pagesOf(read, 50)) {
    const found = list.find((role) => role.roleId === roleId);
    if (found) return found;
  }
  return null;
}

/** True for an upstream without our further calls: it may ignore the filters of lists. */
export const mayIgnoreFilters = async (upstream: Pick<Upstream, "readCapabilities">): Promise<boolean> =>
  (await upstream.readCapabilities()).missing.includes("dubExport");

/**
 * A page of a list by keyword and status, of which `read` gets those that are set. Where another upstream ignores them, the
 * rows of its first pages are filtered here.
 */
export async function readFiltered<R extends object>(
  upstream: Pick<Upstream, "readCapabilities">,
  { page, pageSize, keyword, status = 0 }: Paging & { keyword: string; status?: 0 | 1 | 2 | 3 },
  read: (input: Paging & { keyword?: string; status?: 1 | 2 | 3 }) => ReturnType<ReadPage<R>>,
): ReturnType<ReadPage<R>> {
  const readPage = (paging: Paging) =>
    read({ ...paging, ...(keyword && { keyword }), ...(status !== 0 && { status }) });
  const first = await readPage({ page, pageSize });
  const words = keyword.toLowerCase().split(/\s+/);
  const fits = (row: R) => {
    const hasStatus = status === 0 || ("status" in row && row.status === status);
    return hasStatus && words.every((word) => textOf(row).toLowerCase().includes(word));
  };
  if (first.list.every(fits) || !(await mayIgnoreFilters(upstream))) return first;
  const rows: R[] = [];
  for await (const list of pagesOf(readPage, 5)) rows.push(...list.filter(fits));
  return { list: rows.slice((page - 1) * pageSize, page * pageSize), total: rows.length };
}

/** The values of a row, without the names of its fields. */
const textOf = (value: unknown): string =>
  typeof value === "object" && value !== null ? Object.values(value).map(textOf).join("\n") : String(value ?? "");
