import { expect, test } from "vitest";
import { type Product } from "~server/contract/calls/payments";
import type { PayOrder } from "~server/contract/checkout";
import { advance, chosenProduct, type Flow, type FlowEvent, keyOf, orderNow, pollsMax, startFlow } from "./flow";

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
  qr: null,
  expireAt: 0,
  price: 9900,
  linkExpireAt: 0,
  cashierPath: null,
});
const after = (events: FlowEvent[], start: Flow = startFlow()) => events.reduce(advance, start);
const came: FlowEvent = { type: "products-came", products };
const made = (pCode: string, method: 1 | 2, orderId: string): FlowEvent => ({
  type: "order-made",
  key: keyOf(pCode, method),
  order: order(orderId),
});
const waiting: FlowEvent = { type: "answered", orderId: "a", result: "waiting" };
const paying = after([came, made("year", 1, "a")]);

test("the last package is selected, or the one asked for where it exists", () => {
  expect(after([came]).packageId).toBe("year");
  expect(after([{ type: "reopened", packageId: "month" }, came]).packageId).toBe("month");
  expect(after([{ type: "reopened", packageId: "gone" }, came]).packageId).toBe("year");
  expect(after([{ type: "products-came", products: [] }]).packageId).toBe(null);
});

test("orders are cached per package and method, and the chosen one is watched from the start", () => {
  const other = after([{ type: "method-chosen", method: 2 }, made("year", 2, "b")], after([waiting], paying));
  expect(other.watch).toEqual({ orderId: "b", state: "asking", polls: 0, note: "" });
  const back = after([{ type: "method-chosen", method: 1 }], other);
  expect([orderNow(back)?.orderId, back.watch?.polls]).toEqual(["a", 0]);
});

test("two packages with one pCode are chosen and ordered apart", () => {
  const twins = [1, 2].map((packageType) => ({ ...product("same", packageType as 1 | 2), pCount: `${packageType}` }));
  const flow = after([{ type: "products-came", products: twins }, made("2", 1, "a")]);
  expect([chosenProduct(flow)?.packageType, orderNow(flow)?.orderId]).toEqual([2, "a"]);
  const other = after([{ type: "package-chosen", packageId: "1" }], flow);
  expect([chosenProduct(other)?.packageType, orderNow(other)]).toEqual([1, null]);
});

test("an order that comes for a package no longer chosen is kept and not watched", () => {
  const flow = after([{ type: "package-chosen", packageId: "month" }, made("year", 1, "a")], after([came]));
  expect([Object.keys(flow.orders), flow.watch]).toEqual([["year 1"], null]);
});

test("questions end with the 150th answer, and one by hand does not start them again", () => {
  const ended = after(Array(pollsMax).fill(waiting), paying);
  expect(ended.watch).toEqual({ orderId: "a", state: "paused", polls: pollsMax, note: "" });
  expect(after(Array(pollsMax - 1).fill(waiting), paying).watch?.state).toBe("asking");
  expect(after([{ type: "asked-again" }], ended).watch?.state).toBe("paused");
});

test("a lost answer pauses silently, and asking again goes on where it stopped", () => {
  const lost = after([waiting, { type: "poll-failed", orderId: "a" }], paying);
  expect(lost).toMatchObject({ view: "paying", failed: null, watch: { state: "paused", polls: 1 } });
  expect(after([{ type: "asked-again" }], lost).watch).toMatchObject({ state: "asking", polls: 1 });
});

test("paid is paid from every view, and no order is left to pay", () => {
  const paid: FlowEvent = { type: "answered", orderId: "a", result: "success" };
  for (const flow of [paying, after([{ type: "closed" }], paying)])
    expect(advance(flow, paid)).toMatchObject({ view: "success", orders: {}, watch: null });
});

test("answers about another order change nothing", () => {
  expect(advance(paying, { type: "answered", orderId: "b", result: "success" })).toBe(paying);
  expect(advance(paying, { type: "poll-failed", orderId: "b" })).toBe(paying);
});

test.each(["closed", "refunded"] as const)("an order that is %s is over until another takes its place", (result) => {
  const over = advance(paying, { type: "answered", orderId: "a", result });
  expect(over.watch?.state).toBe("over");
  expect(after([{ type: "order-dropped", key: "year 1" }, made("year", 1, "c")], over).watch).toEqual({
    orderId: "c",
    state: "asking",
    polls: 0,
    note: "",
  });
});

test("the first closing asks to stay, the second closes for real", () => {
  const asked = advance(paying, { type: "closed" });
  expect(asked.view).toBe("retention");
  expect(asked.watch).toEqual(paying.watch);
  expect(advance(asked, { type: "left" })).toMatchObject({ view: "closed", watch: null });
  const stayed = advance(asked, { type: "stayed" });
  expect(stayed.view).toBe("paying");
  expect(advance(stayed, { type: "closed" }).view).toBe("closed");
});

test("thanks are closed at once", () => {
  const paid = advance(paying, { type: "answered", orderId: "a", result: "success" });
  expect(advance(paid, { type: "closed" }).view).toBe("closed");
});

test("a failed order is said until it is wanted again", () => {
  const failed = after([
    came,
    { type: "order-wanted", key: "year 1" },
    { type: "order-failed", key: "year 1", text: "!" },
  ]);
  expect(failed).toMatchObject({ making: [], failed: { key: "year 1", text: "!" } });
  expect(after([{ type: "order-wanted", key: "year 1" }], failed)).toMatchObject({ making: ["year 1"], failed: null });
});
