import md5 from "md5";
import { expect, test } from "vitest";
import { createOrder, drawQr, parseOrderRequest, readOrderStatus, toPayOrder } from "./checkout.server";
import { toRefusal } from "./refusal.server";
import { createUpstreamClient } from "./upstream.server";

const page = "http://localhost:3000/bff/orders";
const order = { orderId: "o-1", url: "weixin://wxpay/1", expireAt: 100, price: 9900, sign: "" };
const lan = () => "192.168.1.7";

function upstreamKeeping(sent: unknown[], answer: unknown, keys: unknown[] = []) {
  const fetch = async (request: Request) => {
    sent.push(await request.json());
    keys.push(request.headers.get("idempotency-key"));
    return Response.json({ code: 0, data: answer, msg: "" });
  };
  return createUpstreamClient({ fetch, appId: "a", logger: { warn: () => {} } }).as(() => ({ token: "t" }));
}

test("orders and status requests are signed on the server, whatever the browser sends", async () => {
  const sent: unknown[] = [];
  const request = parseOrderRequest({ pCode: "svip-year", platform: 2, isPhone: true, sign: "forged", price: 1 });
  await createOrder(upstreamKeeping(sent, order), request, { pageUrl: page });
  await readOrderStatus(upstreamKeeping(sent, { result: "success" }), "o-1");
  expect(sent).toEqual([
    { pCode: "svip-year", platform: 2, tradeType: "h5", sign: md5("svip-year") },
    { orderId: "o-1", sign: md5("o-1") },
  ]);
});

test("orders from desktops have no trade type", async () => {
  const sent: unknown[] = [];
  await createOrder(upstreamKeeping(sent, order), parseOrderRequest({ pCode: "p", platform: 1 }), { pageUrl: page });
  expect(sent[0]).not.toHaveProperty("tradeType");
});

test("a repeated order uses the browser's idempotency key", async () => {
  const keys: unknown[] = [];
  const upstream = upstreamKeeping([], order, keys);
  const asked = { pageUrl: page, idempotencyKey: "order-0001" };
  for (let time = 0; time < 2; time++)
    await createOrder(upstream, parseOrderRequest({ pCode: "p", platform: 1 }), asked);
  expect(keys).toEqual(["order-0001", "order-0001"]);
});

test.each([[null], [{}], [{ pCode: "", platform: 1 }], [{ pCode: "p", platform: 3 }], [{ pCode: 1, platform: 1 }]])(
  "%j is refused as an order request",
  (input) => {
    const refusalOf = () => {
      try {
        return parseOrderRequest(input);
      } catch (error) {
        return toRefusal(error);
      }
    };
    expect(refusalOf()).toEqual({ code: "bad-request" });
  },
);

test("a real gateway's link is encoded unchanged in the QR code and has no cashier path", () => {
  const shown = toPayOrder(order, page, lan);
  expect(shown).toMatchObject({ payUrl: order.url, cashierPath: null, price: 9900, expireAt: 100 });
  expect(shown.qr).toEqual(drawQr(order.url));
  for (const url of ["https://elsewhere.example/cashier/1", "/cashier/../admin", "//evil.example/cashier/1"])
    expect(toPayOrder({ ...order, url }, page, lan).cashierPath).toBe(null);
});

test("the sandbox's QR code leads to this machine's LAN address, and the order has a cashier path", () => {
  for (const url of ["/cashier/7f-1", "http://localhost:3000/cashier/7f-1"]) {
    const shown = toPayOrder({ ...order, url }, page, lan);
    expect(shown).toMatchObject({ payUrl: "/cashier/7f-1", cashierPath: "/cashier/7f-1" });
    expect(shown.qr).toEqual(drawQr("http://192.168.1.7:3000/cashier/7f-1"));
  }
});

test("an order without a link, with a page link or with a form has no QR code", () => {
  expect(toPayOrder({ ...order, url: "" }, page, lan)).toMatchObject({ payUrl: "", qr: null, form: null });
  const link = `https://openapi.alipay.com/gateway.do?sign=${"a".repeat(344)}`;
  expect(toPayOrder({ ...order, url: link }, page, lan)).toMatchObject({ payUrl: link, qr: null, form: null });
  const form = { action: "https://openapi.alipay.com/gateway.do", fields: [] };
  const html = `<form method="post" action="${form.action}"></form>`;
  expect(toPayOrder({ ...order, url: html }, page, lan)).toMatchObject({ payUrl: "", qr: null, form });
  expect(drawQr("x".repeat(5000))).toBe(null);
});

test("the SVG path covers exactly the dark modules", () => {
  const qr = drawQr("https://example.com/pay");
  const dark = new Set<string>();
  for (const [, x, y, width] of (qr?.path ?? "").matchAll(/M(\d+) (\d+)h(\d+)v1h-\d+z/g))
    for (let i = 0; i < Number(width); i++) dark.add(`${Number(x) + i},${y}`);
  // The corners of the three finder patterns, and the quiet zone.
  const last = (qr?.size ?? 0) - 2;
  for (const corner of ["1,1", `${last},1`, `1,${last}`]) expect(dark.has(corner)).toBe(true);
  expect([...dark].some((at) => at.startsWith("0,") || at.endsWith(",0"))).toBe(false);
});

test("a link expires at the upstream's time, or after five minutes for WeChat Pay", () => {
  expect(toPayOrder({ ...order, urlExpireAt: 90 }, page, lan).linkExpireAt).toBe(90);
  expect(toPayOrder(order, page, lan).linkExpireAt).toBe(0);
  const url = "https://wx.tenpay.com/cgi-bin/mmpayweb-bin/checkmweb?prepay_id=1";
  const seconds = toPayOrder({ ...order, url }, page, lan).linkExpireAt - Date.now() / 1000;
  expect(Math.round(seconds / 10)).toBe(30);
});
