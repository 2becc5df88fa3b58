import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createWechatPay } from "~server/upstream/payments/gateways/wechat-pay/wechat-pay";
import { createPayer, openTestBilling, type Payer, type TestBilling } from "../support/billing";
import { testEngines } from "../support/database";
import { openWechatPay, type WechatPayServer } from "../support/payment-servers/wechat-pay";

/** WeChat Pay's H5 links can be opened for five minutes. */
describe.each(testEngines)("payment links on %s", (engine) => {
  let server: WechatPayServer;
  let setup: TestBilling;
  beforeAll(async () => {
    server = await openWechatPay();
    setup = await openTestBilling(engine, () => createWechatPay(server.settings));
  });
  afterAll(async () => {
    await setup.close();
    await server.close();
  });
  beforeEach(() => setup.set(new Date()));

  const openLink = async (payer: Payer) => (await payer.order("vip-month", { tradeType: "h5" })).data;
  const attemptsOf = (orderId: string) =>
    setup.db
      .selectFrom("pay_attempt")
      .select(["out_trade_no", "state"])
      .where("order_id", "=", orderId)
      .orderBy("created_at")
      .execute();
  const linksAsked = () => server.asked.filter(({ target }) => target.endsWith("/h5")).length;
  const minutes = (count: number) => setup.set(new Date(Date.now() + count * 60_000));

  it("for phones are requested again after four minutes with the same out-trade number", async () => {
    const payer = createPayer(setup);
    const first = await openLink(payer);
    expect(first.urlExpireAt).toBeCloseTo(Date.now() / 1000 + 300, -1);
    minutes(3.9);
    expect(await openLink(payer)).toEqual(first);
    const before = linksAsked();
    minutes(4.1);
    const again = await openLink(payer);
    expect([again.orderId, again.expireAt]).toEqual([first.orderId, first.expireAt]);
    expect(again.url).not.toBe(first.url);
    expect(again.urlExpireAt).toBeGreaterThan(Date.now() / 1000 + 500);
    expect(await attemptsOf(first.orderId)).toMatchObject([{ state: "PENDING" }]);
    expect(await openLink(payer)).toEqual(again);
    expect(linksAsked()).toBe(before + 1);
  });

  it("that expired are requested once for twenty concurrent callers", async () => {
    const payer = createPayer(setup);
    await openLink(payer);
    const before = linksAsked();
    minutes(5);
    const links = await Promise.all(Array.from({ length: 20 }, () => openLink(payer)));
    expect(new Set(links.map(({ url }) => url)).size).toBe(1);
    expect(linksAsked()).toBe(before + 1);
  });

  it("that cannot be renewed are not returned, and the next call requests them again", async () => {
    const payer = createPayer(setup);
    const first = await openLink(payer);
    minutes(5);
    server.spoil = "before";
    expect(await payer.order("vip-month", { tradeType: "h5" })).toMatchObject({ status: 504, msg: "timeout" });
    server.spoil = undefined;
    expect((await openLink(payer)).url).not.toBe(first.url);
  });

  it("of a trade that the gateway closed are replaced by another attempt's", async () => {
    const payer = createPayer(setup);
    const first = await openLink(payer);
    const [attempt] = await attemptsOf(first.orderId);
    const trade = server.trades.get(attempt?.out_trade_no ?? "");
    if (trade) trade.state = "CLOSED";
    minutes(5);
    const again = await openLink(payer);
    expect(again.orderId).toBe(first.orderId);
    expect((await attemptsOf(first.orderId)).map(({ state }) => state)).toEqual(["CLOSED", "PENDING"]);
  });

  it("in QR codes expire with their order", async () => {
    const payer = createPayer(setup);
    const code = (await payer.order("vip-month")).data;
    minutes(20);
    expect((await payer.order("vip-month")).data).toEqual(code);
    expect(code.urlExpireAt).toBeUndefined();
  });

  it.each(["native", "h5"] as const)("of type %s belong to a new order in the last two minutes", async (tradeType) => {
    const payer = createPayer(setup);
    const order = async () => (await payer.order("svip-month", tradeType === "h5" ? { tradeType } : {})).data;
    const first = await order();
    minutes(27.9);
    expect((await order()).orderId).toBe(first.orderId);
    minutes(28.1);
    const next = await order();
    expect(next.orderId).not.toBe(first.orderId);
    expect(next.expireAt).toBeGreaterThan(first.expireAt + 20 * 60);
    const [attempt] = await attemptsOf(first.orderId);
    server.pay(attempt?.out_trade_no ?? "");
    await setup.db
      .updateTable("job")
      .set({ run_at: new Date(0) })
      .where("state", "=", "ready")
      .execute();
    await setup.work(["pay-close"]);
    expect(await payer.result(first)).toBe("success");
  });
});
