import { expect, test } from "vitest";
import { parseCloneQuery } from "~server/bff/generations.server";
import { filterQuery } from "./filter";

test.each(["", "?keyword=%E9%9B%A8", "?status=3", "?keyword=a&status=1&page=2", "?record=r1"])(
  "filterQuery and parseCloneQuery are inverse for %j",
  (query) => {
    const filter = parseCloneQuery(new URLSearchParams(query));
    expect(filterQuery(filter, filter)).toBe(query);
  },
);

test("parseCloneQuery ignores invalid values", () => {
  expect(parseCloneQuery(new URLSearchParams("status=7&page=-1"))).toEqual({
    keyword: "",
    status: 0,
    record: "",
    page: 1,
  });
});

test("a changed filter starts at page one", () => {
  expect(filterQuery({ keyword: "a", status: 0, record: "r1", page: 4 }, { status: 2 })).toBe("?keyword=a&status=2");
});
