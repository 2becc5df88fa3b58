import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { examineGateways } from "~server/upstream/operations/doctor/gateways";
import type { Gateway } from "~server/upstream/payments/gateway";
import { createAlipay } from "~server/upstream/payments/gateways/alipay/alipay";
import { createWechatPay } from "~server/upstream/payments/gateways/wechat-pay/wechat-pay";
import { type AlipayServer, openAlipay } from "../support/payment-servers/alipay";
import { createPair } from "../support/payment-servers/keys";
import { openWechatPay, type WechatPayServer } from "../support/payment-servers/wechat-pay";

const never = new AbortController().signal;
const examine = (...gateways: Gateway[]) => examineGateways(gateways, { mode: "production" }, never);
const stranger = createPair();
const nowhere = "http://127.0.0.1:9";

it("the doctor reports missing gateways in production and the sandbox in demo mode", async () => {
  expect(await examine()).toMatchObject([
    { about: "gateways", state: "warn", todo: expect.stringContaining("WECHAT") },
  ]);
  expect(await examineGateways([], { mode: "demo" }, never)).toMatchObject([{ about: "gateways", state: "ok" }]);
});

describe("the doctor's check of WeChat Pay", () => {
  let server: WechatPayServer;
  beforeAll(async () => {
    server = await openWechatPay();
  });
  afterAll(() => server.close());
  beforeEach(() => {
    Object.assign(server, { clock: 0, signer: server.certificates[0], spoil: undefined, forge: undefined });
  });
  const examineWith = async (change: object = {}) =>
    (await examine(createWechatPay({ ...server.settings, ...change })))[0];
  const withKey = () => ({ publicKey: { id: server.publicKey.id, pem: server.publicKey.publicPem } });
  const signWithKey = () => {
    server.signer = { ...server.publicKey, serial: server.publicKey.id };
  };

  it("passes with certificates and with the public key, using queries only", async () => {
    const message =
      "merchant, serial and private key, the key of its answers, the APIv3 key, the official account's secret are right";
    expect(await examineWith()).toEqual({ about: "wechat", state: "ok", message });
    signWithKey();
    expect(await examineWith(withKey())).toEqual({ about: "wechat", state: "ok", message });
    expect(server.asked.every(({ method }) => method === "GET")).toBe(true);
    expect(server.trades.size).toBe(0);
  });

  it("reports what it could not verify without certificates or a signed refusal", async () => {
    const [certificate] = server.certificates;
    server.certificates = [];
    signWithKey();
    expect(await examineWith(withKey())).toMatchObject({
      state: "ok",
      message: expect.stringMatching(/; the APIv3 key cannot be tried/),
    });
    server.forge = ({ status, body }) => ({ status, body });
    expect(await examineWith(withKey())).toMatchObject({
      message: expect.stringMatching(/; the key of its answers, the APIv3/),
    });
    server.certificates = certificate ? [certificate] : [];
  });

  it("reports the invalid setting", async () => {
    const serial = expect.stringContaining("WECHAT_PAY_SERIAL");
    expect(await examineWith({ privateKey: stranger.privatePem })).toMatchObject({ state: "fail", todo: serial });
    expect(await examineWith({ serial: "0".repeat(40) })).toMatchObject({ state: "fail", todo: serial });
    const v3 = expect.stringContaining("WECHAT_PAY_API_V3_KEY");
    expect(await examineWith({ apiV3Key: "x".repeat(32) })).toMatchObject({ state: "fail", todo: v3 });
    const secret = expect.stringContaining("WECHAT_OFFICIAL_SECRET");
    const official = { ...server.settings.official, secret: "f".repeat(32) };
    expect(await examineWith({ official })).toMatchObject({ state: "fail", todo: secret });
    signWithKey();
    const wrong = { publicKey: { id: server.publicKey.id, pem: stranger.publicPem } };
    const key = expect.stringContaining("WECHAT_PAY_PUBLIC_KEY");
    expect(await examineWith(wrong)).toMatchObject({ state: "fail", todo: key });
    server.clock = -3600;
    const clock = expect.stringContaining("clock");
    expect(await examineWith(withKey())).toMatchObject({ state: "fail", todo: clock });
  });

  it("fails when WeChat Pay is unreachable, busy or replaced by another server", async () => {
    const endpoint = expect.stringContaining("endpoint");
    const away = await examineWith({ endpoint: nowhere });
    expect(away).toMatchObject({
      state: "fail",
      message: expect.stringContaining("cannot be reached"),
      todo: endpoint,
    });
    for (const spoil of ["html", "500", "before"] as const) {
      server.spoil = spoil;
      expect(await examineWith()).toMatchObject({ about: "wechat", state: "fail" });
    }
  });
});

describe("the doctor's check of Alipay", () => {
  let server: AlipayServer;
  beforeAll(async () => {
    server = await openAlipay();
  });
  afterAll(() => server.close());
  beforeEach(() => {
    Object.assign(server, { spoil: undefined, forge: undefined });
  });
  const examineWith = async (change: object = {}) =>
    (await examine(createAlipay({ ...server.settings, ...change })))[0];

  it("passes without creating a trade", async () => {
    const message = "app and private key, the key of its answers are right";
    expect(await examineWith()).toEqual({ about: "alipay", state: "ok", message });
    expect(server.trades.size).toBe(0);
  });

  it("reports the invalid setting", async () => {
    const own = expect.stringContaining("ALIPAY_PRIVATE_KEY");
    expect(await examineWith({ privateKey: stranger.privatePem })).toMatchObject({ state: "fail", todo: own });
    const theirs = expect.stringContaining("ALIPAY_PUBLIC_KEY");
    expect(await examineWith({ publicKeys: [stranger.publicPem] })).toMatchObject({ state: "fail", todo: theirs });
  });

  it("fails when Alipay is unreachable or replaced by another server", async () => {
    expect(await examineWith({ endpoint: nowhere })).toMatchObject({
      state: "fail",
      todo: expect.stringContaining("endpoint"),
    });
    server.spoil = "html";
    expect(await examineWith()).toMatchObject({ about: "alipay", state: "fail" });
  });
});

it("the doctor reports every faulty gateway", async () => {
  const [wechatPay, alipay] = await Promise.all([openWechatPay(), openAlipay()]);
  const both = [createWechatPay({ ...wechatPay.settings, endpoint: nowhere }), createAlipay(alipay.settings)];
  expect((await examine(...both)).map(({ state }) => state)).toEqual(["fail", "ok"]);
  await Promise.all([wechatPay.close(), alipay.close()]);
});
