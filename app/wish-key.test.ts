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

const lost = new Error("lost");
const isLost = (error: unknown) => error === lost;

/** Asks that end as told, one after the other, and the names they came under. */
function asking(...ends: Array<"answered" | Error>) {
  const names: string[] = [];
  const ask = async (key: string) => {
    names.push(key);
    const end = ends.shift();
    if (end instanceof Error) throw end;
    return end;
  };
  return { names, sending: { ask, isLost } };
}

test("a lost answer is asked for once more, and again at the next press, always under one name", async () => {
  const { send } = counted();
  const { names, sending } = asking(lost, lost, "answered", "answered");
  await expect(send({ name: "一" }, sending)).rejects.toBe(lost);
  expect(await send({ name: "一" }, sending)).toBe("answered");
  expect(await send({ name: "一" }, sending)).toBe("answered");
  expect(names).toEqual(["key-0", "key-0", "key-0", "key-1"]);
});

test("what was refused is another wish the next time", async () => {
  const { send } = counted();
  const refused = new Error("refused");
  const { names, sending } = asking(refused, "answered");
  await expect(send({ name: "一" }, sending)).rejects.toBe(refused);
  await send({ name: "一" }, sending);
  expect(names).toEqual(["key-0", "key-1"]);
});
