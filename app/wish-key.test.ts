import { expect, test } from "vitest";
import { createWishKey } from "./wish-key";

function counted() {
  let made = 0;
  return createWishKey(() => `key-${made++}`);
}

test("the same wish keeps its name, beside others, until it is forgotten", () => {
  const { keyOf, forget } = counted();
  const [one, two] = [{ name: "一" }, { name: "二" }];
  expect([one, { ...one }, two, one, two].map(keyOf)).toEqual(["key-0", "key-0", "key-1", "key-0", "key-1"]);
  forget({ ...one });
  expect([one, two].map(keyOf)).toEqual(["key-2", "key-1"]);
});

test("names are what the server takes for one", () => {
  const names = Array.from({ length: 50 }, () => createWishKey().keyOf({}));
  for (const name of names) expect(name).toMatch(/^[\w-]{8,100}$/);
  expect(new Set(names).size).toBe(50);
});
