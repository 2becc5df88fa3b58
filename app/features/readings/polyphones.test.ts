import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { Polyphone } from "./pieces";
import { createPolyphoneStore } from "./polyphones";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const readAs = (reading: string): Polyphone => ({
  offset: 0,
  char: "行",
  reading,
  candidates: ["hang2", "xing2"],
  examples: ["", ""],
  word: "行",
  wordReading: reading,
  wordAt: 0,
});
const readingsOf = (found: readonly Polyphone[] | undefined) => found?.map(({ reading }) => reading);

test("polyphones are requested again if the dictionary changes during a request", async () => {
  const answers = [[readAs("xing2")], [readAs("hang2")]];
  const find = vi.fn(async () => {
    await vi.advanceTimersByTimeAsync(0);
    if (find.mock.calls.length === 1) store.reset();
    return answers.shift() ?? null;
  });
  const store = createPolyphoneStore(find, () => 100);
  store.subscribe(() => {});
  store.request("行");
  await vi.advanceTimersByTimeAsync(1000);
  expect(find).toHaveBeenCalledTimes(2);
  expect(readingsOf(store.get("行"))).toEqual(["hang2"]);
});

test("a failed polyphone request is retried only while there are subscribers", async () => {
  const find = vi.fn(async () => null);
  const store = createPolyphoneStore(find, () => 100);
  const unsubscribe = store.subscribe(() => {});
  store.request("行");
  await vi.advanceTimersByTimeAsync(25_000);
  const asked = find.mock.calls.length;
  expect(asked).toBeGreaterThan(1);
  unsubscribe();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(find).toHaveBeenCalledTimes(asked);
  store.subscribe(() => {});
  await vi.advanceTimersByTimeAsync(1000);
  expect(find.mock.calls.length).toBeGreaterThan(asked);
});

test("a polyphone request is limited to the account's characters and skips longer lines", async () => {
  const find = vi.fn(async (_content: string) => [] as Polyphone[]);
  const store = createPolyphoneStore(find, () => 10);
  store.subscribe(() => {});
  for (const content of ["银行行长说", "重庆的都会", "长大#0.5#了", "行".repeat(11)]) store.request(content);
  await vi.advanceTimersByTimeAsync(2000);
  expect(find.mock.calls.map(([content]) => content)).toEqual(["银行行长说\n重庆的都会", "长大#0.5#了"]);
  expect(store.get("行".repeat(11))).toEqual([]);
});
