import { expect, test } from "vitest";
import { everything, filterQuery, isNarrowed, mergeWorks, parseFilter, toRequest, type Work } from "./filter";

test.each(["", "?keyword=%E9%9B%A8", "?kind=dub", "?keyword=a&kind=video&role=r1&cursor=2026.x"])(
  "filterQuery and parseFilter are inverse for %j",
  (query) => {
    const filter = parseFilter(new URLSearchParams(query));
    expect(filterQuery(filter, { cursor: filter.cursor })).toBe(query);
  },
);

test("parseFilter ignores an unknown kind and cuts long words", () => {
  const filter = parseFilter(new URLSearchParams({ kind: "role", keyword: ` ${"字".repeat(200)} ` }));
  expect(filter).toEqual({ ...everything, keyword: "字".repeat(100) });
});

test("a changed filter starts at the newest works", () => {
  expect(filterQuery({ ...everything, keyword: "a", cursor: "c" }, { kind: "clone" })).toBe("?keyword=a&kind=clone");
});

test("a cursor alone excludes no works", () => {
  expect(isNarrowed({ ...everything, cursor: "c" })).toBe(false);
  expect(isNarrowed({ ...everything, role: "r" })).toBe(true);
});

test("toRequest leaves out what is not asked for", () => {
  expect(toRequest({ ...everything, role: "r1" })).toEqual({ pageSize: 20, roleId: "r1" });
});

test("mergeWorks shows each work once, as the first page has it, and none that was deleted", () => {
  const work = (taskId: string, progress = 0) => ({ taskId, progress }) as Work;
  const merged = mergeWorks([work("d", 1), work("c", 1)], [work("c"), work("b"), work("a")], new Set(["b"]));
  expect(merged).toEqual([work("d", 1), work("c", 1), work("a")]);
});
