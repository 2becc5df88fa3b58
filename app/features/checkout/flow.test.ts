import { expect, test } from "vitest";
import type { Product } from "~server/contract/calls/payments";
import type { PayOrder } from "~server/contract/checkout";
import { advance, chosenProduct, currentOrder, type Flow, type FlowEvent, keyOf, pollsMax, startFlow } from "./flow";

const product = (pCode: string, packageType: 1 | 2 | 3): Product => ({
  pCount: pCode,
  tagMark: pCode,
  price: 9900,
  discountMark: "",
  cornerMark: "",
  pCode,
  packageType,
  usedChar: 0,
  days: 30,
  monthChar: 0,
  packChar: 0,
  originalPrice: undefined,
});
const products = [product("pack", 3), product("month", 1), product("year", 2)];
const order = (orderId: string): PayOrder => ({
  orderId,
  payUrl: "",
  form: null,
  qr: null,
  expireAt: 0,
  price: 9900,
  linkExpireAt: 0,
  cashierPath: null,
});
const after = (events: FlowEvent[], start: Flow = startFlow()) => events.reduce(advance, start);
const came: FlowEvent = { type: "products-loaded", products };
const made = (pCode: string, method: 1 | 2, orderId: string): FlowEvent => ({
  type: "order-created",
  key: keyOf(pCode, method),
  order: order(orderId),
});
const waiting: FlowEvent = { type: "status-received", orderId: "a", result: "waiting" };
const paying = after([came, made("year", 1, "a")]);

test("the last package is selected, or the requested one if it exists", () => {
  expect(after([came]).packageId).toBe("year");
  expect(after([{ type: "reopened", packageId: "month" }, came]).packageId).toBe("month");
  expect(after([{ type: "reopened", packageId: "gone" }, came]).packageId).toBe("year");
  expect(after([{ type: "products-loaded", products: [] }]).packageId).toBe(null);
});

test("a requested kind selects its last package, before and after the packages load", () => {
  const professional: FlowEvent = { type: "reopened", packageId: null, packageType: 2 };
  const many = [product("pack", 3), product("pro-year", 2), product("pro-month", 2), product("month", 1)];
  const loaded: FlowEvent = { type: "products-loaded", products: many };
  expect(after([loaded]).packageId).toBe("month");
  expect(after([professional, loaded]).packageId).toBe("pro-month");
  expect(after([loaded, professional]).packageId).toBe("pro-month");
  expect(after([{ type: "reopened", packageId: "pro-year" }, loaded, professional]).packageId).toBe("pro-year");
  expect(after([professional, { type: "products-loaded", products: [product("month", 1)] }]).packageId).toBe("month");
});

test("a request for a tier never selects a pack", () => {
  const tier: FlowEvent = { type: "reopened", packageId: null, packageType: "tier" };
  const loaded: FlowEvent = {
    type: "products-loaded",
    products: [product("month", 1), product("year", 2), product("pack", 3)],
  };
  expect(after([loaded]).packageId).toBe("pack");
  expect(after([tier, loaded]).packageId).toBe("year");
  expect(after([loaded, tier]).packageId).toBe("year");
});

test("orders are cached per package and method, and the chosen one is polled from the start", () => {
  const other = after([{ type: "method-chosen", method: 2 }, made("year", 2, "b")], after([waiting], paying));
  expect(other.watch).toEqual({ orderId: "b", state: "asking", polls: 0, note: "" });
  const back = after([{ type: "method-chosen", method: 1 }], other);
  expect([currentOrder(back)?.orderId, back.watch?.polls]).toEqual(["a", 0]);
});

test("two packages with one pCode have separate orders", () => {
  const twins = [1, 2].map((packageType) => ({ ...product("same", packageType as 1 | 2), pCount: `${packageType}` }));
  const flow = after([{ type: "products-loaded", products: twins }, made("2", 1, "a")]);
  expect([chosenProduct(flow)?.packageType, currentOrder(flow)?.orderId]).toEqual([2, "a"]);
  const other = after([{ type: "package-chosen", packageId: "1" }], flow);
  expect([chosenProduct(other)?.packageType, currentOrder(other)]).toEqual([1, null]);
});

test("an order of a package no longer chosen is cached and not polled", () => {
  const flow = after([{ type: "package-chosen", packageId: "month" }, made("year", 1, "a")], after([came]));
  expect([Object.keys(flow.orders), flow.watch]).toEqual([["year 1"], null]);
});

test("polling ends with the 150th response; a manual check does not restart it", () => {
  const ended = after(Array(pollsMax).fill(waiting), paying);
  expect(ended.watch).toEqual({ orderId: "a", state: "paused", polls: pollsMax, note: "" });
  expect(after(Array(pollsMax - 1).fill(waiting), paying).watch?.state).toBe("asking");
  expect(after([{ type: "polling-resumed" }], ended).watch?.state).toBe("paused");
});

test("a lost response pauses polling; resuming continues the count", () => {
  const lost = after([waiting, { type: "poll-failed", orderId: "a" }], paying);
  expect(lost).toMatchObject({ view: "paying", failed: null, watch: { state: "paused", polls: 1 } });
  expect(after([{ type: "polling-resumed" }], lost).watch).toMatchObject({ state: "asking", polls: 1 });
});

test("a payment succeeds from every view and clears the orders", () => {
  const paid: FlowEvent = { type: "status-received", orderId: "a", result: "success" };
  for (const flow of [paying, after([{ type: "closed" }], paying)])
    expect(advance(flow, paid)).toMatchObject({ view: "success", orders: {}, watch: null });
});

test("the status of another order changes nothing", () => {
  expect(advance(paying, { type: "status-received", orderId: "b", result: "success" })).toBe(paying);
  expect(advance(paying, { type: "poll-failed", orderId: "b" })).toBe(paying);
});

test.each(["closed", "refunded"] as const)("a %s order is over until a new one replaces it", (result) => {
  const over = advance(paying, { type: "status-received", orderId: "a", result });
  expect(over.watch?.state).toBe("over");
  expect(after([{ type: "order-dropped", key: "year 1" }, made("year", 1, "c")], over).watch).toEqual({
    orderId: "c",
    state: "asking",
    polls: 0,
    note: "",
  });
});

test("the first close offers to stay, the second closes", () => {
  const asked = advance(paying, { type: "closed" });
  expect(asked.view).toBe("retention");
  expect(asked.watch).toEqual(paying.watch);
  expect(advance(asked, { type: "left" })).toMatchObject({ view: "closed", watch: null });
  const stayed = advance(asked, { type: "stayed" });
  expect(stayed.view).toBe("paying");
  expect(advance(stayed, { type: "closed" }).view).toBe("closed");
});

test("the success view closes with one press", () => {
  const paid = advance(paying, { type: "status-received", orderId: "a", result: "success" });
  expect(advance(paid, { type: "closed" }).view).toBe("closed");
});

test("a failed order stays failed until it is requested again", () => {
  const failed = after([
    came,
    { type: "order-requested", key: "year 1" },
    { type: "order-failed", key: "year 1", text: "!" },
  ]);
  expect(failed).toMatchObject({ pendingKeys: [], failed: { key: "year 1", text: "!" } });
  expect(after([{ type: "order-requested", key: "year 1" }], failed)).toMatchObject({
    pendingKeys: ["year 1"],
    failed: null,
  });
});
