import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { Refused } from "~/call";
import { checkoutCopy } from "~/copy/checkout";
import { errorSentences } from "~/copy/errors";
import type { Product } from "~server/contract/calls/pay";
import type { PayOrder, PayResult, PayStatus } from "~server/contract/checkout";
import type { OrderRequest } from "./checkout-client";
import { createDesk, type Notice, seenAfterMs } from "./checkout-controller";
import { noteNow, pollEveryMs, pollsMax } from "./flow";
import type { Kept } from "./saved-checkout";

const product = (pCode: string, packageType: 1 | 2 | 3) =>
  ({ pCount: pCode, pCode, packageType, price: 9900 }) as Product;
const products = [product("month", 1), product("year", 2)];

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

interface Scene {
  isPhone?: boolean;
  kept?: Kept | null;
  order?(wish: OrderRequest): Promise<PayOrder>;
  result?(orderId: string): Promise<PayResult>;
  note?: PayStatus["note"];
  canShowCode?(): boolean;
}

const orderOf = ({ pCode, platform }: OrderRequest): PayOrder => ({
  orderId: `${pCode}-${platform}`,
  payUrl: "/cashier/1",
  qr: null,
  expireAt: Date.now() / 1000 + 1800,
  price: 9900,
  linkExpireAt: 0,
  cashierPath: null,
});

function stage({ isPhone = false, kept = null, order, result, note = "", canShowCode }: Scene = {}) {
  const seen = { wishes: [] as OrderRequest[], asked: [] as string[], notices: [] as Notice[], events: [] as string[] };
  let saved: Omit<Kept, "owner"> | null = null;
  const desk = createDesk({
    client: {
      fetchProducts: async () => products,
      createOrder: async (wish) => {
        seen.wishes.push(wish);
        return order ? order(wish) : orderOf(wish);
      },
      fetchStatus: async (orderId) => {
        seen.asked.push(orderId);
        return { result: result ? await result(orderId) : "waiting", note, outTradeNo: "m-1", transactionId: "t-1" };
      },
    },
    isPhone: () => isPhone,
    canShowCode: canShowCode ?? (() => true),
    kept,
    keep: (next) => {
      saved = next;
    },
    tell: (notice) => seen.notices.push(notice),
    onUserChanged: () => seen.events.push("user"),
    onClosed: () => seen.events.push("closed"),
    onLoginExpired: () => seen.events.push("login"),
  });
  return { desk, seen, saved: () => saved };
}
const settle = () => vi.advanceTimersByTimeAsync(seenAfterMs);
const polls = (count: number) => vi.advanceTimersByTimeAsync(count * pollEveryMs);

test.each([
  [false, 1],
  [true, 2],
])("phone %s: the last package, by method %i", async (isPhone, platform) => {
  const { desk, seen } = stage({ isPhone });
  desk.open(null);
  await settle();
  expect(seen.wishes).toEqual([{ pCode: "year", platform, isPhone }]);
});

test("asks every two seconds and no more than 150 times", async () => {
  const { desk, seen } = stage();
  desk.open(null);
  await settle();
  expect(seen.asked).toEqual([]);
  await polls(3);
  expect(seen.asked).toHaveLength(3);
  await polls(pollsMax * 2);
  expect(seen.asked).toHaveLength(pollsMax);
  await desk.askByHand();
  expect(seen.asked).toHaveLength(pollsMax + 1);
  expect(seen.notices).toEqual([{ kind: "info", text: checkoutCopy.notYetPaid }]);
  await polls(10);
  expect(seen.asked).toHaveLength(pollsMax + 1);
});

test("paid: no more questions, the thanks for 15 seconds, the user read again, nothing left to reload", async () => {
  const { desk, seen, saved } = stage({ result: async () => "success" });
  desk.open(null);
  await polls(5);
  expect(seen.asked).toHaveLength(1);
  expect(desk.now().view).toBe("success");
  expect(seen.notices).toEqual([{ kind: "success", text: checkoutCopy.thanks, lasts: 15_000 }]);
  expect(seen.events).toEqual(["user"]);
  expect(saved()).toMatchObject({ isOpen: false, orders: {} });
  desk.close();
  expect(seen.events).toEqual(["user", "user", "closed"]);
});

test("an answer that got lost stops the questions silently; coming back asks at once", async () => {
  let isDown = true;
  const result = async (): Promise<PayResult> => {
    if (isDown) throw new Refused({ code: "network" });
    return "waiting";
  };
  const { desk, seen } = stage({ result });
  desk.open(null);
  await polls(5);
  expect([seen.asked.length, seen.notices]).toEqual([1, []]);
  isDown = false;
  desk.lookAgain();
  await settle();
  expect(seen.asked).toHaveLength(2);
  await polls(2);
  expect(seen.asked).toHaveLength(4);
});

test("each package and method is ordered once", async () => {
  const { desk, seen } = stage();
  desk.open("month");
  await settle();
  for (const method of [2, 1, 2, 1] as const) {
    desk.chooseMethod(method);
    await settle();
  }
  expect(seen.wishes.map(({ pCode, platform }) => [pCode, platform])).toEqual([
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
])("%s is said in the specification's words", async (error, text) => {
  const { desk, seen } = stage({ order: () => Promise.reject(error) });
  desk.open(null);
  await settle();
  expect(seen.notices).toEqual([{ kind: "error", text }]);
  expect(desk.now().failed?.text).toBe(text);
});

test("an order without an id is said and not asked about", async () => {
  const { desk, seen } = stage({ order: async (wish) => ({ ...orderOf(wish), orderId: "" }) });
  desk.open(null);
  await polls(2);
  expect(seen.notices[0]?.text).toBe("订单创建失败：未返回订单ID");
  expect(seen.asked).toEqual([]);
});

test("pressing faster than anybody can read makes no orders", async () => {
  const { desk, seen } = stage();
  desk.open(null);
  await settle();
  for (let press = 0; press < 12; press++) {
    desk.refreshOrder();
    await settle();
  }
  expect(seen.wishes).toHaveLength(8);
  expect(seen.notices.at(-1)?.text).toBe("你点击的太频繁了，喝口水后再试吧~");
  await vi.advanceTimersByTimeAsync(10_000);
  desk.refreshOrder();
  await settle();
  expect(seen.wishes).toHaveLength(9);
});

test("a session that expired closes the dialog and leads to the login", async () => {
  const { desk, seen } = stage({ order: () => Promise.reject(new Refused({ code: "login-expired" })) });
  desk.open(null);
  await settle();
  expect(seen).toMatchObject({ notices: [], events: ["user", "closed", "login"] });
});

test("after a reload the same order is there and is asked about at once", async () => {
  const first = stage();
  first.desk.open("month");
  await settle();
  first.desk.stop();
  const kept = { ...(first.saved() as Omit<Kept, "owner">), owner: "1" };
  expect(kept.isOpen).toBe(true);
  const second = stage({ kept });
  second.desk.open(null);
  await settle();
  expect(second.seen.asked).toEqual(["month-1"]);
  expect(second.seen.wishes).toEqual([]);
});

test("a kept order that ran out is not shown again", async () => {
  const wish = { pCode: "month", platform: 1 as const, isPhone: false };
  const orders = { "month 1": { ...orderOf(wish), expireAt: Date.now() / 1000 - 1 } };
  const { desk, seen } = stage({ kept: { owner: "1", isOpen: true, packageId: "month", method: 1, orders } });
  desk.open(null);
  await settle();
  expect(seen.wishes).toHaveLength(1);
});

describe("a link that can be opened for five minutes", () => {
  const minutes = (count: number) => vi.advanceTimersByTimeAsync(count * 60_000);
  const order = async (wish: OrderRequest): Promise<PayOrder> => ({
    ...orderOf(wish),
    linkExpireAt: Date.now() / 1000 + 300,
  });
  const open = async (kept: Kept | null = null) => {
    const scene = stage({ isPhone: true, order, kept });
    scene.desk.open("month");
    await settle();
    return scene;
  };

  test("is asked for again after four minutes, as long as the dialog is open", async () => {
    const { desk, seen } = await open();
    await minutes(3.9);
    expect(seen.wishes).toHaveLength(1);
    await minutes(0.2);
    expect(seen.wishes).toHaveLength(2);
    await minutes(4);
    expect(seen.wishes).toHaveLength(3);
    desk.stop();
    await minutes(10);
    expect(seen.wishes).toHaveLength(3);
  });

  test("is asked for again when the payer comes back or reloads after it ended", async () => {
    const first = await open();
    first.desk.stop();
    const kept = { ...(first.saved() as Omit<Kept, "owner">), owner: "1" };
    vi.setSystemTime(Date.now() + 5 * 60_000);
    const second = await open(kept);
    expect(second.seen.wishes).toHaveLength(1);
    vi.setSystemTime(Date.now() + 5 * 60_000);
    second.desk.lookAgain();
    await settle();
    expect(second.seen.wishes).toHaveLength(2);
  });

  test("is not asked for again once its order is over", async () => {
    const { desk, seen } = await open();
    vi.setSystemTime(Date.now() + 31 * 60_000);
    desk.lookAgain();
    await settle();
    expect(seen.wishes).toHaveLength(1);
  });
});

test("leaving stops the questions and reads the user again; staying goes on asking", async () => {
  const { desk, seen, saved } = stage();
  desk.open(null);
  await settle();
  desk.close();
  await polls(1);
  expect([desk.now().view, seen.asked.length]).toEqual(["retention", 1]);
  desk.stay();
  await polls(1);
  expect([desk.now().view, seen.asked.length]).toEqual(["paying", 2]);
  desk.close();
  await polls(5);
  expect([desk.now().view, seen.asked.length, seen.events]).toEqual(["closed", 2, ["user", "closed"]]);
  expect(saved()).toMatchObject({ isOpen: false, orders: { "year 1": { orderId: "year-1" } } });
});

describe("a dialog makes no order", () => {
  test.each(["close", "stop"] as const)("that is gone before it was seen (%s)", async (end) => {
    const { desk, seen } = stage();
    desk.open(null);
    await vi.advanceTimersByTimeAsync(seenAfterMs - 1);
    desk[end]();
    await polls(2);
    expect(seen.wishes).toEqual([]);
  });

  test("in a page out of sight, and makes one when it is looked at", async () => {
    let isVisible = false;
    const { desk, seen } = stage({ canShowCode: () => isVisible });
    desk.open(null);
    await polls(2);
    expect(seen.wishes).toEqual([]);
    isVisible = true;
    desk.lookAgain();
    await settle();
    expect(seen.wishes).toMatchObject([{ pCode: "year" }]);
  });
});

test("an open order is gone on with by its own package and method", async () => {
  const { desk, seen } = stage();
  desk.open("month", 2);
  await settle();
  expect(seen.wishes).toMatchObject([{ pCode: "month", platform: 2 }]);
});

test.each(["confirming", "suspended"] as const)("money that is %s is said in the place of the code", async (note) => {
  const { desk } = stage({ note });
  desk.open(null);
  await settle();
  await polls(1);
  expect(noteNow(desk.now())).toBe(note);
  desk.refreshOrder();
  await settle();
  await polls(1);
  expect(noteNow(desk.now())).toBe(note === "suspended" ? "" : note);
});

test("what was paid is kept with the numbers by which it is found", async () => {
  const { desk } = stage({ result: async () => "success" });
  desk.open(null);
  await settle();
  await polls(1);
  expect(desk.now().paid).toEqual({ orderId: "year-1", outTradeNo: "m-1", transactionId: "t-1" });
});
