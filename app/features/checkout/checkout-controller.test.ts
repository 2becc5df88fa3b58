import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { Refused } from "~/call";
import { checkoutCopy } from "~/copy/checkout";
import { errorSentences } from "~/copy/errors";
import type { Product } from "~server/contract/calls/payments";
import type { PayOrder, PayResult, PayStatus } from "~server/contract/checkout";
import { type OrderRequest, toOwnClock } from "./checkout-client";
import { createCheckoutController, type Notice, seenAfterMs } from "./checkout-controller";
import { currentNote, pollEveryMs, pollsMax } from "./flow";
import type { SavedCheckout } from "./saved-checkout";

const product = (pCode: string, packageType: 1 | 2 | 3) =>
  ({ pCount: pCode, pCode, packageType, price: 9900 }) as Product;
const products = [product("month", 1), product("year", 2)];

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

interface Scene {
  isPhone?: boolean;
  saved?: SavedCheckout | null;
  products?(): Promise<readonly Product[]>;
  order?(request: OrderRequest): Promise<PayOrder>;
  result?(orderId: string): Promise<PayResult>;
  note?: PayStatus["note"];
  canShowCode?(): boolean;
}

const orderOf = ({ pCode, platform }: OrderRequest): PayOrder => ({
  orderId: `${pCode}-${platform}`,
  payUrl: "/cashier/1",
  form: null,
  qr: null,
  expireAt: Date.now() / 1000 + 1800,
  price: 9900,
  linkExpireAt: 0,
  cashierPath: null,
});

function stage({
  isPhone = false,
  saved = null,
  products: offered,
  order,
  result,
  note = "",
  canShowCode,
}: Scene = {}) {
  const seen = {
    requests: [] as OrderRequest[],
    asked: [] as string[],
    notices: [] as Notice[],
    events: [] as string[],
  };
  let lastSaved: SavedCheckout | null = null;
  const controller = createCheckoutController({
    client: {
      fetchProducts: offered ?? (async () => products),
      createOrder: async (request) => {
        seen.requests.push(request);
        return order ? order(request) : orderOf(request);
      },
      fetchStatus: async (orderId) => {
        seen.asked.push(orderId);
        return { result: result ? await result(orderId) : "waiting", note, outTradeNo: "m-1", transactionId: "t-1" };
      },
    },
    isPhone: () => isPhone,
    canShowCode: canShowCode ?? (() => true),
    saved,
    save: (next) => {
      lastSaved = next;
    },
    notify: (notice) => seen.notices.push(notice),
    onUserChanged: () => seen.events.push("user"),
    onClosed: () => seen.events.push("closed"),
  });
  return { controller, seen, saved: () => lastSaved };
}
const settle = () => vi.advanceTimersByTimeAsync(seenAfterMs);
const polls = (count: number) => vi.advanceTimersByTimeAsync(count * pollEveryMs);

test.each([
  [false, 1],
  [true, 2],
])("on a phone (%s) the last package is ordered with method %i", async (isPhone, platform) => {
  const { controller, seen } = stage({ isPhone });
  controller.open(null);
  await settle();
  expect(seen.requests).toEqual([{ pCode: "year", platform, isPhone }]);
});

test("the order status is polled every two seconds, at most 150 times", async () => {
  const { controller, seen } = stage();
  controller.open(null);
  await settle();
  expect(seen.asked).toEqual([]);
  await polls(3);
  expect(seen.asked).toHaveLength(3);
  await polls(pollsMax * 2);
  expect(seen.asked).toHaveLength(pollsMax);
  await controller.checkPayment();
  expect(seen.asked).toHaveLength(pollsMax + 1);
  expect(seen.notices).toEqual([{ kind: "info", text: checkoutCopy.notYetPaid }]);
  await polls(10);
  expect(seen.asked).toHaveLength(pollsMax + 1);
});

test("a payment stops polling, shows thanks for 15 seconds, refreshes the user and clears the saved orders", async () => {
  const { controller, seen, saved } = stage({ result: async () => "success" });
  controller.open(null);
  await polls(5);
  expect(seen.asked).toHaveLength(1);
  expect(controller.store.get().view).toBe("success");
  expect(seen.notices).toEqual([{ kind: "success", text: checkoutCopy.thanks, lasts: 15_000 }]);
  expect(seen.events).toEqual(["user"]);
  expect(saved()).toMatchObject({ isOpen: false, orders: {} });
  controller.close();
  expect(seen.events).toEqual(["user", "user", "closed"]);
});

test("a lost response pauses polling without a notice; a return to the tab polls at once", async () => {
  let isDown = true;
  const result = async (): Promise<PayResult> => {
    if (isDown) throw new Refused({ code: "network" });
    return "waiting";
  };
  const { controller, seen } = stage({ result });
  controller.open(null);
  await polls(5);
  expect([seen.asked.length, seen.notices]).toEqual([1, []]);
  isDown = false;
  controller.resume();
  await settle();
  expect(seen.asked).toHaveLength(2);
  await polls(2);
  expect(seen.asked).toHaveLength(4);
});

test.each([
  [{ code: "failure", message: "银行系统维护中" } as const, "银行系统维护中"],
  [{ code: "network" } as const, "网络异常"],
])("a payer who asks hears why it cannot be said: %j", async (refusal, text) => {
  const { controller, seen } = stage({
    result: async () => {
      throw new Refused(refusal);
    },
  });
  controller.open(null);
  await polls(2);
  await controller.checkPayment();
  expect(seen.notices).toEqual([{ kind: "error", text }]);
});

test("each package and method is ordered once", async () => {
  const { controller, seen } = stage();
  controller.open("month");
  await settle();
  for (const method of [2, 1, 2, 1] as const) {
    controller.chooseMethod(method);
    await settle();
  }
  expect(seen.requests.map(({ pCode, platform }) => [pCode, platform])).toEqual([
    ["month", 1],
    ["month", 2],
  ]);
  await polls(1);
  expect(seen.asked).toEqual(["month-1"]);
});

test.each([
  [new Refused({ code: "network" }), checkoutCopy.orderFailed],
  [new Refused({ code: "too-many" }), errorSentences["too-many"]],
  [new Refused({ code: "entitlement", data: { reason: "tier" } }), checkoutCopy.packForMembers],
])("an order refused by %s shows the specification's message", async (error, text) => {
  const { controller, seen } = stage({ order: () => Promise.reject(error) });
  controller.open(null);
  await settle();
  expect(seen.notices).toEqual([{ kind: "error", text }]);
  expect(controller.store.get().failed?.text).toBe(text);
});

test("a pack that is refused without a membership leads to the memberships, not to another try", async () => {
  const { controller, seen } = stage({
    products: async () => [...products, product("pack", 3)],
    order: async (request) => {
      if (request.pCode === "pack") throw new Refused({ code: "entitlement", data: { reason: "tier" } });
      return orderOf(request);
    },
  });
  controller.open("pack", undefined, 3);
  await settle();
  expect(controller.store.get().failed?.action).toBe(checkoutCopy.toTiers);
  controller.refreshOrder();
  await settle();
  expect(controller.store.get().packageId).toBe("year");
  expect(seen.requests.map(({ pCode }) => pCode)).toEqual(["pack", "year"]);
});

test("an order without an id shows an error and is not polled", async () => {
  const { controller, seen } = stage({ order: async (request) => ({ ...orderOf(request), orderId: "" }) });
  controller.open(null);
  await polls(2);
  expect(seen.notices[0]?.text).toBe("订单创建失败：未返回订单ID");
  expect(seen.asked).toEqual([]);
});

describe("a price that changed under the open dialog", () => {
  const priced = (price: number) => products.map((one) => ({ ...one, price }));

  test("is asked about before an order is made, and then ordered at the new price", async () => {
    let offered = products;
    const { controller, seen } = stage({
      products: async () => offered,
      order: async (request) => ({ ...orderOf(request), price: offered[0]?.price ?? 0 }),
    });
    controller.open(null);
    await settle();
    offered = priced(12_900);
    await vi.advanceTimersByTimeAsync(60_000);
    controller.choosePackage("month");
    await vi.advanceTimersByTimeAsync(1);
    expect(seen.requests).toHaveLength(1);
    expect(controller.store.get().failed).toMatchObject({
      text: checkoutCopy.repriced.text(9900, 12_900),
      action: checkoutCopy.repriced.accept,
    });
    controller.refreshOrder();
    await vi.advanceTimersByTimeAsync(1);
    expect(seen.requests).toHaveLength(2);
    expect(controller.store.get().orders["month 1"]).toMatchObject({ price: 12_900 });
  });

  test("is asked about once where the order itself is the first to tell", async () => {
    const { controller, seen } = stage({ order: async (request) => ({ ...orderOf(request), price: 12_900 }) });
    controller.open(null);
    await settle();
    expect(controller.store.get()).toMatchObject({
      orders: {},
      failed: { text: checkoutCopy.repriced.text(9900, 12_900) },
    });
    controller.refreshOrder();
    await vi.advanceTimersByTimeAsync(1);
    expect(seen.requests).toHaveLength(2);
    expect(controller.store.get().orders["year 1"]).toMatchObject({ price: 12_900 });
  });
});

test("more than eight presses in ten seconds create no more orders", async () => {
  const { controller, seen } = stage();
  controller.open(null);
  await settle();
  for (let press = 0; press < 12; press++) {
    controller.refreshOrder();
    await settle();
  }
  expect(seen.requests).toHaveLength(8);
  expect(seen.notices.at(-1)?.text).toBe("你点击的太频繁了，喝口水后再试吧~");
  await vi.advanceTimersByTimeAsync(10_000);
  controller.refreshOrder();
  await settle();
  expect(seen.requests).toHaveLength(9);
});

test("an expired session leaves the dialog open, for the same account to continue after the login", async () => {
  const { controller, seen, saved } = stage({ order: () => Promise.reject(new Refused({ code: "login-expired" })) });
  controller.open(null);
  await settle();
  expect(seen).toMatchObject({ notices: [{ kind: "error", text: "登录过期" }], events: [] });
  expect(saved()).toMatchObject({ isOpen: true });
});

test("after a reload the saved order is shown and polled at once", async () => {
  const first = stage();
  first.controller.open("month");
  await settle();
  first.controller.stop();
  const saved = first.saved() as SavedCheckout;
  expect(saved.isOpen).toBe(true);
  const second = stage({ saved });
  second.controller.open(null);
  await settle();
  expect(second.seen.asked).toEqual(["month-1"]);
  expect(second.seen.requests).toEqual([]);
});

test("the thanks survive a reload and end when they are closed", async () => {
  const first = stage({ result: async () => "success" });
  first.controller.open(null);
  await polls(5);
  const { controller, seen, saved } = stage({ saved: first.saved() });
  controller.open(null);
  await settle();
  expect(controller.store.get()).toMatchObject({ view: "success", packageId: "year", paid: { transactionId: "t-1" } });
  expect([seen.requests, seen.notices]).toEqual([[], []]);
  controller.close();
  expect(saved()).toMatchObject({ isOpen: false, paid: null });
});

test("an expired saved order is not shown", async () => {
  const request = { pCode: "month", platform: 1 as const, isPhone: false };
  const orders = { "month 1": { ...orderOf(request), expireAt: Date.now() / 1000 - 1 } };
  const { controller, seen } = stage({ saved: { isOpen: true, packageId: "month", method: 1, orders } });
  controller.open(null);
  await settle();
  expect(seen.requests).toHaveLength(1);
});

describe("a payment link that expires after five minutes", () => {
  const minutes = (count: number) => vi.advanceTimersByTimeAsync(count * 60_000);
  const order = async (request: OrderRequest): Promise<PayOrder> => ({
    ...orderOf(request),
    linkExpireAt: Date.now() / 1000 + 300,
  });
  const open = async (saved: SavedCheckout | null = null) => {
    const scene = stage({ isPhone: true, order, saved });
    scene.controller.open("month");
    await settle();
    return scene;
  };

  test("is renewed after four minutes while the dialog is open", async () => {
    const { controller, seen } = await open();
    await minutes(3.9);
    expect(seen.requests).toHaveLength(1);
    await minutes(0.2);
    expect(seen.requests).toHaveLength(2);
    await minutes(4);
    expect(seen.requests).toHaveLength(3);
    controller.stop();
    await minutes(10);
    expect(seen.requests).toHaveLength(3);
  });

  test("is renewed when the payer returns or reloads after it expired", async () => {
    const first = await open();
    first.controller.stop();
    const saved = first.saved() as SavedCheckout;
    vi.setSystemTime(Date.now() + 5 * 60_000);
    const second = await open(saved);
    expect(second.seen.requests).toHaveLength(1);
    vi.setSystemTime(Date.now() + 5 * 60_000);
    second.controller.resume();
    await settle();
    expect(second.seen.requests).toHaveLength(2);
  });

  test("is not renewed after its order has expired", async () => {
    const { controller, seen } = await open();
    vi.setSystemTime(Date.now() + 31 * 60_000);
    controller.resume();
    await settle();
    expect(seen.requests).toHaveLength(1);
  });
});

test("leaving the dialog stops polling and refreshes the user; staying continues polling", async () => {
  const { controller, seen, saved } = stage();
  controller.open(null);
  await settle();
  controller.close();
  await polls(1);
  expect([controller.store.get().view, seen.asked.length]).toEqual(["retention", 1]);
  controller.stay();
  await polls(1);
  expect([controller.store.get().view, seen.asked.length]).toEqual(["paying", 2]);
  controller.close();
  await polls(5);
  expect([controller.store.get().view, seen.asked.length, seen.events]).toEqual(["closed", 2, ["user", "closed"]]);
  expect(saved()).toMatchObject({ isOpen: false, orders: { "year 1": { orderId: "year-1" } } });
});

describe("the dialog creates no order", () => {
  test.each(["close", "stop"] as const)("if it closes within 600 ms (%s)", async (end) => {
    const { controller, seen } = stage();
    controller.open(null);
    await vi.advanceTimersByTimeAsync(seenAfterMs - 1);
    controller[end]();
    await polls(2);
    expect(seen.requests).toEqual([]);
  });

  test("in a hidden page, and creates one when the page becomes visible", async () => {
    let isVisible = false;
    const { controller, seen } = stage({ canShowCode: () => isVisible });
    controller.open(null);
    await polls(2);
    expect(seen.requests).toEqual([]);
    isVisible = true;
    controller.resume();
    await settle();
    expect(seen.requests).toMatchObject([{ pCode: "year" }]);
  });
});

test("an open order continues with its own package and method", async () => {
  const { controller, seen } = stage();
  controller.open("month", 2);
  await settle();
  expect(seen.requests).toMatchObject([{ pCode: "month", platform: 2 }]);
});

test.each(["confirming", "suspended"] as const)("a %s payment shows a note instead of the code", async (note) => {
  const { controller } = stage({ note });
  controller.open(null);
  await settle();
  await polls(1);
  expect(currentNote(controller.store.get())).toBe(note);
  controller.refreshOrder();
  await settle();
  await polls(1);
  expect(currentNote(controller.store.get())).toBe(note === "suspended" ? "" : note);
});

test("a payment keeps its order and transaction numbers", async () => {
  const { controller } = stage({ result: async () => "success" });
  controller.open(null);
  await settle();
  await polls(1);
  expect(controller.store.get().paid).toEqual({ orderId: "year-1", outTradeNo: "m-1", transactionId: "t-1" });
});

test("expiries follow the server's clock on a device whose clock is wrong", () => {
  const order = {
    ...orderOf({ pCode: "a", platform: 1, isPhone: false }),
    expireAt: 1_001_800,
    linkExpireAt: 1_000_300,
  };
  const day = 86_400;
  expect(toOwnClock(order, 1_000_000, (1_000_000 + day) * 1000)).toMatchObject({
    expireAt: 1_001_800 + day,
    linkExpireAt: 1_000_300 + day,
  });
  expect(toOwnClock({ ...order, linkExpireAt: 0 }, 1_000_000, (1_000_000 - day) * 1000)).toMatchObject({
    expireAt: 1_001_800 - day,
    linkExpireAt: 0,
  });
});
