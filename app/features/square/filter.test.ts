import { describe, expect, test } from "vitest";
import { filterQuery, isNarrowed, parseFilter } from "./filter";

const read = (query: string) => parseFilter(new URLSearchParams(query));
const everything = { keyword: "", category: "", gender: "", language: "", sort: "popular", page: 1 };

describe("the square's filter", () => {
  test("an empty or invalid query selects everything", () => {
    expect(read("")).toEqual(everything);
    expect(read("keyword=+&gender=robot&sort=price&page=0")).toEqual(everything);
    for (const page of ["-1", "1.5", "x", "1e99", ""]) expect(read(`page=${page}`).page).toBe(1);
  });

  test("filterQuery and parseFilter are inverse", () => {
    const filter = {
      keyword: "睡前 故事",
      category: "儿童绘本",
      gender: "female",
      language: "zh",
      sort: "name",
      page: 3,
    } as const;
    expect(read(filterQuery(filter, { page: 3 }))).toEqual(filter);
  });

  test("a changed filter starts at page one", () => {
    expect(filterQuery(read("keyword=a&page=4"), { gender: "male" })).toBe("?keyword=a&gender=male");
    expect(filterQuery(read("category=b"), { category: "" })).toBe("");
  });

  test("parseFilter truncates long text without splitting a character", () => {
    expect([...read(`keyword=${"𠮷".repeat(101)}`).keyword]).toHaveLength(100);
  });

  test("isNarrowed is true for keyword, category, gender and language, not for sort or page", () => {
    expect(isNarrowed(read("sort=name&page=2"))).toBe(false);
    expect(isNarrowed(read("category=b"))).toBe(true);
    expect(isNarrowed(read("language=zh"))).toBe(true);
  });
});
