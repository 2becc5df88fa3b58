import { describe, expect, test } from "vitest";
import { filterQuery, isNarrowed, readFilter } from "./filter";

const read = (query: string) => readFilter(new URLSearchParams(query));
const everything = { keyword: "", category: "", gender: "", language: "", sort: "popular", page: 1 };

describe("the square's address", () => {
  test("asks for everything when it says nothing or nonsense", () => {
    expect(read("")).toEqual(everything);
    expect(read("keyword=+&gender=robot&sort=price&page=0")).toEqual(everything);
    for (const page of ["-1", "1.5", "x", "1e99", ""]) expect(read(`page=${page}`).page).toBe(1);
  });

  test("says what is asked, and reads back the same", () => {
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

  test("begins at page one when something else is chosen", () => {
    expect(filterQuery(read("keyword=a&page=4"), { gender: "male" })).toBe("?keyword=a&gender=male");
    expect(filterQuery(read("category=b"), { category: "" })).toBe("");
  });

  test("cuts words that are too long without splitting a character", () => {
    expect([...read(`keyword=${"𠮷".repeat(101)}`).keyword]).toHaveLength(100);
  });

  test("is narrowed by words, category, gender and language, not by order or page", () => {
    expect(isNarrowed(read("sort=name&page=2"))).toBe(false);
    expect(isNarrowed(read("category=b"))).toBe(true);
    expect(isNarrowed(read("language=zh"))).toBe(true);
  });
});
