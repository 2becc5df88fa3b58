import { afterEach, expect, test, vi } from "vitest";
import { type OrderWish, payClient } from "./client";

afterEach(() => void vi.unstubAllGlobals());

/** A server that keeps one order a key; `fates` says of each answer whether it arrives, and as what. */
function serve(...fates: Array<"lost" | "refused" | "arrives">) {
  const orders = new Map<string, string>();
  const keys: string[] = [];
  vi.stubGlobal("fetch", async (_path: string, { headers }: { headers: Record<string, string> }) => {
    const key = headers["idempotency-key"] ?? "";
    const fate = fates[keys.length];
    keys.push(key);
    if (fate === "refused") return Response.json({ refusal: { code: "too-many" } }, { status: 429 });
    if (!orders.has(key)) orders.set(key, `order-${orders.size + 1}`);
    if (fate === "lost") throw new TypeError("Failed to fetch");
    return Response.json({ order: { orderId: orders.get(key) } });
  });
  return { orders, keys };
}

const wish = (pCode: string): OrderWish => ({ pCode, platform: 1, isPhone: false });

test("an answer that gets lost after the order was made is asked for again, and it is one order", async () => {
  const { orders } = serve("lost", "arrives");
  expect(await payClient.createOrder(wish("a"))).toMatchObject({ orderId: "order-1" });
  expect(orders.size).toBe(1);
});

test("a press after two lost answers still finds the first order", async () => {
  const { orders } = serve("lost", "lost", "arrives");
  await expect(payClient.createOrder(wish("b"))).rejects.toThrow("network");
  expect(await payClient.createOrder(wish("b"))).toMatchObject({ orderId: "order-1" });
  expect(orders.size).toBe(1);
});

test.each(["arrives", "refused"] as const)("what was answered (%s) is another wish the next time", async (fate) => {
  const { keys } = serve(fate, "arrives");
  for (let press = 0; press < 2; press++) await payClient.createOrder(wish("c")).catch(() => {});
  expect(new Set(keys).size).toBe(2);
});
