import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createPayer, openTestBilling, type Payer, type TestBilling } from "../support/billing";
import { testEngines } from "../support/database";
import { type Message, type Vendor, vendors } from "../support/payment-servers/vendors";
import type { WechatPayServer } from "../support/payment-servers/wechat-pay";

const combinations = testEngines.flatMap((engine) => (["wechat", "alipay"] as const).map((name) => ({ engine, name })));

describe.each(combinations)("paying by $name on $engine", ({ engine, name }) => {
  let vendor: Vendor;
  let setup: TestBilling;
  beforeAll(async () => {
    vendor = await vendors[name]();
    setup = await openTestBilling(engine, () => vendor.gateway);
  });
  afterAll(async () => {
    await setup.close();
    await vendor.server.close();
  });
  beforeEach(() => {
    vendor.server.spoil = undefined;
    setup.set(new Date());
  });

  const tell = async ({ headers, body }: Message) => {
    const answer = await setup.app.request(`/pay/notify/${name}`, { method: "POST", headers, body });
    return [answer.status, await answer.text()];
  };
  const accepted = () => [200, vendor.thanks];

  async function order(payer: Payer, pCode = "vip-month") {
    const { data } = await payer.order(pCode, { platform: name === "wechat" ? 1 : 2 });
    const attempt = setup.db.selectFrom("pay_attempt").select("out_trade_no").where("order_id", "=", data.orderId);
    return { ...data, out: (await attempt.executeTakeFirstOrThrow()).out_trade_no };
  }
  const grantsOf = async ({ orderId }: { orderId: string }) =>
    (await setup.db.selectFrom("membership_grant").selectAll().where("order_id", "=", orderId).execute()).length;
  const anomaliesOf = async ({ orderId }: { orderId: string }) =>
    (await setup.db.selectFrom("pay_anomaly").select("kind").where("order_id", "=", orderId).execute()).map(
      ({ kind }) => kind,
    );

  it("grants the order once for repeated and concurrent notifications", async () => {
    const payer = createPayer(setup);
    const bought = await order(payer);
    const message = vendor.pay(bought.out);
    expect(await tell(message)).toEqual(accepted());
    const again = await Promise.all(Array.from({ length: 5 }, () => tell(message)));
    expect(again).toEqual(again.map(accepted));
    expect(await payer.result(bought)).toBe("success");
    expect([await grantsOf(bought), await anomaliesOf(bought)]).toEqual([1, []]);
  });

  it.each([
    ["amount", { amountFen: 1 }],
    ["currency", { currency: "USD" }],
  ])("records a payment with another %s separately and acknowledges it", async (_, wrong) => {
    const payer = createPayer(setup);
    const bought = await order(payer);
    expect(await tell(vendor.pay(bought.out, wrong))).toEqual(accepted());
    expect([await grantsOf(bought), await anomaliesOf(bought)]).toEqual([0, ["amount"]]);
  });

  it.each([
    ["merchant", { merchantId: "another" }],
    ["app", { appId: "another" }],
  ])("refuses a payment to another %s", async (_, wrong) => {
    const payer = createPayer(setup);
    const bought = await order(payer);
    expect((await tell(vendor.pay(bought.out, wrong)))[0]).toBe(401);
    expect([await grantsOf(bought), await anomaliesOf(bought)]).toEqual([0, ["merchant"]]);
  });

  it("refuses and counts forged notifications without a change", async () => {
    const bought = await order(createPayer(setup));
    const { headers, body } = vendor.pay(bought.out);
    const forged = { headers, body: body.replace(/.(?=.{20}$)/, (char) => (char === "A" ? "B" : "A")) };
    expect((await tell(forged))[0]).toBe(401);
    expect(await grantsOf(bought)).toBe(0);
    const counted = setup.db.selectFrom("notification_count").select("hits").where("outcome", "=", "forged");
    expect((await counted.executeTakeFirstOrThrow()).hits).toBeGreaterThan(0);
  });

  it("finds a payment without its notification", async () => {
    const payer = createPayer(setup);
    const bought = await order(payer);
    expect(await payer.result(bought)).toBe("waiting");
    vendor.pay(bought.out);
    setup.set(new Date(Date.now() + 4000));
    expect(await payer.result(bought)).toBe("success");
    expect(await grantsOf(bought)).toBe(1);
  });

  it("retries with the same number when the answer was lost", async () => {
    const payer = createPayer(setup);
    vendor.server.spoil = "lost";
    const lost = await payer.order("vip-month", { platform: name === "wechat" ? 1 : 2 });
    expect(lost.status).toBe(504);
    vendor.server.spoil = undefined;
    const bought = await order(payer);
    const attempts = setup.db.selectFrom("pay_attempt").select("id").where("order_id", "=", bought.orderId);
    expect(await attempts.execute()).toHaveLength(1);
  });

  it.each(["html", "500", "before"] as const)("keeps an order open while the gateway fails (%s)", async (spoil) => {
    const payer = createPayer(setup);
    const bought = await order(payer);
    vendor.pay(bought.out);
    vendor.server.spoil = spoil;
    await setup.db
      .updateTable("job")
      .set({ run_at: new Date(0) })
      .where("key", "=", bought.orderId)
      .execute();
    setup.set(new Date(bought.expireAt * 1000 + 1000));
    await setup.work(["pay-expire"]);
    expect(await payer.result(bought)).toBe("waiting");
    vendor.server.spoil = undefined;
    await setup.db
      .updateTable("job")
      .set({ run_at: new Date(0) })
      .where("key", "=", bought.orderId)
      .execute();
    await setup.work(["pay-expire"]);
    expect(await payer.result(bought)).toBe("success");
  });

  it("closes an unpaid order here and at the gateway", async () => {
    const payer = createPayer(setup);
    const bought = await order(payer);
    setup.set(new Date(bought.expireAt * 1000 + 1000));
    await setup.db
      .updateTable("job")
      .set({ run_at: new Date(0) })
      .where("state", "=", "ready")
      .execute();
    await setup.work(["pay-expire", "pay-close"]);
    expect(await payer.result(bought)).toBe("closed");
    if (name === "wechat") expect(await vendor.gateway.query(bought.out)).toEqual({ state: "closed" });
  });

  it("sends a refund once after a lost answer", async () => {
    const payer = createPayer(setup);
    const bought = await order(payer);
    await tell(vendor.pay(bought.out));
    await setup.operations.refund(bought.orderId, 100);
    vendor.server.spoil = "lost";
    await setup.work(["pay-refund"]);
    vendor.server.spoil = undefined;
    await setup.db
      .updateTable("job")
      .set({ run_at: new Date(0) })
      .where("state", "=", "ready")
      .execute();
    await setup.work(["pay-refund"]);
    expect(vendor.refundsOf(bought.out).map(Number)).toEqual([100]);
    const row = setup.db.selectFrom("pay_refund").select("state").where("number", "=", `${bought.out}R1`);
    expect(await row.executeTakeFirst()).toEqual({ state: "DONE" });
  });

  it.skipIf(name === "alipay")("queries a refund at once when a notification reports it", async () => {
    const server = vendor.server as WechatPayServer;
    const payer = createPayer(setup);
    const bought = await order(payer);
    await tell(vendor.pay(bought.out));
    server.refundStatus = "PROCESSING";
    const { number } = await setup.operations.refund(bought.orderId, 100);
    await setup.work(["pay-refund"]);
    server.refundStatus = "SUCCESS";
    Object.assign(server.refunds.get(number) ?? {}, { status: "SUCCESS" });
    const stateOf = () =>
      setup.db.selectFrom("pay_refund").select("state").where("number", "=", number).executeTakeFirst();
    await setup.work(["pay-refund"]);
    expect(await stateOf()).toEqual({ state: "SENT" });
    expect(await tell(server.notify("REFUND.SUCCESS", { out_trade_no: bought.out }))).toEqual(accepted());
    await setup.work(["pay-refund"]);
    expect(await stateOf()).toEqual({ state: "DONE" });
  });

  it("reports every difference between the bill and the ledger", async () => {
    setup.set(new Date("2027-03-10T04:00:00Z"));
    const day = "2027-03-10";
    const buy = async (pCode: string) => {
      const bought = await order(createPayer(setup), pCode);
      await tell(vendor.pay(bought.out));
      const paid = setup.db.updateTable("pay_attempt").set({ paid_at: setup.now() });
      await paid.where("out_trade_no", "=", bought.out).where("paid_fen", "is not", null).execute();
      return bought;
    };
    const line = (bought: Awaited<ReturnType<typeof order>>, more: object = {}) => ({
      kind: "payment" as const,
      outTradeNo: bought.out,
      transactionId: vendor.transactionOf(bought.out),
      amountFen: bought.price,
      ...more,
    });
    const [good, lost, other] = [await buy("vip-month"), await buy("vip-quarter"), await buy("vip-year")];
    const untold = await order(createPayer(setup), "vip-month");
    vendor.pay(untold.out);
    vendor.setBill([line(good), line(other), line(lost)]);
    expect(await setup.operations.reconcile(day)).toEqual([]);
    const byHand = { kind: "refund" as const, refundNumber: "by-hand", amountFen: 1 };
    vendor.setBill([line(good), line(other, { amountFen: 1 }), line(untold), line(good, byHand)]);
    const found = await setup.operations.reconcile(day);
    expect(found.map(({ kind }) => kind).sort()).toEqual(["amount", "ours-missing", "state", "theirs-missing"]);
    expect(await grantsOf(untold)).toBe(1);
  });
});

it.each(testEngines)(
  "one gateway's day is reconciled while the other gateway is unavailable, on %s",
  async (engine) => {
    const [wechat, alipay] = await Promise.all([vendors.wechat(), vendors.alipay()]);
    const setup = await openTestBilling(engine, () => wechat.gateway, alipay.gateway);
    const stray = { kind: "payment" as const, transactionId: "t", amountFen: 100 };
    wechat.setBill([{ ...stray, outTradeNo: "strayatwechat" }]);
    alipay.setBill([{ ...stray, outTradeNo: "strayatalipay" }]);
    const filed = async () =>
      (await setup.db.selectFrom("pay_anomaly").select(["kind", "gateway"]).orderBy("gateway").execute()).map(
        ({ kind, gateway }) => `${kind} at ${gateway}`,
      );
    wechat.server.spoil = "html";
    await expect(setup.operations.reconcile("2026-03-09")).rejects.toMatchObject({ name: "GatewayError" });
    expect(await filed()).toEqual(["ours-missing at alipay"]);
    wechat.server.spoil = undefined;
    expect(await setup.operations.reconcile("2026-03-09")).toHaveLength(2);
    expect(await filed()).toEqual(["ours-missing at alipay", "ours-missing at wechat"]);
    await setup.close();
    await Promise.all([wechat.server.close(), alipay.server.close()]);
  },
);
