import { expect, it } from "vitest";
import { createFairLimit } from "./fair-limit";

const limits = { concurrency: 2, callerMax: 8, totalMax: 20 };

function openPromise() {
  let resolve = () => {};
  const promise = new Promise<void>((settle) => {
    resolve = settle;
  });
  return { promise, resolve };
}

it("a caller with much work waits for its own, and others only for their turn", async () => {
  const admit = createFairLimit(limits);
  const order: string[] = [];
  const work = (name: string) => async () => {
    order.push(name);
    await new Promise((resolve) => setTimeout(resolve, 1));
  };
  const many = ["a1", "a2", "a3", "a4", "a5", "a6"].map((name) => admit("a", (run) => run(work(name))));
  const others = ["b", "c"].map((name) => admit(name, (run) => run(work(name))));
  await Promise.all([...many, ...others]);
  expect(order.indexOf("b")).toBeLessThan(2);
  expect(order.indexOf("c")).toBeLessThan(4);
  expect(order).toHaveLength(8);
});

it("a caller's work beyond the limit is refused before it is prepared, and accepted again when some is done", async () => {
  const admit = createFairLimit({ ...limits, callerMax: 2 });
  const { promise: finished, resolve: finish } = openPromise();
  const prepared: string[] = [];
  const add = (caller: string, until: Promise<unknown>) =>
    admit(caller, (run) => {
      prepared.push(caller);
      return run(() => until);
    });
  const both = [add("a", finished), add("a", finished)];
  await expect(add("a", finished)).rejects.toMatchObject({ code: "too-many", status: 429 });
  await add("b", Promise.resolve());
  expect(prepared).toEqual(["a", "a", "b"]);
  finish();
  await Promise.all(both);
  await add("a", finished);
});

it("work of many callers is refused beyond the limit of all", async () => {
  const admit = createFairLimit({ ...limits, totalMax: 3 });
  const { promise: finished, resolve: finish } = openPromise();
  const add = (caller: string) => admit(caller, (run) => run(() => finished));
  const three = ["a", "b", "c"].map(add);
  await expect(add("d")).rejects.toMatchObject({ code: "too-many" });
  finish();
  await Promise.all(three);
  await add("d");
});

it("failed work makes room", async () => {
  const admit = createFairLimit({ concurrency: 1, callerMax: 1, totalMax: 1 });
  const failing = admit("a", (run) => run(() => Promise.reject(new Error("no"))));
  await expect(failing).rejects.toThrow("no");
  await expect(admit("a", () => Promise.reject(new Error("no upload")))).rejects.toThrow("no upload");
  expect(await admit("a", (run) => run(async () => 1))).toBe(1);
});
