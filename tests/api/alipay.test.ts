import { randomBytes, verify } from "node:crypto";
import fc from "fast-check";
import { afterAll, beforeAll, beforeEach, describe, expect, it, test } from "vitest";
import type { Gateway } from "~server/upstream/payments/gateway";
import { createAlipay } from "~server/upstream/payments/gateways/alipay/alipay";
import { type AlipayServer, billRow, openAlipay } from "../support/payment-servers/alipay";
import { encodeGbk } from "../support/payment-servers/gbk";
import { createPair, type Pair, sign } from "../support/payment-servers/keys";
import { fault, type NetworkFault } from "../support/payment-servers/listen";

let server: AlipayServer;
let first: Pair;
let gateway: Gateway;

beforeAll(async () => {
  server = await openAlipay();
  first = server.signer;
});
afterAll(() => server.close());
beforeEach(() => {
  Object.assign(server, { spoil: undefined, forge: undefined, bill: undefined, signer: first });
  gateway = createAlipay(server.settings);
});

const newNumber = () => randomBytes(16).toString("hex");
const request = (more: object = {}) => ({
  outTradeNo: newNumber(),
  orderId: "order",
  subject: "专业会员 · 年度",
  amountFen: 19_990,
  platform: 2 as const,
  tradeType: "native" as "native" | "h5",
  expiresAt: new Date("2026-03-09T04:30:00Z"),
  clientAddress: "203.0.113.9",
  ...more,
});

async function place() {
  const asked = request();
  const { url } = await gateway.createPayment(asked);
  return { ...asked, url };
}

const parse = (body: string) => gateway.parseNotification({ headers: new Headers(), body });

describe("Alipay payments", () => {
  it("have a QR code and are requested in Alipay's format", async () => {
    const order = await place();
    expect(order.url).toBe(`https://qr.alipay.com/${order.outTradeNo}`);
    expect(server.trades.get(order.outTradeNo)?.request).toEqual({
      out_trade_no: order.outTradeNo,
      total_amount: "199.90",
      subject: "专业会员 · 年度",
      time_expire: "2026-03-09 12:30:00",
      notify_url: server.settings.notifyUrl,
    });
    expect(await gateway.createPayment(order)).toEqual({ url: order.url });
  });

  it.each([
    ["phones", { tradeType: "h5" }, "alipay.trade.wap.pay", "QUICK_WAP_WAY"],
    ["desktops by setting", {}, "alipay.trade.page.pay", "FAST_INSTANT_TRADE_PAY"],
  ])("have a signed link for %s, without a call to Alipay", async (_, more, method, product_code) => {
    const before = server.asked.length;
    const asked = request(more);
    const { url } = await createAlipay({ ...server.settings, desktop: "page" }).createPayment(asked);
    expect(server.asked).toHaveLength(before);
    const { origin, pathname, searchParams } = new URL(url);
    expect(`${origin}${pathname}`).toBe(`${server.origin}/gateway.do`);
    const fields = Object.fromEntries(searchParams);
    expect(fields).toMatchObject({
      ...{ method, sign_type: "RSA2", notify_url: server.settings.notifyUrl },
      return_url: server.settings.returnUrl,
    });
    expect(JSON.parse(fields.biz_content ?? "")).toMatchObject({ total_amount: "199.90", product_code });
    const names = Object.keys(fields)
      .filter((name) => name !== "sign")
      .sort();
    const text = names.map((name) => `${name}=${fields[name]}`).join("&");
    const signature = Buffer.from(fields.sign ?? "", "base64");
    expect(verify("RSA-SHA256", Buffer.from(text), server.app.publicKey, signature)).toBe(true);
    expect(await gateway.query(asked.outTradeNo)).toEqual({ state: "unpaid" });
  });

  it("are unpaid until a payer scans and pays, then report merchant and amount", async () => {
    const { outTradeNo } = await place();
    expect(await gateway.query(outTradeNo)).toEqual({ state: "unpaid" });
    server.scan(outTradeNo);
    expect(await gateway.query(outTradeNo)).toEqual({ state: "unpaid" });
    server.pay(outTradeNo);
    expect(await gateway.query(outTradeNo)).toMatchObject({
      state: "paid",
      payment: {
        outTradeNo,
        transactionId: server.trades.get(outTradeNo)?.number,
        amountFen: 19_990,
        currency: "CNY",
        merchantId: gateway.merchantId,
        appId: gateway.appId,
      },
    });
  });

  it("can be closed until they are paid", async () => {
    const { outTradeNo } = await place();
    expect(await gateway.close(outTradeNo)).toBe("closed");
    server.scan(outTradeNo);
    expect([await gateway.close(outTradeNo), await gateway.close(outTradeNo)]).toEqual(["closed", "closed"]);
    expect(await gateway.query(outTradeNo)).toEqual({ state: "closed" });
    const paid = await place();
    server.pay(paid.outTradeNo);
    expect(await gateway.close(paid.outTradeNo)).toBe("paid");
    expect(await fault(gateway.createPayment(paid))).toBe("refused");
  });

  it("are refunded once for repeated requests", async () => {
    const { outTradeNo } = await place();
    const refund = { outTradeNo, number: `${outTradeNo}R1`, refundFen: 905, totalFen: 19_990 };
    expect(await gateway.queryRefund(refund)).toBe("unknown");
    expect(await fault(gateway.refund(refund))).toBe("refused");
    server.pay(outTradeNo);
    expect(await gateway.queryRefund(refund)).toBe("unknown");
    expect([await gateway.refund(refund), await gateway.refund(refund)]).toEqual(["done", "done"]);
    expect(server.refunds.get(refund.number)?.yuan).toBe("9.05");
    expect(await gateway.queryRefund(refund)).toBe("done");
    await gateway.refund({ ...refund, number: `${outTradeNo}R2`, refundFen: 19_990 });
    expect(await gateway.query(outTradeNo)).toEqual({ state: "refunded" });
  });
});

describe("Alipay's answers", () => {
  const spoils: NetworkFault[] = ["before", "lost", "cut", "html", "500", "429", "redirect", "endless"];
  test.each(spoils)("that are malformed (%s) leave the outcome unknown, never unpaid", async (spoil) => {
    const order = request();
    server.spoil = spoil;
    expect(await fault(gateway.createPayment(order))).toBe("timeout");
    expect(await fault(gateway.query(order.outTradeNo))).toBe("timeout");
    expect(await fault(gateway.close(newNumber()))).toBe("timeout");
    server.spoil = undefined;
    expect((await gateway.createPayment(order)).url).toContain(order.outTradeNo);
  });

  it("that never arrive end with the caller's timeout", async () => {
    server.spoil = "slow";
    expect(await fault(gateway.query(newNumber(), AbortSignal.timeout(300)))).toBe("timeout");
  });

  it("from an unreachable server count as not sent", async () => {
    const away = createAlipay({ ...server.settings, endpoint: "http://127.0.0.1:9" });
    expect(await fault(away.query(newNumber()))).toBe("unreachable");
  });

  it("without Alipay's signature are rejected", async () => {
    const { outTradeNo } = await place();
    server.pay(outTradeNo);
    server.forge = (response) => ({ ...response, body: response.body.toString().replace("199.90", "0.01") });
    expect(await fault(gateway.query(outTradeNo))).toBe("timeout");
    server.forge = ({ status, body }) => ({ status, body });
    expect(await fault(gateway.query(outTradeNo))).toBe("timeout");
    // A refusal may lack a signature, but an invalid one is rejected.
    expect(await gateway.query(newNumber())).toEqual({ state: "unpaid" });
    server.forge = (response) => ({ ...response, body: `${response.body} ` });
    expect(await fault(gateway.query(newNumber()))).toBe("timeout");
  });

  it("of another trade are rejected", async () => {
    const [one, other] = [await place(), await place()];
    server.pay(other.outTradeNo);
    server.trades.set(one.outTradeNo, server.scan(other.outTradeNo));
    expect(await fault(gateway.query(one.outTradeNo))).toBe("timeout");
  });

  it("of a busy system are not refusals", async () => {
    server.forge = () => ({ status: 400, body: '{"code":"ACQ.SYSTEM_ERROR"}' });
    expect(await fault(gateway.createPayment(request()))).toBe("timeout");
  });

  it("about another key are refusals", async () => {
    const stranger = createAlipay({ ...server.settings, privateKey: createPair().privatePem });
    expect(await fault(stranger.createPayment(request()))).toBe("refused");
  });
});

describe("Alipay's notifications", () => {
  it("report payments and refunds", async () => {
    const { outTradeNo } = await place();
    const paid = { kind: "payment", payment: { outTradeNo, amountFen: 19_990, merchantId: gateway.merchantId } };
    expect(await parse(server.pay(outTradeNo))).toMatchObject(paid);
    expect(await parse(server.pay(outTradeNo, { trade_status: "TRADE_FINISHED" }))).toMatchObject(paid);
    const refund = { kind: "refund", outTradeNo };
    expect(await parse(server.pay(outTradeNo, { refund_fee: "1.00" }))).toEqual(refund);
    expect(
      await parse(server.pay(outTradeNo, { trade_status: "TRADE_CLOSED", gmt_refund: "2026-03-09 11:00:00.123" })),
    ).toEqual(refund);
    for (const trade_status of ["WAIT_BUYER_PAY", "TRADE_CLOSED"]) {
      expect(await parse(server.pay(outTradeNo, { trade_status }))).toEqual({ kind: "other" });
    }
  });

  it("of a payment with a refund amount of zero are payments, as in Alipay's published example", async () => {
    const { outTradeNo } = await place();
    for (const refund_fee of ["0.00", "0", " 0.00 "]) {
      const fields = { refund_fee, gmt_refund: "", buyer_pay_amount: "199.90" };
      expect(await parse(server.pay(outTradeNo, fields))).toMatchObject({ kind: "payment", payment: { outTradeNo } });
    }
    expect(await parse(server.pay(outTradeNo, { refund_fee: "0.01" }))).toEqual({ kind: "refund", outTradeNo });
    expect(await parse(server.pay(outTradeNo, { refund_fee: "0.00", gmt_refund: "2026-03-09 11:00:00.123" }))).toEqual({
      kind: "refund",
      outTradeNo,
    });
    expect(await fault(parse(server.pay(outTradeNo, { refund_fee: "1e3" })))).toBe("unreadable");
  });

  it("of apps with GBK are verified by their bytes", async () => {
    const { outTradeNo } = await place();
    const body = server.pay(outTradeNo, { charset: "GBK" });
    expect(await parse(body)).toMatchObject({ kind: "payment", payment: { outTradeNo, amountFen: 19_990 } });
    expect(body).toContain(`%${encodeGbk("专")[0]?.toString(16)}`);
    expect(await fault(parse(body.replace("charset=%47%42%4b", "charset=%75%74%66%2d%38")))).toBe("forged");
  });

  it("are refused with any byte changed", async () => {
    const { outTradeNo } = await place();
    const body = server.pay(outTradeNo);
    const meaning = (text: string) => JSON.stringify([...new URLSearchParams(text)].sort());
    await fc.assert(
      fc.asyncProperty(fc.nat(), fc.integer({ min: 33, max: 126 }), async (at, code) => {
        const index = at % body.length;
        const changed = body.slice(0, index) + String.fromCharCode(code) + body.slice(index + 1);
        fc.pre(meaning(changed) !== meaning(body));
        expect(await fault(parse(changed))).toBe("forged");
      }),
      { numRuns: 500 },
    );
    expect(await parse(body)).toMatchObject({ kind: "payment" });
  });

  it("are refused with SHA-1, even if the signature is valid", async () => {
    const fields = Object.fromEntries(new URLSearchParams(server.pay((await place()).outTradeNo)));
    const { sign: _, sign_type: __, ...plain } = fields;
    expect(await fault(parse(server.notify(plain, "RSA")))).toBe("forged");
    const relabelled = server.notify(plain, "RSA").replace("sign_type=RSA", "sign_type=RSA2");
    expect(await fault(parse(relabelled))).toBe("forged");
    expect(await parse(server.notify(plain))).toMatchObject({ kind: "payment" });
  });

  it("are refused when a parameter is repeated", async () => {
    const body = server.pay((await place()).outTradeNo);
    for (const extra of ["total_amount=0.01", "total_amount=199.90", "sign_type=RSA2", "sign=x"]) {
      expect(await fault(parse(`${body}&${extra}`))).toBe("forged");
      expect(await fault(parse(`${extra}&${body}`))).toBe("forged");
    }
  });

  it.each(["", "{}", "sign_type=RSA2", "sign_type=RSA2&sign=", "sign_type=RSA2&sign=AAAA", "<html>"])(
    "that are malformed are refused: %s",
    async (body) => {
      expect(await fault(parse(body))).toBe("forged");
    },
  );

  it("that are unreadable are refused even when signed", async () => {
    const { outTradeNo } = await place();
    expect(await fault(parse(server.pay(outTradeNo, { total_amount: "1e3" })))).toBe("unreadable");
    expect(await fault(parse(server.notify({ notify_type: "hello" })))).toBe("unreadable");
  });
});

describe("Alipay's keys", () => {
  it("are both accepted during a key change", async () => {
    const next = createPair();
    gateway = createAlipay({ ...server.settings, publicKeys: [first.publicPem, next.publicPem] });
    const { outTradeNo } = await place();
    expect(await parse(server.pay(outTradeNo))).toMatchObject({ kind: "payment" });
    server.signer = next;
    expect(await parse(server.pay(outTradeNo))).toMatchObject({ kind: "payment" });
    expect(await gateway.query(outTradeNo)).toMatchObject({ state: "paid" });
    server.signer = createPair();
    expect(await fault(parse(server.pay(outTradeNo)))).toBe("forged");
    expect(await fault(gateway.query(outTradeNo))).toBe("timeout");
  });

  it("do not include the app's own key", async () => {
    server.signer = server.app;
    expect(sign(server.app, "x")).not.toBe(sign(first, "x"));
    expect(await fault(parse(server.notify({ out_trade_no: "x", trade_status: "TRADE_SUCCESS" })))).toBe("forged");
  });
});

describe("Alipay's bills", () => {
  it("contain payments, and refunds with their numbers", async () => {
    server.bill = [
      billRow("交易", { out: "aa", number: "2026001", yuan: "199.90" }),
      billRow("退款", { out: "aa", number: "2026001", yuan: "-9.05", refund: "aaR1" }),
    ].join("\r\n");
    expect(await gateway.bill("2026-03-09")).toEqual([
      { kind: "payment", outTradeNo: "aa", transactionId: "2026001", amountFen: 19_990 },
      { kind: "refund", outTradeNo: "aa", transactionId: "2026001", amountFen: 905, refundNumber: "aaR1" },
    ]);
  });

  it("of a day without payments are empty", async () => {
    expect(await gateway.bill("2026-03-09")).toEqual([]);
    server.bill = "";
    expect(await gateway.bill("2026-03-09")).toEqual([]);
  });

  it.each(["<html>", "交易,1", billRow("交易", { out: "aa", number: "1", yuan: "abc" })])(
    "that are malformed are rejected: %s",
    async (bill) => {
      server.bill = bill;
      expect(await fault(gateway.bill("2026-03-09"))).toBe("timeout");
    },
  );

  it("are downloaded from Alipay's hosts only", async () => {
    const body = JSON.stringify({ bill_download_url: "http://169.254.169.254/latest" });
    const headers = {
      "alipay-timestamp": "1",
      "alipay-nonce": "n",
      "alipay-signature": sign(first, `1\nn\n${body}\n`),
    };
    server.forge = () => ({ status: 200, headers, body });
    expect(await fault(gateway.bill("2026-03-09"))).toBe("timeout");
  });
});
