import { randomBytes, verify } from "node:crypto";
import fc from "fast-check";
import { afterAll, beforeAll, beforeEach, describe, expect, it, test } from "vitest";
import type { Gateway } from "~server/upstream/payments/gateway";
import { createWechatPay } from "~server/upstream/payments/gateways/wechat-pay/wechat-pay";
import type { CertifiedPair } from "../support/payment-servers/keys";
import { fault, type NetworkFault } from "../support/payment-servers/listen";
import { openid, openWechatPay, type WechatPayServer } from "../support/payment-servers/wechat-pay";

let server: WechatPayServer;
let gateway: Gateway;
let first: CertifiedPair;
let offsetMs = 0;
const now = () => new Date(Date.now() + offsetMs);

beforeAll(async () => {
  server = await openWechatPay(now);
  [first] = server.certificates as [CertifiedPair];
});
afterAll(() => server.close());
beforeEach(() => {
  offsetMs = 0;
  Object.assign(server, { spoil: undefined, forge: undefined, clock: 0, certificates: [first], signer: first });
  Object.assign(server, { bill: "", billHash: undefined });
  gateway = createWechatPay(server.settings, now);
});

const newNumber = () => randomBytes(16).toString("hex");
const request = (more: object = {}) => ({
  outTradeNo: newNumber(),
  orderId: "order",
  subject: "专业会员 · 年度",
  amountFen: 19_900,
  platform: 1 as const,
  tradeType: "native" as const,
  expiresAt: new Date(now().getTime() + 1_800_000),
  clientAddress: "203.0.113.9",
  ...more,
});

async function place(more: object = {}) {
  const asked = request(more);
  const { url } = await gateway.createPayment(asked);
  return { ...asked, url };
}

const parse = ({ headers, body }: { headers: Record<string, string>; body: string }) =>
  gateway.parseNotification({ headers: new Headers(headers), body });

describe("WeChat Pay payments", () => {
  it("have a QR code and are requested in WeChat Pay's format", async () => {
    const order = await place();
    expect(order.url).toBe(`weixin://wxpay/bizpayurl?pr=${order.outTradeNo}`);
    expect(server.trades.get(order.outTradeNo)?.request).toMatchObject({
      appid: server.settings.appId,
      description: "专业会员 · 年度",
      notify_url: server.settings.notifyUrl,
      amount: { total: 19_900, currency: "CNY" },
    });
    expect(await gateway.createPayment(order)).toEqual({ url: order.url });
  });

  it("have a link for phones", async () => {
    const order = await place({ tradeType: "h5" });
    expect(order.url).toContain(`${server.origin}/h5?no=${order.outTradeNo}`);
    expect(server.trades.get(order.outTradeNo)?.request).toMatchObject({
      scene_info: { payer_client_ip: "203.0.113.9", h5_info: { type: "Wap" } },
    });
  });

  it("inside WeChat are for the identified payer, and signed for WeChat's app", async () => {
    const order = await place({ tradeType: "jsapi", payer: "openid-1" });
    expect(server.trades.get(order.outTradeNo)?.request).toMatchObject({ payer: { openid: "openid-1" } });
    const { protocol, host, searchParams } = new URL(order.url);
    expect([protocol, host]).toEqual(["weixin:", "jsapi"]);
    const { paySign = "", ...fields } = Object.fromEntries(searchParams);
    expect(fields).toEqual({
      appId: server.settings.appId,
      timeStamp: String(Math.floor(now().getTime() / 1000)),
      nonceStr: expect.stringMatching(/^[0-9a-f]{32}$/),
      package: `prepay_id=wx${order.outTradeNo}`,
      signType: "RSA",
    });
    const text = `${fields.appId}\n${fields.timeStamp}\n${fields.nonceStr}\n${fields.package}\n`;
    const signature = Buffer.from(paySign, "base64");
    expect(verify("RSA-SHA256", Buffer.from(text), server.merchant.publicKey, signature)).toBe(true);
  });

  it("learn their payer once from each code, by the official account's secret", async () => {
    const { payers } = gateway;
    const page = new URL(payers?.authorizeUrl("https://voice.example/bff/wechat?from=/a", "state") ?? "");
    expect(page.hash).toBe("#wechat_redirect");
    const sent = await fetch(page, { redirect: "manual" });
    const back = new URL(sent.headers.get("location") ?? "");
    expect([back.pathname, back.searchParams.get("from"), back.searchParams.get("state")]).toEqual([
      "/bff/wechat",
      "/a",
      "state",
    ]);
    const code = back.searchParams.get("code") ?? "";
    expect(await payers?.identify(code)).toBe(openid);
    expect(await fault(payers?.identify(code) ?? Promise.resolve())).toBe("refused");
    server.spoil = "500";
    expect(await fault(payers?.identify("a") ?? Promise.resolve())).toBe("timeout");
    expect(createWechatPay({ ...server.settings, official: null }).payers).toBeUndefined();
  });

  it("are unpaid until the payer pays, then report merchant and amount", async () => {
    expect(await gateway.query(newNumber())).toEqual({ state: "unpaid" });
    const { outTradeNo } = await place();
    expect(await gateway.query(outTradeNo)).toEqual({ state: "unpaid" });
    server.pay(outTradeNo);
    expect(await gateway.query(outTradeNo)).toMatchObject({
      state: "paid",
      payment: {
        outTradeNo,
        transactionId: server.trades.get(outTradeNo)?.transaction,
        amountFen: 19_900,
        currency: "CNY",
        merchantId: gateway.merchantId,
        appId: gateway.appId,
      },
    });
  });

  it("can be closed until they are paid", async () => {
    const { outTradeNo } = await place();
    expect([await gateway.close(outTradeNo), await gateway.close(outTradeNo)]).toEqual(["closed", "closed"]);
    expect(await gateway.query(outTradeNo)).toEqual({ state: "closed" });
    expect(await gateway.close(newNumber())).toBe("closed");
    const paid = await place();
    server.pay(paid.outTradeNo);
    expect(await gateway.close(paid.outTradeNo)).toBe("paid");
    expect(await fault(gateway.createPayment(paid))).toBe("refused");
  });

  it("are refunded once for repeated requests", async () => {
    const { outTradeNo } = await place();
    const refund = { outTradeNo, number: `${outTradeNo}R1`, refundFen: 900, totalFen: 19_900 };
    expect(await fault(gateway.refund(refund))).toBe("refused");
    server.pay(outTradeNo);
    expect(await gateway.queryRefund(refund)).toBe("unknown");
    expect([await gateway.refund(refund), await gateway.refund(refund)]).toEqual(["done", "done"]);
    expect(server.refunds.get(refund.number)?.fen).toBe(900);
    for (const [theirs, ours] of [
      ["PROCESSING", "processing"],
      ["ABNORMAL", "failed"],
      ["CLOSED", "failed"],
    ]) {
      Object.assign(server.refunds.get(refund.number) ?? {}, { status: theirs });
      expect(await gateway.queryRefund(refund)).toBe(ours);
    }
    expect(await gateway.query(outTradeNo)).toEqual({ state: "refunded" });
  });
});

describe("WeChat Pay's answers", () => {
  const timeouts: NetworkFault[] = ["before", "lost", "cut", "html", "500", "429", "redirect", "endless"];
  test.each(timeouts)("that are malformed (%s) leave the outcome unknown, never unpaid", async (spoil) => {
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
    const away = createWechatPay({ ...server.settings, endpoint: "http://127.0.0.1:9" }, now);
    expect(await fault(away.query(newNumber()))).toBe("unreachable");
  });

  it("without WeChat Pay's signature are rejected", async () => {
    const { outTradeNo } = await place();
    server.pay(outTradeNo);
    server.forge = (response) => ({ ...response, body: response.body.toString().replace("19900", "1") });
    expect(await fault(gateway.query(outTradeNo))).toBe("timeout");
    server.forge = ({ status, body }) => ({ status, body });
    expect(await fault(gateway.query(outTradeNo))).toBe("timeout");
    // A refusal may lack a signature, but an invalid one is rejected.
    expect(await gateway.query(newNumber())).toEqual({ state: "unpaid" });
    server.forge = (response) => ({ ...response, body: `${response.body} ` });
    expect(await fault(gateway.query(newNumber()))).toBe("timeout");
  });

  it("that are too old or in the future are rejected", async () => {
    const { outTradeNo } = await place();
    for (const seconds of [-400, 400]) {
      server.clock = seconds;
      expect(await fault(gateway.query(outTradeNo))).toBe("timeout");
    }
  });

  it("of another trade are rejected", async () => {
    const [one, other] = [await place(), await place()];
    const theirs = server.trades.get(other.outTradeNo);
    if (theirs) server.trades.set(one.outTradeNo, theirs);
    expect(await fault(gateway.query(one.outTradeNo))).toBe("timeout");
  });

  it("about another key are refusals", async () => {
    const publicKey = { id: server.publicKey.id, pem: server.publicKey.publicPem };
    server.signer = { ...server.publicKey, serial: publicKey.id };
    const privateKey = server.publicKey.privatePem;
    const stranger = createWechatPay({ ...server.settings, publicKey, privateKey }, now);
    expect(await fault(stranger.createPayment(request()))).toBe("refused");
  });
});

describe("WeChat Pay's keys", () => {
  it("are fetched again after WeChat Pay changes them", async () => {
    const { outTradeNo } = await place();
    const next = await server.newCertificate("71AA0000000000000000000000000000000000F2");
    server.certificates = [...server.certificates, next];
    server.signer = next;
    offsetMs = 61_000;
    expect(await parse(server.pay(outTradeNo))).toMatchObject({ kind: "payment" });
  });

  it("can change from certificates to the public key while both are in use", async () => {
    gateway = createWechatPay(
      { ...server.settings, publicKey: { id: server.publicKey.id, pem: server.publicKey.publicPem } },
      now,
    );
    const { outTradeNo } = await place();
    expect(server.asked.at(-1)?.headers["wechatpay-serial"]).toBe(server.publicKey.id);
    expect(await parse(server.pay(outTradeNo))).toMatchObject({ kind: "payment" });
    server.signer = { ...server.publicKey, serial: server.publicKey.id };
    server.certificates = [];
    expect(await gateway.query(outTradeNo)).toMatchObject({ state: "paid" });
    expect(await parse(server.pay(outTradeNo))).toMatchObject({ kind: "payment" });
  });

  it("that are unknown are rejected and requested once a minute", async () => {
    const { outTradeNo } = await place();
    server.signer = await server.newCertificate("0BADC0DE00000000000000000000000000000000");
    const before = server.asked.length;
    for (let i = 0; i < 5; i++) expect(await fault(parse(server.pay(outTradeNo)))).toBe("forged");
    server.signer = { ...server.publicKey, serial: server.publicKey.id };
    expect(await fault(parse(server.pay(outTradeNo)))).toBe("forged");
    expect(server.asked.length).toBeLessThanOrEqual(before + 1);
  });

  describe("with forged serial numbers", () => {
    const publicKey = () => ({ id: server.publicKey.id, pem: server.publicKey.publicPem });
    const certificateCalls = () => server.asked.filter(({ target }) => target === "/v3/certificates").length;

    it("request the certificates of an account without any once a day", async () => {
      gateway = createWechatPay({ ...server.settings, publicKey: publicKey() }, now);
      Object.assign(server, { certificates: [], signer: { ...server.publicKey, serial: server.publicKey.id } });
      const { outTradeNo } = await place();
      const before = certificateCalls();
      server.signer = await server.newCertificate("0BADC0DE00000000000000000000000000000000");
      for (const hours of [0, 1, 23]) {
        offsetMs = hours * 3_600_000;
        for (let i = 0; i < 100; i++) expect(await fault(parse(server.pay(outTradeNo)))).toBe("forged");
      }
      expect(certificateCalls()).toBe(before + 1);
    });

    it.each(["500", "html", "before"] as const)(
      "cause few calls while certificates are unavailable (%s)",
      async (spoil) => {
        gateway = createWechatPay({ ...server.settings, publicKey: publicKey() }, now);
        server.signer = { ...server.publicKey, serial: server.publicKey.id };
        const { outTradeNo } = await place();
        const before = certificateCalls();
        server.signer = await server.newCertificate("0BADC0DE00000000000000000000000000000000");
        const forged = server.pay(outTradeNo);
        server.spoil = spoil;
        for (let i = 0; i < 200; i++) expect(await fault(parse(forged))).toBe("forged");
        expect(certificateCalls()).toBe(before + 1);
        for (let second = 1; second <= 120; second++) {
          offsetMs = second * 1000;
          await parse(forged).catch(() => {});
        }
        expect(certificateCalls() - before).toBeLessThanOrEqual(9);
      },
    );

    it("do not delay the certificates after an outage", async () => {
      const { outTradeNo } = await place();
      const next = await server.newCertificate("71AA0000000000000000000000000000000000F3");
      Object.assign(server, { certificates: [first, next], signer: next, spoil: "500" });
      offsetMs = 61_000;
      for (let i = 0; i < 20; i++) expect(await fault(parse(server.pay(outTradeNo)))).toBe("forged");
      server.spoil = undefined;
      offsetMs = 125_000;
      expect(await parse(server.pay(outTradeNo))).toMatchObject({ kind: "payment" });
    });
  });

  it("are rejected after they expire", async () => {
    const old = await server.newCertificate("01D0000000000000000000000000000000000001", -1);
    Object.assign(server, { certificates: [old], signer: old });
    expect(await fault(gateway.createPayment(request()))).toBe("timeout");
  });

  it("are accepted only if encrypted with the APIv3 key", async () => {
    const stranger = createWechatPay({ ...server.settings, apiV3Key: "another key of just 32 letters!!" }, now);
    expect(await fault(stranger.createPayment(request()))).toBe("timeout");
  });
});

describe("WeChat Pay's notifications", () => {
  it("report payments and refunds", async () => {
    const { outTradeNo } = await place();
    expect(await parse(server.pay(outTradeNo))).toMatchObject({
      kind: "payment",
      payment: { outTradeNo, amountFen: 19_900, merchantId: gateway.merchantId },
    });
    const refund = server.notify("REFUND.SUCCESS", { out_trade_no: outTradeNo, refund_status: "SUCCESS" });
    expect(await parse(refund)).toEqual({ kind: "refund", outTradeNo });
    expect(await parse(server.notify("COUPON.USE", {}))).toEqual({ kind: "other" });
  });

  it("are refused with any byte changed", async () => {
    const { outTradeNo } = await place();
    const { headers, body } = server.pay(outTradeNo);
    const names = ["wechatpay-serial", "wechatpay-timestamp", "wechatpay-nonce", "wechatpay-signature"];
    const parts = [body, ...names.map((name) => headers[name] ?? "")];
    await fc.assert(
      fc.asyncProperty(
        fc.nat({ max: parts.length - 1 }),
        fc.nat(),
        fc.integer({ min: 33, max: 126 }),
        async (part, at, code) => {
          const text = parts[part] ?? "";
          const index = at % text.length;
          fc.pre(text.charCodeAt(index) !== code);
          const flipped = text.slice(0, index) + String.fromCharCode(code) + text.slice(index + 1);
          const changed = { ...headers, ...(part > 0 && { [names[part - 1] ?? ""]: flipped }) };
          const reason = await fault(parse({ headers: changed, body: part === 0 ? flipped : body }));
          expect(["forged", "stale"]).toContain(reason);
        },
      ),
      { numRuns: 300 },
    );
    expect(await parse({ headers, body })).toMatchObject({ kind: "payment" });
  });

  it("are refused with an encrypted byte changed, even when signed", async () => {
    const { outTradeNo } = await place();
    const stranger = createWechatPay(
      {
        ...server.settings,
        apiV3Key: "another key of just 32 letters!!",
        publicKey: { id: server.publicKey.id, pem: server.publicKey.publicPem },
      },
      now,
    );
    server.signer = { ...server.publicKey, serial: server.publicKey.id };
    const { headers, body } = server.pay(outTradeNo);
    expect(await fault(stranger.parseNotification({ headers: new Headers(headers), body }))).toBe("unreadable");
  });

  it.each([
    ["old", 301],
    ["of the future", -301],
  ])("are refused when they are %s", async (_, seconds) => {
    const { outTradeNo } = await place();
    const message = server.pay(outTradeNo);
    offsetMs = seconds * 1000;
    expect(await fault(parse(message))).toBe("stale");
  });

  it("are refused without a header and as WeChat Pay's own forgery tests", async () => {
    const { outTradeNo } = await place();
    const { headers, body } = server.pay(outTradeNo);
    for (const name of Object.keys(headers).filter((name) => name.startsWith("wechatpay"))) {
      const { [name]: _, ...rest } = headers;
      expect(await fault(parse({ headers: rest, body }))).toBe("forged");
    }
    const trial = { ...headers, "wechatpay-signature": `WECHATPAY/SIGNTEST/${headers["wechatpay-signature"]}` };
    expect(await fault(parse({ headers: trial, body }))).toBe("forged");
  });
});

describe("WeChat Pay's bills", () => {
  const head =
    "\uFEFF交易时间,公众账号ID,商户号,特约商户号,设备号,微信订单号,商户订单号,用户标识,交易类型,交易状态,付款银行,货币种类,应结订单金额,代金券金额,微信退款单号,商户退款单号,退款金额,充值券退款金额,退款类型,退款状态,商品名称,商户数据包,手续费,费率,订单金额,申请退款金额,费率备注";
  const row = (state: string, fields: string[]) =>
    [
      "2026-03-09 11:00:00",
      "wx",
      "19",
      "0",
      "",
      "4200001",
      fields[0],
      "o1",
      "NATIVE",
      state,
      "OTHERS",
      "CNY",
      fields[1],
      "0.00",
      "5030001",
      fields[2],
      fields[3],
      "0.00",
      "ORIGINAL",
      fields[4],
      "会员, 年度",
      "",
      "0.19000",
      "0.60%",
      fields[1],
      fields[3],
      "",
    ]
      .map((cell) => `\`${cell}`)
      .join(",");
  const sum = "总交易单数,应结订单总金额,退款总金额\r\n`2,`199.00,`9.90";

  it("contain payments, and refunds with their numbers", async () => {
    server.bill = [
      head,
      row("SUCCESS", ["aa", "199.00", "0", "0.00", ""]),
      row("REFUND", ["aa", "0.00", "aaR1", "9.90", "SUCCESS"]),
      row("REFUND", ["bb", "0.00", "bbR1", "1.00", "FAIL"]),
      sum,
      "",
    ].join("\r\n");
    expect(await gateway.bill("2026-03-09")).toEqual([
      { kind: "payment", outTradeNo: "aa", transactionId: "4200001", amountFen: 19_900 },
      { kind: "refund", outTradeNo: "aa", transactionId: "4200001", amountFen: 990, refundNumber: "aaR1" },
    ]);
  });

  it("of a day without payments are empty", async () => {
    expect(await gateway.bill("2026-03-09")).toEqual([]);
  });

  it("are refused with another hash or an invalid row", async () => {
    server.bill = [head, row("SUCCESS", ["aa", "199.00", "0", "0.00", ""]), sum].join("\r\n");
    server.billHash = "0".repeat(40);
    expect(await fault(gateway.bill("2026-03-09"))).toBe("timeout");
    server.billHash = undefined;
    for (const spoilt of [server.bill.replace(",`NATIVE", ""), server.bill.replaceAll("`199.00", "`abc"), "<html>"]) {
      server.bill = spoilt;
      expect(await fault(gateway.bill("2026-03-09"))).toBe("timeout");
    }
  });
});
