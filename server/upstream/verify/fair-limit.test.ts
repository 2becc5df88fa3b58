import { expect, it } from "vitest";
import { createFairLimit } from "./fair-limit";

it("a caller with much work waits for its own, and others only for their turn", async () => {
  const limit = createFairLimit({ concurrency: 2, waitingMax: 5 });
  const order: string[] = [];
  const work = (name: string) => async () => {
    order.push(name);
    await new Promise((resolve) => setTimeout(resolve, 1));
  };
  const many = ["a1", "a2", "a3", "a4", "a5", "a6"].map((name) => limit("a", work(name)));
  const others = ["b", "c"].map((name) => limit(name, work(name)));
  await Promise.all([...many, ...others]);
  expect(order.indexOf("b")).toBeLessThan(2);
  expect(order.indexOf("c")).toBeLessThan(4);
  expect(order).toHaveLength(8);
});

it("a caller's work beyond the limit is refused, and accepted again when it is done", async () => {
  const limit = createFairLimit({ concurrency: 2, waitingMax: 1 });
  let finish = () => {};
  const first = limit(
    "a",
    () =>
      new Promise<void>((resolve) => {
        finish = resolve;
      }),
  );
  // The first one starts with the next task.
  await Promise.resolve();
  const second = limit("a", async () => {});
  await expect(limit("a", async () => {})).rejects.toMatchObject({ code: "too-many", status: 429 });
  await limit("b", async () => {});
  finish();
  await Promise.all([first, second]);
  await limit("a", async () => {});
});

it("failed work makes room", async () => {
  const limit = createFairLimit({ concurrency: 1, waitingMax: 1 });
  await expect(limit("a", () => Promise.reject(new Error("no")))).rejects.toThrow("no");
  expect(await limit("b", async () => 1)).toBe(1);
});
