import { expect, test } from "vitest";
import { createWishKey } from "./wish-key";

test("the same wish keeps its name, another one gets a new one", () => {
  let made = 0;
  const keyOf = createWishKey(() => `key-${made++}`);
  const names = [{ name: "一" }, { name: "一" }, { name: "二" }, { name: "二" }].map(keyOf);
  expect(names).toEqual(["key-0", "key-0", "key-1", "key-1"]);
});
