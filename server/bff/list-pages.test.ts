import { expect, test } from "vitest";
import { findInPages, readFiltered } from "./list-pages.server";

const rows = Array.from({ length: 30 }, (_, at) => ({
  ...{ roleId: `r${at}`, name: at % 3 === 0 ? `沈砚${at}` : `林小满${at}`, status: at % 2 === 0 ? 2 : 3 },
}));
/** An upstream that knows no filter, and whose pages have at most ten rows. */
const read = async ({ page, pageSize }: { page: number; pageSize: number }) => {
  const size = Math.min(10, pageSize);
  return { list: rows.slice((page - 1) * size, page * size), total: rows.length };
};
const upstream = (missing: string[]) => ({ readCapabilities: async () => ({ missing }) }) as never;
const foreign = upstream(["dubExport"]);

test("a role on a later page is found, though pages are shorter than asked for", async () => {
  expect(await findInPages(read, "r25")).toBe(rows[25]);
  expect(await findInPages(read, "r99")).toBeNull();
});

test("rows that a filter excludes are left out where the upstream ignores it", async () => {
  const failed = await readFiltered(foreign, { page: 2, pageSize: 10, keyword: "", status: 3 }, read);
  expect(failed).toEqual({ list: rows.filter(({ status }) => status === 3).slice(10), total: 15 });
  const named = await readFiltered(foreign, { page: 1, pageSize: 4, keyword: "沈砚", status: 2 }, read);
  expect(named.total).toBe(5);
  expect(named.list.map(({ roleId }) => roleId)).toEqual(["r0", "r6", "r12", "r18"]);
});

test("a page says that its list is not counted", async () => {
  const open = async (paging: { page: number; pageSize: number }) => ({
    ...(await read(paging)),
    isUncounted: true as const,
  });
  expect(await readFiltered(foreign, { page: 1, pageSize: 10, keyword: "" }, open)).toMatchObject({
    isUncounted: true,
  });
});

test("a list without a filter, or of our own upstream, is read once", async () => {
  const all = { list: rows.slice(0, 5), total: 30 };
  expect(await readFiltered(foreign, { page: 1, pageSize: 5, keyword: "" }, read)).toEqual(all);
  expect(await readFiltered(upstream([]), { page: 1, pageSize: 5, keyword: "x" }, read)).toEqual(all);
});
